/**
 * The planner: a plan at the opening of a conversation, a new one whenever something came in since.
 *
 * A plan is only text beside the query; nothing is ticked off. Its line breaks are kept.
 */

import { hasCompat } from '../compat.ts';
import { askWithTrajectory } from '../prompts/trajectory.ts';
import { askForText, expectFields, type ReplyFields } from '../prompts/ask.ts';
import { signaturesFor } from '../prompts/signatures.ts';
import type { Turn, AgentContext } from '../context.ts';

/** @returns the query with the planned steps */
export async function planQuery(agent: AgentContext, query: string): Promise<string> {
  const { session, options } = agent;
  const fields = await askForText(session, options, signaturesFor(options).plan, [['user_query', query]], 'plan');
  return withNextSteps(agent, query, fields, '');
}

/** The reason for a new plan: an answer from the user, invalid parameters, or a new message. */
export type ReplanReason = 'answer' | 'parameter_error' | 'turn';

const REASONS: Readonly<Record<ReplanReason, string>> = {
  answer: "the customer's answer",
  parameter_error: 'parameters were missing or invalid',
  turn: 'a new message',
};

/**
 * Plans anew, so that finished steps are not planned again.
 * @param turn what the agent was given and has done
 * @param response what came in: an answer, an error text, or the next turn's query
 * @returns the response with the planned steps
 */
export async function replan(agent: AgentContext, turn: Turn, response: string, reason: ReplanReason): Promise<string> {
  agent.session.count(`replans_${reason}`);
  const signature = signaturesFor(agent.options).replan;
  const answer = await askWithTrajectory(
    agent,
    turn,
    signature,
    (trajectory) => [
      ['agent_inputs', `user_query: ${turn.plannedQuery}`],
      ['agent_trajectory', trajectory],
      ['user_response', response],
    ],
    `replan: ${REASONS[reason]}`,
  );
  return withNextSteps(agent, response, expectFields(signature, answer), 'User Query:\n');
}

function withNextSteps(
  { session, options }: AgentContext,
  query: string,
  { texts }: ReplyFields,
  heading: string,
): string {
  const written = texts.get('next_steps') ?? '';
  if (written.trim() === '') return query;
  session.tell({ what: 'plan', text: written });
  const steps = hasCompat(options, 'fastworkflow-flat-plan') ? written.trim().split(/\s+/).join(' ') : written;
  return `${heading}${query}\n\nExecute these next steps:\n${steps}`;
}
