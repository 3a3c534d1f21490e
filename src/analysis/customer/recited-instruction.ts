/**
 * The instruction, repeated: the prompt forbids it ("Do not repeat the exact instruction in the conversation").
 *
 * Looks at: the longest run of words that a turn has in common with the instruction, to the letter but for case and
 * punctuation. What the instruction itself puts in quotation marks is for saying, and does not count.
 * Cannot see: an instruction told in other words.
 * Severity: suspect where a run of ten words or more still speaks of the customer as "you", or where a turn has most of
 * the instruction; a remark for other runs of twenty words or more. A task that has been read out is easier, and another.
 */

import type { CustomerFinding } from '../types.ts';
import { wordsOf } from './conversation.ts';
import { finding, type Detector } from './detector.ts';

const SECOND_PERSON_RUN = 10;
const LONG_RUN = 20;
/** Of the instruction's words; below {@link LONG_RUN} words an instruction can hardly be said otherwise. */
const MOST = 0.7;

const SECOND_PERSON = /^(?:you|your|yours|yourself|you're|you've|you'd|you'll)$/;

export const findRecitals: Detector = ({ episode, turns }) => {
  const instruction = wordsOf(withoutQuoted(episode.task.instruction));
  return turns.flatMap((turn): CustomerFinding[] => {
    const run = longestCommonRun(instruction, wordsOf(turn.text));
    const words = run.length;
    const count = `${String(words)} words`;
    if (words >= SECOND_PERSON_RUN && run.some((word) => SECOND_PERSON.test(word))) {
      const sentence = `The customer repeats ${count} of its instruction that speak to it: "${run.join(' ')}".`;
      return [finding('recited_instruction', 'suspect', turn, sentence)];
    }
    if (words < LONG_RUN) return [];
    const severity = words >= instruction.length * MOST ? 'suspect' : 'remark';
    return [finding('recited_instruction', severity, turn, `The customer repeats ${count} of its instruction.`)];
  });
};

/** A straight single quote opens where a word begins and closes where one ends; elsewhere it is an apostrophe. */
function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|“[^“”]*”|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^'](?:[^']|'(?=\p{L}))*'(?!\p{L})/gu, ' … ');
}

/** The first of the longest, by its place in `one`. Each word of `other` costs as often as `one` has it. */
function longestCommonRun(one: readonly string[], other: readonly string[]): readonly string[] {
  const places = new Map<string, number[]>();
  for (const [at, word] of one.entries()) places.set(word, [...(places.get(word) ?? []), at]);
  let best = 0;
  let end = 0;
  // By place in `one`: the length of the run that ends there, and at the word of `other` that was read last.
  let previous: ReadonlyMap<number, number> = new Map();
  for (const word of other) {
    const runs = new Map<number, number>();
    for (const at of places.get(word) ?? []) {
      const length = (previous.get(at - 1) ?? 0) + 1;
      runs.set(at, length);
      if (length > best || (length === best && at + 1 < end)) [best, end] = [length, at + 1];
    }
    previous = runs;
  }
  return one.slice(end - best, end);
}
