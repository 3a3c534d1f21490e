/**
 * The solution, given unasked: a tool's name, or an id of the ground truth that neither the instruction has nor the
 * agent has said.
 *
 * Looks at: the names of the domain's tools that are more than one word (`think` is a word as well), and the ids among
 * the arguments of the ground truth.
 * Cannot see: that a customer chooses rightly among what it was offered, or describes the right choice in words.
 * Severity: suspect. An agent that is told what to call has not been tested.
 */

import { getDomain, type Task } from '../../benchmark/index.ts';
import type { CustomerFinding } from '../types.ts';
import { squash } from './conversation.ts';
import { finding, type Detector } from './detector.ts';
import { idShapesOf, type IdShapes } from './id-shapes.ts';
import { saidIds } from './said-ids.ts';
import { textsIn } from './texts.ts';

export const findGivenSolution: Detector = ({ data, episode, turns }) => {
  const shapes = idShapesOf(data.tables);
  const solution = truthIds(episode.task, shapes);
  const tools = Array.from(getDomain(data.domain).tools.keys()).filter((name) => name.includes('_'));
  const told = new Set<string>();
  return turns.flatMap((turn) => {
    const { text, heard } = turn;
    const lower = text.toLowerCase();
    const named = tools.filter((name) => lower.includes(name));
    const heardBefore = named.length === 0 ? '' : heard.raw.toLowerCase();
    const names = named.filter((name) => !heardBefore.includes(name));
    const ids = saidIds(text, shapes).filter((id) => {
      const squashed = squash(id);
      return solution.has(squashed) && !heard.squashed.includes(squashed);
    });
    return [...names.map((name) => [name, `the tool ${name}`]), ...ids.map((id) => [squash(id), id])].flatMap(
      ([key = '', what = '']): CustomerFinding[] => {
        if (told.has(key)) return [];
        told.add(key);
        const sentence = `The customer names ${what}, which is part of the solution and had not been mentioned.`;
        return [finding('gave_solution', 'suspect', turn, sentence)];
      },
    );
  });
};

/** The ids that the ground truth's calls are made with, squashed. */
export function truthIds({ actions }: Task, shapes: IdShapes): ReadonlySet<string> {
  const texts = actions.flatMap(({ kwargs }) => textsIn(kwargs));
  return new Set(texts.filter((text) => shapes.isIdLike(text, true)).map(squash));
}
