/** How much of a command repeats what the catalogue shows: FastWorkflow 2.24.1 reads such a command with a model. */

import { dumpJson, isList, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';
import type { CommandDefinition, FieldDefinition } from '../../catalogue/types.ts';
import { readList } from './list.ts';

/** How many of the values equal an example, or an allowed value, of their field. */
export function exampleValues({ fields }: CommandDefinition, parameters: PyDict): number {
  return fields.filter((field) => isExample(field, parameters.get(field.name))).length;
}

function isExample({ examples = [], allowed = [], type }: FieldDefinition, value: PyValue | undefined): boolean {
  if (value === undefined) return false;
  const shown = [...examples, ...allowed];
  if (isList(value) && type === 'list') {
    const text = dumpJson(value);
    return shown.some((example) => dumpJson(readList(example)) === text);
  }
  return shown.includes(typeof value === 'string' ? value : dumpJson(value));
}
