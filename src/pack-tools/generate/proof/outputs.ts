/** Whether an agent can know what it has to tell. */

import { RESPOND, areOutputsWords, type Overlay } from '../../../benchmark/index.ts';
import type { Output } from '../tasks/plot.ts';
import type { Fault } from './claim.ts';

/**
 * That each output is the one answer to its question or, where no question is on record, stands in an observation as
 * a word or number of its own.
 */
export function unknowable(outputs: readonly Output[], store: Overlay, observations: readonly string[]): Fault[] {
  return outputs.flatMap(({ text, answers }): Fault[] => {
    if (answers === undefined) return isSeen(text, observations) ? [] : [`nothing that the agent sees says ${text}`];
    const all = answers(store);
    if (all.length === 1 && all[0] === text) return [];
    return [`${text} is not the one answer: ${all.length === 0 ? 'there is none' : all.slice(0, 3).join(', ')}`];
  });
}

/** A whole amount is shown as a float: `38.0` is how the agent gets to know of 38. */
function isSeen(text: string, observations: readonly string[]): boolean {
  const spellings = /^\d+$/.test(text) ? [text, `${text}.0`] : [text];
  return observations.some((content) =>
    spellings.some((spelling) =>
      areOutputsWords([spelling], [{ name: RESPOND, kwargs: new Map([['content', content]]) }]),
    ),
  );
}
