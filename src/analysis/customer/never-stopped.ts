/**
 * Conversations that the customer does not let end: goodbye after goodbye, or the same sentence again and again.
 *
 * Looks at: turns at the end that say nothing but thanks and goodbye without the stop marker, and turns equal but for
 * punctuation. Consent may be repeated: it is the agent who asks.
 * Cannot see: a conversation that goes in circles in ever new words.
 * Severity: suspect where the episode then ran out of steps, which is the only outcome looked at, and only here: the
 * same turns without that did no harm and are a remark.
 */

import type { CustomerFinding } from '../types.ts';
import { squash, wordsOf, type CustomerTurn } from './conversation.ts';
import { finding, type Detector } from './detector.ts';
import { isConsent, isFarewell } from './small-talk.ts';

const FAREWELLS = 3;
const REPEATS = 3;
const REPEATED_WORDS = 4;

export const findNoStop: Detector = ({ episode, turns }) => {
  const ranOut = episode.outcome === 'max_steps';
  return [...findGoodbyes(turns, ranOut), ...findRepeats(turns, ranOut)];
};

function findGoodbyes(turns: readonly CustomerTurn[], ranOut: boolean): CustomerFinding[] {
  const spoken = turns.filter(({ stops }) => !stops);
  const other = spoken.findLastIndex(({ text }) => !isFarewell(text));
  const goodbyes = spoken.slice(other + 1);
  const first = goodbyes[0];
  if (first === undefined || goodbyes.length < FAREWELLS) return [];
  const sentence = `The customer says goodbye ${String(goodbyes.length)} times without ending the conversation.`;
  return [finding('never_stopped', ranOut ? 'suspect' : 'remark', first, sentence)];
}

function findRepeats(turns: readonly CustomerTurn[], ranOut: boolean): CustomerFinding[] {
  const said = new Map<string, CustomerTurn[]>();
  for (const turn of turns) {
    if (wordsOf(turn.text).length < REPEATED_WORDS || isConsent(turn.text) || isFarewell(turn.text)) continue;
    const key = squash(turn.text);
    said.set(key, [...(said.get(key) ?? []), turn]);
  }
  return Array.from(said.values()).flatMap((same): CustomerFinding[] => {
    const first = same[0];
    if (first === undefined || same.length < REPEATS) return [];
    const severity = ranOut && same.at(-1) === turns.at(-1) ? 'suspect' : 'remark';
    return [finding('never_stopped', severity, first, `The customer says the same ${String(same.length)} times.`)];
  });
}
