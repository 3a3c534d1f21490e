/** One message of the customer, from the plan to the answer. */

import type { SolveEnd } from '../port.ts';
import { extractAnswer } from './extract.ts';
import { refineQuery, toHistoryEntry } from './history.ts';
import { planQuery, replan } from './planner.ts';
import { work } from './react.ts';
import type { AnsweredTurn, Turn, Workshop } from './state.ts';

/** The customer's opening. */
export async function openFirstTurn(shop: Workshop): Promise<Turn> {
  const query = shop.session.firstMessage;
  return newTurn(query, query, await planQuery(shop, query));
}

/**
 * What the customer says to an answer opens a turn of its own, planned in the light of the one before.
 * @param history entries of the earlier turns; the previous turn's is added
 */
export async function openNextTurn(
  shop: Workshop,
  history: string[],
  previous: AnsweredTurn,
  message: string,
): Promise<Turn> {
  history.push(await toHistoryEntry(shop, previous));
  const query = refineQuery(shop.session.firstMessage, history, message);
  return newTurn(message, query, await replan(shop, previous.turn, query));
}

/** Works on a turn and tells the customer what came of it. */
export async function serveTurn(
  shop: Workshop,
  turn: Turn,
): Promise<
  | { readonly kind: 'replied'; readonly answered: AnsweredTurn; readonly reply: string }
  | { readonly kind: 'ended'; readonly end: SolveEnd }
> {
  const worked = await work(shop, turn);
  if (worked.kind === 'ended') return worked;
  const answer = await extractAnswer(shop, turn);
  const acted = await shop.bridge.say(answer);
  if (acted.kind === 'ended') return acted;
  return { kind: 'replied', answered: { turn, answer }, reply: acted.text };
}

function newTurn(message: string, query: string, plannedQuery: string): Turn {
  return { message, query, plannedQuery, cycles: [], records: [] };
}
