/** FastWorkflow in a conversation whose every model reply is given. */

import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import type { SolveEnd } from '../../../src/agents/index.ts';
import { type Asked, type FakeSession, type FakeSessionSetup, fakeSession, OPTIONS } from '../fake-session.ts';

export const OPENING = 'Hi [case 7-0], please cancel my order.';
export const LOOK = 'get_order_details <order_id>#W1</order_id>';
export const CANCEL = 'cancel_pending_order <order_id>#W1</order_id> <reason>no longer needed</reason>';

export interface Solved {
  readonly session: FakeSession;
  readonly end: SolveEnd;
  /** The prompt of each call. */
  readonly prompts: readonly string[];
}

export async function solve(setup: FakeSessionSetup): Promise<Solved> {
  const strategy = setup.strategy ?? fastWorkflow;
  const session = fakeSession({ strategy, firstMessage: OPENING, ...setup });
  const end = await strategy.solve(session, setup.options ?? OPTIONS);
  return { session, end, prompts: session.asked.map(promptName) };
}

/** A prompt is known by the fields that its last line asks for. */
export function promptName(asked: Asked): string {
  const reminder = userText(asked).split('\n').at(-1) ?? '';
  if (reminder.includes('next_tool_name')) return 'react';
  if (reminder.includes('final_answer')) return 'extract';
  if (reminder.includes('conversation_summary')) return 'summary';
  if (reminder.includes('clarified_command')) return 'clarify';
  return userText(asked).includes('[[ ## agent_inputs ## ]]') ? 'replan' : 'plan';
}

export function userText(asked: Asked | undefined): string {
  return asked?.messages[1]?.content ?? '';
}

export function systemText(asked: Asked | undefined): string {
  return asked?.messages[0]?.content ?? '';
}

/** The observation of a cycle, as a prompt shows it; undefined where it shows none. */
export function observation(asked: Asked | undefined, cycle: number): string | undefined {
  const heading = `[[ ## observation_${cycle} ## ]]\n`;
  const [, text] = userText(asked).split(heading);
  return text?.split('\n\n[[ ## ')[0];
}

/** The numbers of the cycles that a prompt shows. */
export function shownCycles(asked: Asked | undefined): number[] {
  return [...userText(asked).matchAll(/\[\[ ## observation_(\d+) ## ]]/g)].map(([, index]) => Number(index));
}
