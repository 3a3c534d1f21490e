/** One message of the customer, from the plan to the answer. */

import type { SolveEnd } from '../port.ts';
import { hasCompat } from './compat.ts';
import { extractAnswer } from './extract.ts';
import { refineQuery, toHistoryEntry } from './history.ts';
import { planQuery, replan } from './planner.ts';
import { UnreadableReply } from './prompt/ask.ts';
import { work } from './react.ts';
import type { AnsweredTurn, Loop, Turn } from './state.ts';

/** The customer's opening. */
export async function openFirstTurn(loop: Loop): Promise<Turn> {
  loop.session.count('turns');
  const query = loop.session.firstMessage;
  return newTurn(query, query, await planQuery(loop, query));
}

/**
 * What the customer says to an answer opens a turn of its own, planned in the light of the one before.
 * @param history entries of the earlier turns; the previous turn's is added
 */
export async function openNextTurn(
  loop: Loop,
  history: string[],
  previous: AnsweredTurn,
  message: string,
): Promise<Turn> {
  const query = await queryAfter(loop, history, previous, message);
  return newTurn(message, query, await replan(loop, previous.turn, query, 'turn'));
}

/**
 * The query of a turn that is not the first.
 * @param history as {@link openNextTurn} has it
 */
export async function queryAfter(
  loop: Loop,
  history: string[],
  previous: AnsweredTurn,
  message: string,
): Promise<string> {
  loop.session.count('turns');
  history.push(await toHistoryEntry(loop, previous, history.length + 1));
  return refineQuery(loop.session.firstMessage, history, message);
}

type Ended = { readonly kind: 'ended'; readonly end: SolveEnd };

/** Works on a turn and tells the customer what came of it. */
export async function serveTurn(
  loop: Loop,
  turn: Turn,
): Promise<{ readonly kind: 'replied'; readonly answered: AnsweredTurn; readonly reply: string } | Ended> {
  const worked = await withRestart(loop, turn, () => workToAnswer(loop, turn));
  if (worked.kind === 'ended') return worked;
  const acted = await loop.bridge.say(worked.answer);
  if (acted.kind === 'ended') return acted;
  return { kind: 'replied', answered: { turn, answer: worked.answer }, reply: acted.text };
}

async function workToAnswer(
  loop: Loop,
  turn: Turn,
): Promise<{ readonly kind: 'answered'; readonly answer: string } | Ended> {
  const worked = await work(loop, turn);
  if (worked.kind === 'ended') return worked;
  if (loop.options.decisionOnly === true) return { kind: 'ended', end: 'decided' };
  return { kind: 'answered', answer: await extractAnswer(loop, turn) };
}

/** FastWorkflow starts an agent call that led to an unreadable reply once more: commands that ran run again. */
async function withRestart<T>({ session, options }: Loop, turn: Turn, agentCall: () => Promise<T>): Promise<T> {
  try {
    return await agentCall();
  } catch (error) {
    if (!(error instanceof UnreadableReply) || !hasCompat(options, 'fastworkflow-restart')) throw error;
    session.count('restarts');
    session.tell({ what: 'note', text: 'A reply could not be read: the turn starts again, commands included.' });
    turn.cycles.length = 0;
    turn.shownFrom = 0;
    return await agentCall();
  }
}

export function newTurn(message: string, query: string, plannedQuery: string): Turn {
  return { message, query, plannedQuery, cycles: [], records: [] };
}
