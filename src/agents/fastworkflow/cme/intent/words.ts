/** Words as the ranker compares them: letters only, in lower case, stemmed, without those that say nothing. */

import { stemmer } from 'stemmer';

/** Words that carry no intent; question words and polite phrases among them. */
const STOP_WORDS = new Set(
  (
    'a about am an and any are as at be been being but by can could did do does done either else for from had has have ' +
    'he hello help her here hey hi him his how i id if in into is it its just kindly let like ll may me might more ' +
    'much must my need no not now of off on one only or our out over please really s shall she should so some such t ' +
    'than thank thanks that the their them then there these they this those to too up us very want wants was we were ' +
    'what when where which while who whom whose why will wish with would yes yet you your'
  ).split(' '),
);

/** A word that never tells which command is meant, such as the `can` of `can you …`. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/** What is longer is no word; it would cost the stemmer time. */
const PLAIN_WORD = /^[\p{L}\p{M}]{1,40}$/u;

/** The stems of a text's words in their order, repeated ones once. Numbers and ids are left out. */
export function stemsOf(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{M}\p{N}#@.]+/gu) ?? [];
  const plain = words.map((word) => word.replace(/^[.]+|[.]+$/g, '')).filter((word) => PLAIN_WORD.test(word));
  return [...new Set(plain.filter((word) => !STOP_WORDS.has(word)).map((word) => stemmer(word)))];
}
