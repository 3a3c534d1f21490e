/** The tools of an environment, as far as a catalogue has to agree with them. */

import { parseJson, isDict, isList } from '../../../src/benchmarks/python/index.ts';

export interface ToolArguments {
  readonly name: string;
  /** Each argument with its allowed values, or null, in the tool's order. */
  readonly parameters: unknown[];
}

/** @param text of a `tools.json` */
export function toolsIn(text: string): ToolArguments[] {
  const tools = parseJson(text);
  return (isList(tools) ? tools : []).map((tool) => {
    const definition = isDict(tool) ? tool.get('function') : undefined;
    const name = isDict(definition) ? definition.get('name') : undefined;
    const schema = isDict(definition) ? definition.get('parameters') : undefined;
    const properties = isDict(schema) ? schema.get('properties') : undefined;
    if (typeof name !== 'string' || !isDict(properties)) throw new Error('tools.json has another form');
    return {
      name,
      parameters: Array.from(properties, ([key, of]) => [key, isDict(of) ? (of.get('enum') ?? null) : null]),
    };
  });
}
