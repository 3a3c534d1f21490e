/** Makes commands from the tools' schemas, for a domain without commands of its own. */

import { isDict, isList, parseJson, type PyDict, type PyValue } from '../../../benchmarks/python/index.ts';
import type { CommandDefinition, FieldDefinition, FieldType } from './definitions.ts';

/** Matches names that can be XML tags and can be found in a text. */
const NAME = /^[A-Za-z_]\w{0,99}$/;

/** @param toolsJson tools in OpenAI's form; those whose names cannot be commands are left out */
export function makeCommands(toolsJson: string): CommandDefinition[] {
  const tools = parseJson(toolsJson);
  if (!isList(tools)) return [];
  return tools.flatMap((tool) => {
    const described = isDict(tool) ? tool.get('function') : undefined;
    if (!isDict(described)) return [];
    const name = readText(described, 'name');
    if (!NAME.test(name)) return [];
    const parameters = described.get('parameters');
    const fields = isDict(parameters) ? makeFields(parameters) : [];
    return [{ name, description: readText(described, 'description'), utterances: [], fields }];
  });
}

function makeFields(parameters: PyDict): FieldDefinition[] {
  const properties = parameters.get('properties');
  const required = parameters.get('required');
  if (!isDict(properties)) return [];
  return Array.from(properties).flatMap(([name, schema]) => {
    if (!NAME.test(name) || !isDict(schema)) return [];
    const allowed = schema.get('enum');
    const isTexts = isList(allowed) && allowed.every((value) => typeof value === 'string');
    const type = findType(schema);
    const isRequired = isList(required) && required.includes(name) && !schema.has('default');
    return [
      {
        name,
        description: readText(schema, 'description'),
        type,
        required: isRequired,
        // As in FastWorkflow, for which an empty text is a value. An optional field that is left empty has none.
        mayBeEmpty: (isRequired && type === 'text' && !RULES.some((rule) => schema.has(rule))) || undefined,
        allowed: isTexts ? allowed : undefined,
      },
    ];
  });
}

/** Keys of a schema that exclude the empty text, or may do so. */
const RULES = ['enum', 'minLength', 'pattern', 'format'];

const TYPES: Readonly<Record<string, FieldType>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** Returns the type of a field. The type null in a list of types is ignored. */
function findType(schema: PyDict): FieldType {
  const either = schema.get('anyOf');
  const typed =
    (isList(either) ? either.filter(isDict).find((one) => one.get('type') !== 'null') : undefined) ?? schema;
  const type = readType(typed);
  const known = type === undefined ? undefined : TYPES[type];
  if (known !== undefined) return known;
  if (type !== 'array') return typed.has('enum') ? 'text' : 'json';
  const items = typed.get('items');
  return isDict(items) && readType(items) === 'string' ? 'list' : 'json';
}

function readType(schema: PyDict): string | undefined {
  const type = schema.get('type');
  const types: readonly (PyValue | undefined)[] = isList(type) ? type : [type];
  return types.find((one) => typeof one === 'string' && one !== 'null') as string | undefined;
}

function readText(described: PyDict, key: string): string {
  const text = described.get(key);
  return typeof text === 'string' ? text : '';
}
