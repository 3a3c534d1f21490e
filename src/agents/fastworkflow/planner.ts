/**
 * The planner: a plan at the opening of a conversation, a new one whenever something came in since.
 *
 * A plan is only text beside the query; nothing is ticked off. Its line breaks are kept.
 */

import { askForText } from './prompt/ask.ts';
import { signaturesFor } from './prompt/signatures.ts';
import type { Turn, Workshop } from './state.ts';
import { trajectoryParts } from './trajectory.ts';

/** @returns the query with the planned steps */
export async function planQuery({ session, options }: Workshop, query: string): Promise<string> {
  const { texts } = await askForText(session, options, signaturesFor(options).plan, [['user_query', query]]);
  return withNextSteps(query, texts.get('next_steps') ?? '', '');
}

/**
 * Plans anew, so that finished steps are not planned again.
 * @param turn what the agent was given and has done
 * @param response what came in: an answer, an error text, or the next turn's query
 * @returns the response with the planned steps
 */
export async function replan({ session, options }: Workshop, turn: Turn, response: string): Promise<string> {
  const { texts } = await askForText(session, options, signaturesFor(options).replan, [
    ['agent_inputs', `user_query: ${turn.plannedQuery}`],
    ['agent_trajectory', trajectoryParts(turn.cycles)],
    ['user_response', response],
  ]);
  return withNextSteps(response, texts.get('next_steps') ?? '', 'User Query:\n');
}

function withNextSteps(query: string, steps: string, heading: string): string {
  return steps === '' ? query : `${heading}${query}\n\nExecute these next steps:\n${steps}`;
}
