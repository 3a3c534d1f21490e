/** Words as the ranker compares them: letters only, in lower case, stemmed, without those that say nothing. */

import { stemmer } from 'stemmer';
import { scanTags } from '../parameters/tags.ts';

/** Words that carry no intent: question words, polite phrases, verbs that go with anything. */
const STOP_WORDS = new Set(
  (
    'a about after again all already also although am an and another any are as at be because been before being ' +
    'but by came can come comes could did do does done either else for from gave give given gives go goes going ' +
    'gone got had has have he hello her here hey hi him his how i id if in into is it its just keep kindly know ' +
    'known knows let like likes ll made make makes may me might more much must my need needs no now of ok okay ' +
    'on one only or our over please really s said say says see sees shall she should since so some such t take ' +
    'taken takes than thank thanks that the their them then there these they this those to too took tries try up ' +
    'us very want wanted wants was we went were what when where which while who whom whose why will wish with ' +
    'would yes yet you your'
  ).split(' '),
);

/** What is longer is no word; it would cost the stemmer time. */
const PLAIN_WORD = /^[\p{L}\p{M}]{1,40}$/u;

/** A word that never tells which command is meant, such as the `can` of `can you …`. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/** An utterance without what stands in tags or in double quotes: values tell nothing of the intent. */
export function spokenPart(utterance: string): string {
  let spoken = '';
  let at = 0;
  for (const { start, end } of scanTags(utterance)) {
    spoken += `${utterance.slice(at, start)} `;
    at = end;
  }
  return (spoken + utterance.slice(at)).replace(/"[^"]*"/g, ' ');
}

/** The stems of a text's words in their order, repeated ones once. Numbers, ids and addresses are left out. */
export function stemsOf(text: string): readonly string[] {
  const tokens = text
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/\s+/)
    .filter((token) => !/[\d@#]/.test(token));
  const words = tokens.flatMap((token) => token.replace(/^(\p{L})-(?=\p{L})/u, '$1').split(/[^\p{L}\p{M}]+/u));
  const telling = words.filter((word) => PLAIN_WORD.test(word) && !STOP_WORDS.has(word));
  return [...new Set(telling.map((word) => stemmer(word)))];
}
