/**
 * Reads a model's reply: split on marker lines as DSPy does, or as one JSON object.
 *
 * The first occurrence of a field counts, text after `[[ ## completed ## ]]` does not, a choice must match
 * exactly but for quotes around it, and a flag is true or false in any case, or yes or no.
 */

import { dumpJson, type PyDict, type PyValue } from '../../../benchmark/python/index.ts';
import { parseObject } from '../cme/parameters/literal.ts';
import type { OutputField } from './signatures.ts';

export interface ReplyFields {
  /** Values of text, choice and flag fields, trimmed; a flag's is `true` or `false`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Values of object fields. */
  readonly objects: ReadonlyMap<string, PyDict>;
}

export type Reply =
  | { readonly kind: 'fields'; readonly fields: ReplyFields }
  /** Readable but for a choice that is none of those offered. */
  | { readonly kind: 'illegal_choice'; readonly field: string; readonly value: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** @param text the model's words; null counts as none */
export function readReply(text: string | null, outputs: readonly OutputField[]): Reply {
  const marked = splitOnMarkers(text ?? '');
  if (marked.size > 0) return checkFields(marked, outputs);
  const object = (text ?? '').includes('{') ? parseObject(text ?? '') : undefined;
  if (object === undefined) return { kind: 'unreadable', problem: 'it has neither field markers nor a JSON object' };
  return checkFields(object, outputs);
}

function splitOnMarkers(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let field: string | null = null;
  let lines: string[] = [];
  const close = () => {
    if (field !== null && !sections.has(field)) sections.set(field, lines.join('\n').trim());
  };
  for (const line of text.split('\n')) {
    const match = /^\s*\[\[\s*##\s*(\w+)\s*##\s*\]\](.*)$/.exec(line);
    if (match === null) {
      lines.push(line);
      continue;
    }
    close();
    field = match[1] ?? null;
    lines = [match[2] ?? ''];
  }
  close();
  return sections;
}

function checkFields(values: ReadonlyMap<string, PyValue>, outputs: readonly OutputField[]): Reply {
  const texts = new Map<string, string>();
  const objects = new Map<string, PyDict>();
  for (const field of outputs) {
    const value = values.get(field.name);
    if (value === undefined || value === null) {
      if (field.optional !== true) return { kind: 'unreadable', problem: `the field ${field.name} is missing` };
      texts.set(field.name, '');
    } else if (field.kind === 'object') {
      const object = parseObject(asText(value));
      if (object === undefined) return { kind: 'unreadable', problem: `the field ${field.name} is not a JSON object` };
      objects.set(field.name, object);
    } else if (field.kind === 'flag') {
      const flag = asFlag(asText(value));
      if (flag === undefined) return { kind: 'unreadable', problem: `the field ${field.name} is not true or false` };
      texts.set(field.name, flag);
    } else {
      texts.set(field.name, asText(value).trim());
    }
  }
  for (const field of outputs) {
    if (field.kind !== 'choice') continue;
    const value = (texts.get(field.name) ?? '').replace(/^(["'])(.*)\1$/, '$2');
    if (!field.choices.includes(value)) return { kind: 'illegal_choice', field: field.name, value };
    texts.set(field.name, value);
  }
  return { kind: 'fields', fields: { texts, objects } };
}

function asFlag(text: string): 'true' | 'false' | undefined {
  const word = text
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(/\.$/, '')
    .trim()
    .toLowerCase();
  if (word === 'true' || word === 'yes') return 'true';
  return word === 'false' || word === 'no' ? 'false' : undefined;
}

/** A JSON reply may hold a list of steps where text was asked for; its JSON is as good a text as any. */
function asText(value: PyValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n');
  return dumpJson(value);
}
