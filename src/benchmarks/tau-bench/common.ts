/** The tools that every domain has, and JSON of records. */

import { calculation } from '../calculate/calculation.ts';
import { defineTool, type Tool } from '../domain.ts';
import { dumpJson, type PyDict } from '../python/index.ts';

export const calculate = defineTool(
  'calculate',
  ['expression'],
  (_store, { expression }) => calculation(expression) ?? 'Error: invalid characters in expression',
);

/** `think`: takes the agent's reasoning and does nothing. */
export const think = defineTool('think', ['thought'], () => '');

/** `transfer_to_human_agents`: transfers the user to a human. The pack lists the tools that end an episode. */
export const transferToHumanAgents = defineTool('transfer_to_human_agents', ['summary'], () => 'Transfer successful');

/** JSON texts of records for agents. Stored records never change, so each is formatted once. */
const written = new WeakMap<PyDict, string>();

/** `json.dumps(record)` of a record that is or was in a store. */
export function recordJson(record: PyDict): string {
  let text = written.get(record);
  if (text === undefined) written.set(record, (text = dumpJson(record)));
  return text;
}

/** Makes a tool that shows the whole record of an id. @param refusal observation for an id without a record */
export function detailsTool(name: string, parameter: string, table: string, refusal: string): Tool {
  return defineTool(name, [parameter], (store, { [parameter]: id = null }) => {
    const record = store.find(table, id);
    return record === undefined ? refusal : recordJson(record);
  });
}
