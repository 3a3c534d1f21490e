/** Whether a call's arguments are such as the tool's schema lets an agent give; the part of JSON Schema tools use. */

import {
  PyFloat,
  dumpJson,
  isDict,
  isList,
  typeName,
  type PyDict,
  type PyValue,
} from '../../benchmark/python/index.ts';
import { listWords } from '../../packs/index.ts';
import { clip, pathText, type Path } from './leaves.ts';

/** @returns what is wrong, in clauses (`reason is "bored", not one of …`); empty when the schema takes them */
export function refusedArguments(parameters: PyDict, kwargs: PyDict): string[] {
  const properties = dictOf(parameters.get('properties'));
  const unknown = Array.from(kwargs.keys(), (name) => ({ name, schema: properties.get(name) }))
    .filter(({ schema }) => schema === undefined)
    .map(({ name }) => `${name} is no parameter`);
  return [...unknown, ...refusals(parameters, kwargs, [])];
}

/** The values of a call that the schema gives to choose from: nobody has to be told them. */
export function isChoice(parameters: PyDict, path: Path): boolean {
  let schema: PyValue | undefined = parameters;
  for (const step of path) {
    const inner: PyDict = dictOf(schema);
    schema = typeof step === 'number' ? inner.get('items') : dictOf(inner.get('properties')).get(step);
  }
  return isList(dictOf(schema).get('enum'));
}

function refusals(schema: PyDict, value: PyValue, path: Path): string[] {
  const name = path.length === 0 ? 'the arguments' : pathText(path);
  const type = schema.get('type');
  if (typeof type === 'string' && !isOfType(type, value)) return [`${name} is ${nounOf(value)}, not ${article(type)}`];
  const choices = schema.get('enum');
  if (isList(choices) && !choices.some((choice) => choice === value)) {
    return [`${name} is ${shown(value)}, not one of ${listWords(choices.map(shown), 'or')}`];
  }
  if (isList(value)) {
    const items = schema.get('items');
    return isDict(items) ? value.flatMap((item, at) => refusals(items, item, [...path, at])) : [];
  }
  if (!isDict(value)) return [];
  const required = schema.get('required');
  const missing = (isList(required) ? required : [])
    .filter((key) => typeof key === 'string')
    .filter((key) => !value.has(key))
    .map((key) => `${pathText([...path, key])} is missing`);
  const properties = dictOf(schema.get('properties'));
  const inner = Array.from(value).flatMap(([key, item]) => {
    const property = properties.get(key);
    return isDict(property) ? refusals(property, item, [...path, key]) : [];
  });
  return [...missing, ...inner];
}

/** Types that this does not know take everything. */
function isOfType(type: string, value: PyValue): boolean {
  const isInt = typeof value === 'bigint';
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return isInt || (value instanceof PyFloat && Number.isInteger(value.value));
    case 'number':
      return isInt || value instanceof PyFloat;
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return isList(value);
    case 'object':
      return isDict(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function nounOf(value: PyValue): string {
  const nouns: Readonly<Record<string, string>> = {
    NoneType: 'null',
    bool: 'true or false',
    int: 'a whole number',
    float: 'a number',
    str: 'a string',
    list: 'an array',
    dict: 'an object',
  };
  return nouns[typeName(value)] ?? typeName(value);
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function shown(value: PyValue): string {
  return clip(dumpJson(value), 60);
}

function dictOf(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}
