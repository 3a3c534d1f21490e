/**
 * Parameters that are lists of objects: the keys of each object, as they are told in advance and as they are checked.
 *
 * The tools store these objects as they are, so a key too many, or a number written as a text, would stay in the
 * data for good.
 */

import { PyFloat, isDict, isList, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';
import type { FieldDefinition } from '../types.ts';

export interface ObjectKey {
  readonly name: string;
  /** What its value is, as it reads after `must be`. */
  readonly form: string;
  readonly isValid: (value: PyValue) => boolean;
}

export interface ObjectForm {
  /** Keys that every object has, in the tool's order. */
  readonly keys: readonly ObjectKey[];
  /** Further keys that do no harm, because the tool fills them in itself. */
  readonly ignored?: readonly string[];
}

/** A field that takes a list of such objects. */
export function objectList(
  field: Pick<FieldDefinition, 'name' | 'description' | 'examples' | 'availableFrom'>,
  { keys }: ObjectForm,
): FieldDefinition {
  const told = keys.map(({ name, form }) => `"${name}" (${form})`);
  const description = `${field.description}; a JSON list of objects, each with exactly the keys ${listed(told)}`;
  return { ...field, description, type: 'json', required: true };
}

/** One sentence for each thing that is wrong with the parameter; none for a parameter that is not there. */
export function objectListProblems(parameters: PyDict, name: string, { keys, ignored = [] }: ObjectForm): string[] {
  const list = parameters.get(name);
  if (list === undefined) return [];
  const names = keys.map((key) => key.name);
  if (!isList(list)) return [`${name} must be a list: put [ and ] around its objects.`];
  return list.flatMap((item, at) => {
    const where = `item ${String(at + 1)} of ${name}`;
    if (!isDict(item)) return [`There must be an object with the keys ${listed(names)} in ${where}.`];
    const unknown = [...item.keys()].filter((key) => !names.includes(key) && !ignored.includes(key));
    return [
      ...keys.flatMap((key) => keyProblems(key, item.get(key.name), where)),
      ...unknown.map((key) => `In ${where}, ${key} is none of the keys ${listed(names)}: leave it out.`),
    ];
  });
}

function keyProblems({ name, form, isValid }: ObjectKey, value: PyValue | undefined, where: string): string[] {
  if (value === undefined) return [`In ${where}, ${name} is missing: it must be ${form}.`];
  return isValid(value) ? [] : [`In ${where}, ${name} must be ${form}.`];
}

/** A key whose value is a text of a pattern (flag `u`). */
export function textKey(name: string, form: string, pattern: string): ObjectKey {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return { name, form, isValid: (value) => typeof value === 'string' && whole.test(value) };
}

/** A key whose value is a number: an int or a float, which the benchmark's hash tells apart. */
export function numberKey(name: string, form: string): ObjectKey {
  return { name, form, isValid: (value) => typeof value === 'bigint' || value instanceof PyFloat };
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${String(parts.at(-1))}`;
}
