/** A pack's tools, as far as a script must know them. */

import { isDict, isList, type PyDict, type PyValue } from '../benchmark/python/index.ts';
import { RESPOND } from '../benchmark/index.ts';
import type { Pack } from '../packs/index.ts';

export interface ToolShape {
  readonly name: string;
  /** In the tool's order of arguments. */
  readonly required: readonly string[];
  readonly properties: PyDict;
}

const EMPTY: PyDict = new Map<string, PyValue>();

/** Of all tools that a pack offers to a model. */
export function toolShapes(pack: Pack): ToolShape[] {
  return pack.tools.flatMap((tool): ToolShape[] => {
    const described = schemaField(tool, 'function');
    const name = schemaField(described, 'name');
    const parameters = schemaField(described, 'parameters');
    const required = schemaField(parameters, 'required');
    const properties = schemaField(parameters, 'properties');
    if (typeof name !== 'string' || name === RESPOND) return [];
    return [
      {
        name,
        required: isList(required) ? required.filter((key) => typeof key === 'string') : [],
        properties: isDict(properties) ? properties : EMPTY,
      },
    ];
  });
}

/** The part of a schema under a key. */
export function schemaField(value: PyValue | undefined, key: string): PyValue | undefined {
  return isDict(value) ? value.get(key) : undefined;
}
