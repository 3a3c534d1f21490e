/**
 * What later turns know of earlier ones.
 *
 * A turn in which something happened is summed up by the model; of any other the message and the answer are kept as
 * they are. Summaries are made when the next turn opens: an episode that ends needs none.
 */

import type { PromptPart } from '../port.ts';
import { hasCompat } from './compat.ts';
import { askShortened } from './overflow.ts';
import { askForText } from './prompt/ask.ts';
import { signaturesFor } from './prompt/signatures.ts';
import type { ActionRecord, AnsweredTurn, Workshop } from './state.ts';

/** Entries that go into a query. */
const WINDOW = 5;

/**
 * The history entry of a turn, as `key: value` lines.
 * @param number the turn's, from 1
 */
export async function toHistoryEntry(shop: Workshop, answered: AnsweredTurn, number: number): Promise<string> {
  const { turn, answer } = answered;
  if (turn.records.length > 0) return `conversation summary: ${await summarise(shop, answered, number)}`;
  return hasCompat(shop.options, 'fastworkflow-forgotten-answers')
    ? `conversation summary: ${turn.message}`
    : `user_query: ${turn.message}\nagent_answer: ${answer}`;
}

/** A later turn's query. The customer's first words always stay in it: summaries may lose what they ask for. */
export function refineQuery(firstMessage: string, history: readonly string[], message: string): string {
  return [`first_user_query: ${firstMessage}`, ...history.slice(-WINDOW), `new_user_query: ${message}`].join('\n');
}

async function summarise(
  { session, options }: Workshop,
  { turn, answer }: AnsweredTurn,
  number: number,
): Promise<string> {
  const shown = { length: turn.records.length, from: 0, count: 'summary_truncations' };
  const { texts } = await askShortened(session, shown, (from) =>
    askForText(
      session,
      options,
      signaturesFor(options).summary,
      [
        ['user_query', turn.query],
        ['workflow_actions', recordParts(turn.records.slice(from))],
        ['final_agent_response', answer],
      ],
      `summarise turn ${number}`,
    ),
  );
  return texts.get('conversation_summary') ?? '';
}

function recordParts(records: readonly ActionRecord[]): PromptPart[] {
  return records.map((record) =>
    record.kind === 'command'
      ? `command: ${record.command}\nresponse: ${record.response}\n\n`
      : `agent_query: ${record.question}\nuser_response: ${record.answer}\n\n`,
  );
}
