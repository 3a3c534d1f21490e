/**
 * Checks a command's parameters against its fields: reads each text as the field's type, checks the allowed values or
 * the pattern, and explains every problem to the agent.
 *
 * A value is absent if it is FastWorkflow's sentinel `NOT_FOUND`, or Python's or JSON's word for no value.
 */

import {
  MAX_INT_DIGITS,
  PyFloat,
  dumpJson,
  isDict,
  isList,
  type PyDict,
  type PyValue,
} from '../../../benchmarks/python/index.ts';
import type { CommandDefinition, FieldDefinition, FieldType } from '../catalogue/definitions.ts';
import type { RawParameters } from './types.ts';
import { parseLiteral, readList } from '../json.ts';

export type ParameterCheck =
  /** All parameters for the tool, in the command's order. */
  | { readonly kind: 'valid'; readonly parameters: PyDict }
  | {
      readonly kind: 'invalid';
      /** Names of missing required fields. */
      readonly missing: readonly string[];
      /** Names of fields with invalid values; empty if the values are valid but contradict each other. */
      readonly invalid: readonly string[];
      /** Text for the agent with every problem and its remedy. */
      readonly message: string;
    };

/**
 * Checks the parameters of a command. An absent field gets its default. Without a default, a required field is missing,
 * and an optional one is left out. The command's own rules are checked if every field is valid.
 */
export function checkParameters(command: CommandDefinition, raw: RawParameters): ParameterCheck {
  const found = new Map<string, PyValue>();
  const missing: FieldDefinition[] = [];
  const invalid: InvalidField[] = [];
  for (const field of command.fields) {
    let coerced = coerceField(field, raw.get(field.name));
    if (coerced.kind === 'missing' && field.default !== undefined) coerced = coerceField(field, field.default);
    if (coerced.kind === 'value') found.set(field.name, coerced.value);
    else if (coerced.kind === 'invalid') invalid.push({ field, values: coerced.values });
    else if (field.required) missing.push(field);
  }
  if (missing.length > 0 || invalid.length > 0) {
    return {
      kind: 'invalid',
      missing: missing.map(({ name }) => name),
      invalid: invalid.map(({ field }) => field.name),
      message: fieldProblemsText(command, found, missing, invalid),
    };
  }
  const broken = command.validate?.(found) ?? [];
  if (broken.length === 0) return { kind: 'valid', parameters: found };
  return { kind: 'invalid', missing: [], invalid: [], message: brokenRulesText(command, found, broken) };
}

/** Value of a field in a text or a reply. */
export type RawValue = string | readonly string[];

type CoercionResult =
  | { readonly kind: 'value'; readonly value: PyValue }
  | { readonly kind: 'missing' }
  /** `values`: invalid values as written. */
  | { readonly kind: 'invalid'; readonly values: readonly string[] };

type ScalarType = Exclude<FieldType, 'list' | 'json'>;

const MISSING: CoercionResult = { kind: 'missing' };
const NO_VALUE: readonly string[] = ['None', 'null'];

export function coerceField(field: FieldDefinition, raw: RawValue | undefined): CoercionResult {
  if (raw === undefined || (typeof raw === 'string' && isBlank(field, raw))) return MISSING;
  if (field.type === 'list') return coerceList(field, typeof raw === 'string' ? readListField(raw) : raw);
  if (field.type === 'json') return coerceJson(field, raw);
  const [text, ...more] = typeof raw === 'string' ? [raw] : raw;
  if (text === undefined || saysNothing(text)) return MISSING;
  if (more.length > 0) return { kind: 'invalid', values: [dumpJson(raw)] };
  const value = coerceScalar(field, field.type, text);
  return value === undefined ? { kind: 'invalid', values: [text] } : { kind: 'value', value };
}

/** @returns true for an empty text in a field that must not be empty */
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

function coerceList(field: FieldDefinition, items: readonly string[]): CoercionResult {
  if (items.length === 0 || (items.length === 1 && saysNothing(items[0] ?? ''))) return MISSING;
  const values = items.map((item) => acceptedText(field, item));
  const wrong = items.filter((_, at) => values[at] === undefined);
  if (wrong.length > 0) return { kind: 'invalid', values: wrong };
  return { kind: 'value', value: values.filter((value) => value !== undefined) };
}

/** @param raw one text, or the items of a list; an item that is not JSON is a text */
function coerceJson(field: FieldDefinition, raw: RawValue): CoercionResult {
  if (typeof raw !== 'string') {
    return raw.length === 0 ? MISSING : { kind: 'value', value: raw.map((item) => parseLiteral(item) ?? item) };
  }
  if (raw.trim() === '' || saysNothing(raw)) return MISSING;
  const value = parseLiteral(raw);
  if (isList(value) && value.length === 0) return MISSING;
  return isDict(value) || isList(value) ? { kind: 'value', value } : { kind: 'invalid', values: [raw] };
}

/** Reads a text as a type; undefined for an invalid text. */
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

/** Returns the text in the tool's form, without surrounding white space unless the text is valid with it. */
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

/**
 * Compiles a field's pattern to an expression that the whole text must match. Expressions are cached, because
 * catalogues have few.
 */
export function wholePattern(pattern: string): RegExp {
  const known = wholePatterns.get(pattern) ?? new RegExp(`^(?:${pattern})$`, 'u');
  wholePatterns.set(pattern, known);
  return known;
}

function readInteger(text: string): bigint | undefined {
  if (text.length > MAX_INT_DIGITS || !/^[+-]?\d+(?:_\d+)*$/.test(text)) return undefined;
  return BigInt(text.replace(/^\+|_/g, ''));
}

/** Reads a number as an int or a float, because the benchmark's hash of `100` differs from that of `100.0`. */
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

/** A field with its invalid values. */
interface InvalidField {
  readonly field: FieldDefinition;
  readonly values: readonly string[];
}

const TYPE_FORMS: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list of texts, written as a JSON array, a Python list, items with commas or spaces between them, or one tag for each item',
  json: 'a JSON object or array',
};

/** Most characters of a value in an error text. */
const MAX_SHOWN = 200;
/** Most values of a list in an error text. */
const MAX_VALUES = 10;

/**
 * Returns the error text for the agent: one sentence that names every problem, then the values found so far, and each
 * problem with its rule.
 */
function fieldProblemsText(
  command: CommandDefinition,
  found: PyDict,
  missing: readonly FieldDefinition[],
  invalid: readonly InvalidField[],
): string {
  const problems: string[] = [];
  if (missing.length > 0) problems.push(`${listParts(missing.map(withForm))} ${areOrIs(missing)} missing`);
  if (invalid.length > 0) {
    problems.push(`${listParts(invalid.map(({ field }) => withForm(field)))} ${areOrIs(invalid)} invalid`);
  }
  const lines: string[] = [];
  if (missing.length > 0) lines.push(`Missing parameter values: ${missing.map(({ name }) => name).join(', ')}`);
  for (const { name, availableFrom } of missing) {
    if (availableFrom !== undefined) lines.push(`- ${name} can be learnt from ${availableFrom.join(' or ')}.`);
  }
  if (invalid.length > 0) {
    const values = invalid.map(({ field, values }) => `${field.name} ${shownValues(values)}`);
    lines.push(`Invalid parameter values: ${values.join(', ')}`);
  }
  for (const { field } of invalid) {
    const rule = describeRule(field);
    if (rule !== null) lines.push(`- ${field.name} ${rule}`);
  }
  return errorText(command, problems.join(' and '), found, lines);
}

/** @param broken a sentence for each violated rule about several fields */
function brokenRulesText(command: CommandDefinition, found: PyDict, broken: readonly string[]): string {
  return errorText(command, 'its parameters do not go together', found, broken);
}

function errorText(command: CommandDefinition, why: string, found: PyDict, details: readonly string[]): string {
  const lines = [
    `PARAMETER EXTRACTION ERROR FOR COMMAND '${command.name}'`,
    `${command.name} did not run, because ${why}; write the whole command again, with every parameter in its tag.`,
  ];
  if (found.size > 0) {
    lines.push('Found so far:');
    for (const [name, value] of found) {
      lines.push(`${titleCase(name)}: ${typeof value === 'string' ? value : dumpJson(value)}`);
    }
  }
  lines.push(...details, `Make sure that ${command.name} is the command that was meant.`);
  return lines.join('\n');
}

/** Returns the field's name with its allowed values or examples in brackets. */
function withForm({ name, allowed, examples }: FieldDefinition): string {
  if (allowed !== undefined) return `${name} (one of ${allowed.map((value) => `'${value}'`).join(', ')})`;
  const example = examples?.[0];
  return example === undefined ? name : `${name} (such as ${example})`;
}

function describeRule(field: FieldDefinition): string | null {
  const rules: string[] = [];
  if (field.type !== 'text') rules.push(`must be ${TYPE_FORMS[field.type]}`);
  if (field.pattern !== undefined && field.allowed === undefined) {
    const what = field.type === 'list' ? 'each item must match' : 'must match';
    rules.push(`${what} the pattern ${field.pattern}${field.form === undefined ? '' : ` (${field.form})`}`);
  }
  return rules.length === 0 ? null : `${rules.join('; ')}.`;
}

function shownValues(values: readonly string[]): string {
  const more = values.length - MAX_VALUES;
  const shown = values.slice(0, MAX_VALUES).map(quoteShort).join(', ');
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}

/** Quotes a value as written, but only the beginning of a long one. */
function quoteShort(value: string): string {
  return value.length > MAX_SHOWN ? `'${value.slice(0, MAX_SHOWN)}…'` : `'${value}'`;
}

function listParts(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${String(parts.at(-1))}`;
}

function areOrIs({ length }: readonly unknown[]): string {
  return length === 1 ? 'is' : 'are';
}

function titleCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
