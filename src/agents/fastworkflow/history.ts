/**
 * What later turns know of earlier ones.
 *
 * A turn in which something happened is summed up by the model; of any other the message and the answer are kept as
 * they are. Summaries are made when the next turn opens: an episode that ends needs none.
 */

import type { PromptPart } from '../port.ts';
import { askForText } from './prompt/ask.ts';
import { signaturesFor } from './prompt/signatures.ts';
import type { ActionRecord, AnsweredTurn, Workshop } from './state.ts';

/** Entries that go into a query. */
const WINDOW = 5;

/** The history entry of a turn, as `key: value` lines. */
export async function toHistoryEntry({ session, options }: Workshop, { turn, answer }: AnsweredTurn): Promise<string> {
  if (turn.records.length === 0) return `user_query: ${turn.message}\nagent_answer: ${answer}`;
  const { texts } = await askForText(session, options, signaturesFor(options).summary, [
    ['user_query', turn.query],
    ['workflow_actions', recordParts(turn.records)],
    ['final_agent_response', answer],
  ]);
  return `conversation summary: ${texts.get('conversation_summary') ?? ''}`;
}

/** A later turn's query. The customer's first words always stay in it: summaries may lose what they ask for. */
export function refineQuery(firstMessage: string, history: readonly string[], message: string): string {
  return [`first_user_query: ${firstMessage}`, ...history.slice(-WINDOW), `new_user_query: ${message}`].join('\n');
}

function recordParts(records: readonly ActionRecord[]): PromptPart[] {
  return records.map((record) =>
    record.kind === 'command'
      ? `command: ${record.command}\nresponse: ${record.response}\n\n`
      : `agent_query: ${record.question}\nuser_response: ${record.answer}\n\n`,
  );
}
