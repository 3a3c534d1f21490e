/** Checks what a command's text says against the command's fields, and puts problems into words for the agent. */

import { dumpJson } from '../../../../bench/python/json.ts';
import type { PyDict, PyValue } from '../../../../bench/python/value.ts';
import type { CommandDefinition, FieldDefinition } from '../../catalogue/types.ts';
import type { RawParameters } from '../types.ts';

export type Checked =
  { readonly kind: 'valid'; readonly parameters: PyDict } | { readonly kind: 'invalid'; readonly message: string };

interface InvalidValue {
  readonly field: FieldDefinition;
  readonly value: string;
}

/** @returns all of the command's parameters in its order, or an error text that names every problem once */
export function checkParameters(command: CommandDefinition, raw: RawParameters): Checked {
  const found = new Map<string, PyValue>();
  const missing: FieldDefinition[] = [];
  const invalid: InvalidValue[] = [];
  for (const field of command.fields) {
    const value = raw.get(field.name);
    if (value === undefined || (typeof value !== 'string' && value.length === 0)) {
      if (field.required) missing.push(field);
      continue;
    }
    const items = typeof value === 'string' ? [value] : value;
    const checked = items.map((item) => acceptedForm(field, item));
    const wrong = items.filter((_, i) => checked[i] === undefined);
    if (wrong.length > 0) {
      invalid.push(...wrong.map((item) => ({ field, value: item })));
    } else {
      const accepted = checked.filter((item) => item !== undefined);
      found.set(field.name, typeof value === 'string' ? (accepted[0] ?? '') : accepted);
    }
  }
  if (missing.length > 0 || invalid.length > 0) {
    return { kind: 'invalid', message: fieldProblems(command, found, missing, invalid) };
  }
  const broken = command.validate?.(found) ?? [];
  if (broken.length === 0) return { kind: 'valid', parameters: found };
  return { kind: 'invalid', message: errorText(command, found, broken) };
}

/** The value in the tool's form; undefined when the field cannot take it. */
function acceptedForm(field: FieldDefinition, value: string): string | undefined {
  if (field.allowed !== undefined) {
    return field.allowed.find((allowed) => allowed.toLowerCase() === value.toLowerCase());
  }
  if (field.pattern !== undefined && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value)) return undefined;
  return field.normalise === undefined ? value : field.normalise(value);
}

function fieldProblems(
  command: CommandDefinition,
  found: PyDict,
  missing: readonly FieldDefinition[],
  invalid: readonly InvalidValue[],
): string {
  const lines: string[] = [];
  if (missing.length > 0) lines.push(`Missing parameter values: ${missing.map((field) => field.name).join(', ')}`);
  for (const { name, availableFrom } of missing) {
    if (availableFrom !== undefined) lines.push(`- ${name} can be learnt from ${availableFrom.join(' or ')}.`);
  }
  if (invalid.length > 0) {
    lines.push(`Invalid parameter values: ${invalid.map(({ field, value }) => `${field.name} '${value}'`).join(', ')}`);
  }
  const toCorrect = [...new Set([...missing, ...invalid.map(({ field }) => field)])];
  for (const field of toCorrect) {
    const rule = formRule(field);
    if (rule !== null) lines.push(`- ${field.name} ${rule}`);
  }
  lines.push(`Still needed, besides what was found: ${toCorrect.map((field) => field.name).join(', ')}`);
  return errorText(command, found, lines);
}

function formRule(field: FieldDefinition): string | null {
  if (field.allowed !== undefined) {
    return `must be one of: ${field.allowed.map((value) => `'${value}'`).join(', ')}.`;
  }
  if (field.pattern === undefined) return null;
  const what = field.type === 'list' ? 'each item must match' : 'must match';
  const meaning = field.form === undefined ? '' : ` (${field.form})`;
  const example = field.examples?.[0] === undefined ? '' : `, for example ${field.examples[0]}`;
  return `${what} the pattern ${field.pattern}${meaning}${example}.`;
}

function errorText(command: CommandDefinition, found: PyDict, problems: readonly string[]): string {
  const lines = [`PARAMETER EXTRACTION ERROR FOR COMMAND '${command.name}'`];
  if (found.size > 0) {
    lines.push('Found so far:');
    for (const [name, value] of found) {
      lines.push(`${titleCase(name)}: ${typeof value === 'string' ? value : dumpJson(value)}`);
    }
  }
  lines.push(...problems);
  lines.push(`Make sure that ${command.name} is the command that was meant.`);
  return lines.join('\n');
}

function titleCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
