/**
 * The catalogue in FastWorkflow 2.24.1's own form, to measure what it costs: no parameter names, nothing about what is
 * required, allowed or taken by default, and no description where it repeats the command's name.
 */

import { repr } from '../../../benchmark/python/index.ts';
import type { CommandDefinition, FieldDefinition, FieldType, OutputDefinition } from './types.ts';

type Shown = Pick<CommandDefinition, 'name' | 'description' | 'fields' | 'outputs' | 'context'>;

/** FastWorkflow shows the types of Python. */
const PYTHON_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  list: 'typing.List[str]',
  json: 'typing.Any',
};

/** Names the context that the commands belong to. */
export function legacyHeading([first]: readonly Pick<CommandDefinition, 'context'>[]): string {
  const context = first?.context ?? '*';
  return `Commands of the current context (${context === '*' ? 'global' : context}):`;
}

export function legacyText({ name, description, fields, outputs = [] }: Shown): string {
  const lines = [`- ${name}`];
  const docstring = description.replace(/\s+/g, ' ').trim();
  if (!docstring.toLowerCase().includes(name.replaceAll('_', ' ').toLowerCase())) lines.push(`  ${docstring}`);
  if (fields.length > 0) lines.push('  inputs:', ...fields.flatMap(inputLines));
  if (outputs.length > 0) lines.push('  outputs:', ...outputs.map(titleLine));
  return lines.join('\n');
}

function inputLines(field: FieldDefinition): string[] {
  const lines = [titleLine(field)];
  if (field.examples !== undefined) lines.push(`    examples: ${repr(field.examples)}`);
  if (field.availableFrom !== undefined) lines.push(`    available_from: ${repr(field.availableFrom)}`);
  return lines;
}

function titleLine({ name, description, type }: FieldDefinition | OutputDefinition): string {
  return `  - ${description === '' ? name : description}, type: ${PYTHON_TYPES[type]}`;
}
