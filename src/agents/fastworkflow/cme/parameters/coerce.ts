/**
 * From what a text says to the value that a field takes: the field's type, then its allowed values or its pattern.
 *
 * What counts as nothing said: FastWorkflow's sentinel `NOT_FOUND`, and Python's and JSON's words for no value.
 */

import { PyFloat, dumpJson, isDict, isList, type PyValue } from '../../../../benchmark/python/index.ts';
import type { FieldDefinition, FieldType } from '../../catalogue/types.ts';
import { readList } from './list.ts';
import { parseLiteral } from './literal.ts';

/** What a text or a reply says of one field. */
export type RawValue = string | readonly string[];

export type Coerced =
  | { readonly kind: 'value'; readonly value: PyValue }
  | { readonly kind: 'missing' }
  /** `values`: what the field cannot take, as it was said. */
  | { readonly kind: 'invalid'; readonly values: readonly string[] };

type ScalarType = Exclude<FieldType, 'list' | 'json'>;

const MISSING: Coerced = { kind: 'missing' };
const NO_VALUE: readonly string[] = ['None', 'null'];
/** Python's bound on the digits of an int that is read from text. */
const MAX_INT_DIGITS = 4300;

export function coerceField(field: FieldDefinition, raw: RawValue | undefined): Coerced {
  if (raw === undefined || (typeof raw === 'string' && isBlank(field, raw))) return MISSING;
  if (field.type === 'list') return coerceList(field, typeof raw === 'string' ? readListField(raw) : raw);
  if (field.type === 'json') return coerceJson(raw);
  const [text, ...more] = typeof raw === 'string' ? [raw] : raw;
  if (text === undefined || saysNothing(text)) return MISSING;
  if (more.length > 0) return { kind: 'invalid', values: [dumpJson(raw)] };
  const value = coerceScalar(field, field.type, text);
  return value === undefined ? { kind: 'invalid', values: [text] } : { kind: 'value', value };
}

/** @returns true if nothing is said of a field that may not be empty */
export function isBlank({ mayBeEmpty }: FieldDefinition, text: string): boolean {
  return mayBeEmpty !== true && text.trim() === '';
}

function saysNothing(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.toUpperCase() === 'NOT_FOUND' || NO_VALUE.includes(trimmed);
}

function readListField(text: string): readonly string[] {
  return saysNothing(text) ? [] : readList(text);
}

function coerceList(field: FieldDefinition, items: readonly string[]): Coerced {
  if (items.length === 0 || (items.length === 1 && saysNothing(items[0] ?? ''))) return MISSING;
  const values = items.map((item) => acceptedText(field, item));
  const wrong = items.filter((_, at) => values[at] === undefined);
  if (wrong.length > 0) return { kind: 'invalid', values: wrong };
  return { kind: 'value', value: values.filter((value) => value !== undefined) };
}

/** @param raw one text, or the items of a list, of which those that are no JSON are texts */
function coerceJson(raw: RawValue): Coerced {
  if (typeof raw !== 'string') {
    return raw.length === 0 ? MISSING : { kind: 'value', value: raw.map((item) => parseLiteral(item) ?? item) };
  }
  if (raw.trim() === '' || saysNothing(raw)) return MISSING;
  const value = parseLiteral(raw);
  if (isList(value) && value.length === 0) return MISSING;
  return isDict(value) || isList(value) ? { kind: 'value', value } : { kind: 'invalid', values: [raw] };
}

/** undefined when the field cannot take the text. */
function coerceScalar(field: FieldDefinition, type: ScalarType, text: string): PyValue | undefined {
  const accepted = acceptedText(field, text);
  if (accepted === undefined) return undefined;
  switch (type) {
    case 'integer':
      return readInteger(accepted);
    case 'number':
      return readNumber(accepted);
    case 'boolean':
      return readBoolean(accepted);
    case 'text':
      return accepted;
  }
}

/** The text in the tool's form. One that fits only without white space around it is taken without. */
function acceptedText({ allowed, pattern, normalise, type }: FieldDefinition, text: string): string | undefined {
  if (allowed !== undefined) {
    const wanted = text.trim().toLowerCase();
    return allowed.find((value) => value.toLowerCase() === wanted);
  }
  const whole = pattern === undefined ? undefined : wholePattern(pattern);
  const candidates = type === 'text' || type === 'list' ? [text, text.trim()] : [text.trim()];
  const found = candidates.find((candidate) => whole?.test(candidate) ?? true);
  return found === undefined || normalise === undefined ? found : normalise(found);
}

const wholePatterns = new Map<string, RegExp>();

/** A field's pattern as an expression that the whole text must match. Patterns are those of catalogues: few. */
export function wholePattern(pattern: string): RegExp {
  const known = wholePatterns.get(pattern) ?? new RegExp(`^(?:${pattern})$`, 'u');
  wholePatterns.set(pattern, known);
  return known;
}

function readInteger(text: string): bigint | undefined {
  if (text.length > MAX_INT_DIGITS || !/^[+-]?\d+(?:_\d+)*$/.test(text)) return undefined;
  return BigInt(text.replace(/^\+|_/g, ''));
}

/** An int stays one: the benchmark's hash tells `100` from `100.0`. */
function readNumber(text: string): bigint | PyFloat | undefined {
  const int = readInteger(text);
  if (int !== undefined) return int;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? new PyFloat(value) : undefined;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined;
}
