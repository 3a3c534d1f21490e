/** The tools that every domain has, and records as tools write them. */

import { evaluate, nameOf, type Value } from './calculate/evaluate.ts';
import { parseExpression } from './calculate/syntax.ts';
import {
  formatFloat,
  intToFloat,
  iterate,
  roundFloat2,
  typeError,
  typeName,
  dumpJson,
  type PyDict,
  type PyValue,
} from './python/index.ts';
import { defineTool, type Tool } from './domain.ts';

export const calculate = defineTool(
  'calculate',
  ['expression'],
  (_store, { expression }) => calculation(expression) ?? 'Error: invalid characters in expression',
);

/**
 * The result of an expression, with two decimals.
 * @returns undefined for one with other characters than those of calculations
 * @throws PyError for what Python cannot compute
 */
export function calculation(expression: PyValue): string | undefined {
  for (const char of iterate(expression)) {
    if (typeof char !== 'string') {
      throw typeError(`'in <string>' requires string as left operand, not ${typeName(char)}`);
    }
    // Python looks for the element, not for a character: in a list it may be any run of the allowed ones.
    if (!'0123456789+-*/(). '.includes(char)) return undefined;
  }
  if (typeof expression !== 'string') throw typeError('eval() arg 1 must be a string, bytes or code object');
  return formatFloat(roundFloat2(toFloat(evaluate(parseExpression(expression)))));
}

/** `float(value)`. */
function toFloat(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return intToFloat(value);
  throw typeError(`float() argument must be a string or a real number, not '${nameOf(value)}'`);
}

/** `think`: a place for the agent's reasoning; it does nothing. */
export const think = defineTool('think', ['thought'], () => '');

/** `transfer_to_human_agents`: gives the case up; which tools end an episode is said by the pack. */
export const transferToHumanAgents = defineTool('transfer_to_human_agents', ['summary'], () => 'Transfer successful');

/** Records as agents read them. Stored records never change, so each is written once as long as it is in memory. */
const written = new WeakMap<PyDict, string>();

/** `json.dumps(record)` of a record that is, or was, in a store. */
export function recordJson(record: PyDict): string {
  let text = written.get(record);
  if (text === undefined) written.set(record, (text = dumpJson(record)));
  return text;
}

/** A tool that shows the whole record of an id. @param refusal of an id that has none */
export function detailsTool(name: string, parameter: string, table: string, refusal: string): Tool {
  return defineTool(name, [parameter], (store, { [parameter]: id = null }) => {
    const record = store.find(table, id);
    return record === undefined ? refusal : recordJson(record);
  });
}
