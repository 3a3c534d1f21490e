/** A catalogue as the folder of a FastWorkflow workflow: the inverse of what is imported. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandDefinition, FieldDefinition, FieldType } from '../../../src/agents/fastworkflow/public.ts';
import { repr } from '../../../src/benchmarks/python/index.ts';

const TYPES: Readonly<Record<FieldType, string>> = {
  text: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  list: 'List[str]',
  json: 'dict',
};

export async function writeWorkflow(folder: string, commands: readonly CommandDefinition[]): Promise<void> {
  await writeCommands(folder, Object.fromEntries(commands.map((each) => [`${each.name}.py`, commandFile(each)])));
}

/** @param files texts by path within `_commands` */
export async function writeCommands(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, '_commands', path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }
}

function commandFile({ description, fields, outputs = [], utterances }: CommandDefinition): string {
  const model = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`    class ${name}(BaseModel):`, ...lines.map((line) => `        ${line}`), ''];
  return [
    'from typing import List',
    'from pydantic import BaseModel, Field',
    '',
    'class Signature:',
    `    """${description}"""`,
    ...model('Input', fields.map(inputLine)),
    ...model(
      'Output',
      outputs.map(({ name, type, description: text }) => `${name}: ${TYPES[type]} = Field(description=${repr(text)})`),
    ),
    `    plain_utterances = ${repr(utterances)}`,
    '',
    'class ResponseGenerator:',
    '    def __call__(self, workflow, command, parameters):',
    '        raise SystemExit("nothing here is run")',
    '',
  ].join('\n');
}

function inputLine({ name, type, description, pattern, examples, allowed, availableFrom, required }: FieldDefinition) {
  const extras = [
    ...(availableFrom === undefined ? [] : [`'available_from': ${repr(availableFrom)}`]),
    ...(allowed === undefined ? [] : [`'enum': ${repr(allowed)}`]),
  ];
  const keywords = [
    ...(required ? ["default='NOT_FOUND'"] : []),
    `description=${repr(description)}`,
    ...(pattern === undefined ? [] : [`pattern=${repr(pattern)}`]),
    ...(examples === undefined ? [] : [`examples=${repr(examples)}`]),
    ...(extras.length === 0 ? [] : [`json_schema_extra={${extras.join(', ')}}`]),
  ];
  return `${name}: ${TYPES[type]} = Field(${keywords.join(', ')})`;
}
