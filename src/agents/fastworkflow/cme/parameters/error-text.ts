/** Puts what is wrong with a command's parameters into words, for the agent that wrote them. */

import { dumpJson, type PyDict } from '../../../../benchmark/python/index.ts';
import type { CommandDefinition, FieldDefinition, FieldType } from '../../catalogue/types.ts';

/** A field with what it cannot take. */
export interface InvalidField {
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

/** Characters of a value that an error text repeats. */
const MAX_SHOWN = 200;
/** Values of a list that an error text repeats. */
const MAX_VALUES = 10;

/** One sentence that says it all, then the details: values found so far, and each problem with its rule. */
export function fieldProblemsText(
  command: CommandDefinition,
  found: PyDict,
  missing: readonly FieldDefinition[],
  invalid: readonly InvalidField[],
): string {
  const problems: string[] = [];
  if (missing.length > 0) problems.push(`${listed(missing.map(withForm))} ${areOrIs(missing)} missing`);
  if (invalid.length > 0) {
    problems.push(`${listed(invalid.map(({ field }) => withForm(field)))} ${areOrIs(invalid)} invalid`);
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
    const rule = ruleOf(field);
    if (rule !== null) lines.push(`- ${field.name} ${rule}`);
  }
  return errorText(command, problems.join(' and '), found, lines);
}

/** @param broken a sentence for each rule, about fields that are valid by themselves */
export function brokenRulesText(command: CommandDefinition, found: PyDict, broken: readonly string[]): string {
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

/** The field's name, with what it takes in brackets. */
function withForm({ name, allowed, examples }: FieldDefinition): string {
  if (allowed !== undefined) return `${name} (one of ${allowed.map((value) => `'${value}'`).join(', ')})`;
  const example = examples?.[0];
  return example === undefined ? name : `${name} (such as ${example})`;
}

function ruleOf(field: FieldDefinition): string | null {
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
  const shown = values.slice(0, MAX_VALUES).map(quoted).join(', ');
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}

/** A value as it was said; of a long one the beginning. */
function quoted(value: string): string {
  return value.length > MAX_SHOWN ? `'${value.slice(0, MAX_SHOWN)}…'` : `'${value}'`;
}

function listed(parts: readonly string[]): string {
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
