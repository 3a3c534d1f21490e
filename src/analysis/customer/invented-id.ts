/**
 * Ids that the customer cannot know: neither the instruction nor anything said or looked up before has them.
 *
 * Looks at: words of the shapes that the pack's ids have, and at what is announced as an id ("my order number is …"),
 * upper or lower case, with and without `#`, hyphens and spaces.
 * Cannot see: ids spelt out in words, an id that is wrong for the purpose but was mentioned, and ids of fewer than five
 * characters.
 * Severity: suspect. A made-up id sends the agent to no record or to somebody else's. An id that only tools have answered
 * is a remark: the agent knew it, and may have said it in words that are not looked at.
 */

import type { CustomerFinding } from '../types.ts';
import { squash, type CustomerTurn } from './conversation.ts';
import { finding, type Detector } from './detector.ts';
import { truthIds } from './gave-solution.ts';
import { idShapesOf } from './id-shapes.ts';
import { saidIds } from './said-ids.ts';

/** Shorter ones are found in any text. */
const SHORTEST = 5;

export const findInventedIds: Detector = ({ data, episode, turns }) => {
  const shapes = idShapesOf(data.tables);
  const solution = truthIds(episode.task, shapes);
  const told = new Set<string>();
  return turns.flatMap((turn) =>
    saidIds(turn.text, shapes).flatMap((id): CustomerFinding[] => {
      const squashed = squash(id);
      if (squashed.length < SHORTEST || told.has(squashed) || isIn(turn.heard.squashed, squashed)) return [];
      told.add(squashed);
      // Told as the solution given away.
      if (solution.has(squashed)) return [];
      return [toFinding(turn, id, isIn(turn.onRecord.squashed, squashed), episode.isOrdered ?? true)];
    }),
  );
};

function isIn(known: string, id: string): boolean {
  return known.includes(id);
}

function toFinding(turn: CustomerTurn, id: string, wasAnswered: boolean, isOrdered: boolean): CustomerFinding {
  const then = isOrdered ? ' until then' : '';
  return wasAnswered
    ? finding('invented_id', 'remark', turn, `The customer names ${id}, which only tools had answered${then}.`)
    : finding(
        'invented_id',
        'suspect',
        turn,
        `The customer names ${id}, which is neither in the instruction nor in anything said or looked up before.`,
      );
}
