/** A model in the classifier's place (`intentRanker: 'llm'`): a call of its own for words that name no command. */

import { PyFloat, isDict, type PyValue } from '../../../../benchmark/python/index.ts';
import { askForText, UnreadableReply } from '../../prompt/ask.ts';
import { COMMANDS_TEXT } from '../../prompt/messages.ts';
import { signaturesFor } from '../../prompt/signatures.ts';
import type { Workshop } from '../../state.ts';
import type { RankedCommand } from '../types.ts';

/** @returns null when no reply could be read: the classifier has to do */
export async function askRanker({ session, options }: Workshop, utterance: string): Promise<RankedCommand[] | null> {
  const summary = `rank: ${utterance.replace(/\s+/g, ' ').trim()}`;
  try {
    const { objects } = await askForText(
      session,
      options,
      signaturesFor(options).rank,
      [
        ['commands', COMMANDS_TEXT],
        ['utterance', utterance],
      ],
      summary,
    );
    const confidences = objects.get('command_confidences');
    if (!isDict(confidences)) return null;
    return Array.from(confidences, ([name, value]) => ({ name, confidence: asConfidence(value) }));
  } catch (error) {
    if (error instanceof UnreadableReply) return null;
    throw error;
  }
}

/** Within 0 to 1; models also write `"0.9"` and `90`. What is no number counts as 0. */
function asConfidence(value: PyValue): number {
  const number =
    value instanceof PyFloat ? value.value : typeof value === 'bigint' || typeof value === 'string' ? Number(value) : 0;
  const share = number > 1 && number <= 100 ? number / 100 : number;
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
