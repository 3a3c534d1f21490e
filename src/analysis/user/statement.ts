/** Detects a simulated user that does not mention what its instruction contains: its task, or the ids in it. */

import type { UserFault } from '../types.ts';
import { isFarewell } from './role.ts';
import {
  findEmails,
  findIds,
  findIdShapes,
  isScripted,
  makeUserFault,
  splitIntoWords,
  squash,
  type Detector,
  type UserTurn,
} from './conversation.ts';

/** Words that occur in any such conversation, and words that describe users in instructions. */
const COMMON = new Set(
  (
    'about account actually after again agent also always another anything assist assistance assistant because ' +
    'been before being cannot chat check contact conversation could details difference different does doing done email else even ' +
    'every everything first good maybe okay from give have hello help here hope information instead item items just know like live ' +
    'make many more most much must name need never number only order orders other over please polite problem provide ' +
    'question really request right should some something sure than thank thanks that their them then there these ' +
    'they thing things think this those time today under understand using very want wants well were what when where ' +
    "which while will with without word words would your yours yourself you're you've you'd"
  ).split(' '),
);
const SHORTEST_WORD = 4;
/** Fewest words of its own that an instruction must have for the check. */
const LEAST_WORDS = 3;
/** Matches names that are not statements: a company's name, and the domain of an email address. */
const OTHERS_NAMES = /\b[A-Z][a-z]+ & [A-Z][a-z]+\b|@[\w.-]+/g;
/** Fewest turns of a conversation for the check, because a user needs time to state anything. */
const LEAST_TURNS = 4;

/**
 * Finds a task that was never stated, so that the agent had nothing to do.
 *
 * Checks: whether any turn has one of the instruction's own words (ids, names, items, wishes: numbers, and words of
 * four letters or more that are not common in such conversations). Cannot detect: a task that is stated so wrongly that
 * it is another one. Severity: suspect. A user with fewer than four turns had no time, and is not checked.
 */
export const findUnstatedTask: Detector = ({ episode, turns }) => {
  const spoken = turns.filter(({ text }) => text !== '' && !isFarewell(text));
  const last = spoken.at(-1);
  const own = new Set(splitIntoWords(episode.task.instruction.replace(OTHERS_NAMES, ' ')).filter(isOwn).map(stem));
  if (isScripted(episode) || last === undefined || spoken.length < LEAST_TURNS || own.size < LEAST_WORDS) return [];
  // An id may be written with other separators.
  const ids = [...own].filter((word) => /\d/.test(word)).map(squash);
  const isConveyed = spoken.some(({ text }) => {
    const squashed = squash(text);
    return splitIntoWords(text).some((word) => own.has(stem(word))) || ids.some((id) => squashed.includes(id));
  });
  if (isConveyed) return [];
  const sentence = `In ${String(spoken.length)} messages the user says nothing of its task: no id, name, item or wish of its instruction.`;
  return [makeUserFault('never_stated_task', 'suspect', last, sentence)];
};

function isOwn(word: string): boolean {
  return (word.length >= SHORTEST_WORD || /\d/.test(word)) && !COMMON.has(word);
}

/** Returns the beginning of a word, so that `returning` and `return`, `keyboards` and `keyboard` are equal. */
function stem(word: string): string {
  return word.length > 5 ? word.slice(0, 5) : word;
}

/** Repetitions of a sentence in one message that make a loop; also the smallest ratio of words to new words. */
const REPEATS = 3;
const SENTENCE_WORDS = 3;
/** Repetitions that make a loop of a sentence or line with fewer words. */
const SHORT_REPEATS = 5;
/** Fewest words of a last sentence that is cut off. */
const CUT_WORDS = 2;
const LOOP_WORDS = 30;
const NEW_SHARE = 1 / 3;

/**
 * Finds a message that repeats itself, as small models write it in a loop.
 *
 * Checks: a sentence or line of three words or more occurs three times in a message; a shorter one occurs five times;
 * or a message of thirty words or more repeats two thirds of its three-word sequences. The last sentence may be cut off.
 * Cannot detect: repetitions in other words. Severity: suspect.
 */
export const findRepetitions: Detector = ({ turns }) =>
  turns.flatMap((turn): UserFault[] => {
    const repeated = findRepeatedSentence(turn.text);
    if (repeated !== null) {
      const sentence = `One message of the user says the same ${String(repeated)} times.`;
      return [makeUserFault('repeated_itself', 'suspect', turn, sentence)];
    }
    if (!isLoop(splitIntoWords(turn.text))) return [];
    const sentence = 'One message of the user repeats the same sequences of words.';
    return [makeUserFault('repeated_itself', 'suspect', turn, sentence)];
  });

/** @returns the number of occurrences of the text's most frequent sentence; null if there are too few for a loop */
function findRepeatedSentence(text: string): number | null {
  const counts = new Map<string, number>();
  let last = '';
  for (const sentence of text.split(/[.!?\n]+/)) {
    const words = splitIntoWords(sentence);
    if (words.length === 0) continue;
    last = words.join(' ');
    counts.set(last, (counts.get(last) ?? 0) + 1);
  }
  const isCut = splitIntoWords(last).length >= CUT_WORDS;
  let most = 0;
  for (const [sentence, count] of counts) {
    const times = count + (isCut && sentence.startsWith(`${last} `) ? 1 : 0);
    if (times >= (splitIntoWords(sentence).length < SENTENCE_WORDS ? SHORT_REPEATS : REPEATS))
      most = Math.max(most, times);
  }
  return most === 0 ? null : most;
}

function isLoop(words: readonly string[]): boolean {
  if (words.length < LOOP_WORDS) return false;
  const triples = words.slice(2).map((word, at) => `${words[at] ?? ''} ${words[at + 1] ?? ''} ${word}`);
  return new Set(triples).size <= triples.length * NEW_SHARE;
}

const DENIAL =
  /\b(?:don't|do not|can't|cannot|didn't|no longer)(?: \w+){0,2} (?:have|know|remember|recall|find|got)(?: \w+){0,3} (user id|order (?:id|number)|reservation (?:id|number|code)|confirmation (?:id|number|code)|email|zip(?: code)?)\b/i;
/** Matches phrases of an instruction that requests the denial, or leaves it to the user. */
const MEANT =
  /\b(?:remember|recall|forgot|forgotten|lost|don't know|do not know|not want to|refuse|hide|reluctant|without)\b/i;

/**
 * Finds an id that the user has and denies having, so that the agent has to find another way.
 *
 * Checks: "I don't have / know / remember my order number" and similar sentences, if the instruction has such an id,
 * email address or zip code and does not mention forgetting. Cannot detect: an id that is withheld without a denial.
 * Severity: suspect; a remark if the user names it later.
 */
export const findDenials: Detector = ({ data, episode, turns }) => {
  const { instruction, userId } = episode.task;
  if (MEANT.test(instruction)) return [];
  const ids = findIds(instruction, findIdShapes(data.tables)).filter((id) => squash(id) !== squash(userId));
  const given = (what: string): readonly string[] => {
    if (what.startsWith('user')) return instruction.includes(userId) ? [userId] : [];
    if (what.startsWith('email')) return findEmails(instruction);
    if (what.startsWith('zip')) return instruction.match(/\b\d{5}\b/g) ?? [];
    return ids.filter((id) => isNear(instruction, id, what.split(' ')[0] ?? ''));
  };
  const denial = (turn: UserTurn, at: number): UserFault[] => {
    const what = DENIAL.exec(turn.text.replaceAll('’', "'"))?.[1]?.toLowerCase();
    const had = what === undefined ? [] : given(what);
    if (what === undefined || had.length === 0) return [];
    const isNamedLater = turns.slice(at).some(({ text }) => had.some((id) => squash(text).includes(squash(id))));
    const sentence = `The user denies having the ${what}, which its instruction has: ${had.join(', ')}.`;
    return [makeUserFault('denied_id', isNamedLater ? 'remark' : 'suspect', turn, sentence)];
  };
  return turns.flatMap(denial).slice(0, 1);
};

/** Number of characters before an id in which its kind may be named. */
const NEAR = 40;

function isNear(instruction: string, id: string, noun: string): boolean {
  const at = instruction.indexOf(id);
  const before = instruction.slice(Math.max(0, at - NEAR), at).toLowerCase();
  return before.includes(noun === 'confirmation' ? 'reservation' : noun) || before.includes(noun);
}
