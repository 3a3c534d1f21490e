/**
 * Matches a text with commands: by a full, abbreviated or mistyped name, and by ranking the commands for a text without
 * a name.
 *
 * Only the first token can be a name, so parameters are ignored. FastWorkflow compares the whole text and uses any one
 * of several matching names; here all of them are candidates.
 *
 * The ranking is lexical: it measures the share of the utterance that the command's words cover, and the similarity of
 * the utterance to the command's nearest phrase. Rare words weigh more than common ones (BM25's weights). It is used
 * for catalogues that are too large for training; all others use the trained classifier (`default-classifier.ts`).
 */

import { stemmer } from 'stemmer';
import type { Catalogue, CommandDefinition } from '../catalogue/definitions.ts';
import type { RankedCommand, HandledAnswer } from './types.ts';
import { scanTags } from './command-syntax.ts';
import leven from 'leven';

/** Weights of a command's words, by their source. */
const IN_NAME = 1;
const IN_UTTERANCES = 0.8;
const IN_DESCRIPTION = 0.5;
/** Weight of a word that no command has, relative to the rarest known word. It is low because small talk is common. */
const UNKNOWN = 0.4;
/** Most words of an utterance to compare with the words of all commands, because a reply may be long. */
const MAX_WORDS = 200;
/** Share of the nearest phrase's similarity in the confidence. */
const NEARNESS = 0.35;

/**
 * Ranks commands as an {@link IntentClassifier}. Confidences are from 0 to 1; a command's own name in another case has
 * 1.
 */
export function rankByWords(utterance: string, { commands }: Catalogue): readonly RankedCommand[] {
  const { known, rarityOf } = findIndex(commands);
  const unknown = UNKNOWN * idf(1, known.length);
  const total = (stems: readonly string[], weigh: (stem: string) => number = () => 1) =>
    stems.reduce((sum, stem) => sum + (rarityOf.get(stem) ?? unknown) * weigh(stem), 0);

  const said = stemWords(dropValues(utterance)).slice(0, MAX_WORDS);
  const all = total(said);
  if (all === 0) return sortRanking(known.map(({ name }) => ({ name, confidence: 0 })));
  return sortRanking(
    known.map(({ name, weights, phrases }) => {
      const accounted = total(said, (stem) => weights.get(stem) ?? 0) / all;
      const nearness = phrases.map((phrase) => {
        const shared = total(said.filter((stem) => phrase.includes(stem)));
        return (2 * shared) / (all + total(phrase));
      });
      return { name, confidence: (1 - NEARNESS) * accounted + NEARNESS * Math.max(0, ...nearness) };
    }),
  );
}

interface Index {
  readonly known: readonly KnownCommand[];
  readonly rarityOf: ReadonlyMap<string, number>;
}

/**
 * Indexes by catalogue. They are cached, because stemming all words of a catalogue takes longest, and a catalogue does
 * not change.
 */
const indexes = new WeakMap<Catalogue['commands'], Index>();

function findIndex(commands: Catalogue['commands']): Index {
  const made = indexes.get(commands);
  if (made !== undefined) return made;
  const known = commands.map(toKnown);
  const index = { known, rarityOf: rarities(known) };
  indexes.set(commands, index);
  return index;
}

interface KnownCommand {
  readonly name: string;
  /** Words of the command with their largest weights. */
  readonly weights: ReadonlyMap<string, number>;
  /** Name and utterances of the command, each as stems. */
  readonly phrases: readonly (readonly string[])[];
}

function toKnown({ name, utterances, description }: CommandDefinition): KnownCommand {
  const nameStems = stemWords(name);
  const spoken = utterances.map(stemWords);
  const weights = new Map<string, number>();
  for (const stem of stemWords(description)) weights.set(stem, IN_DESCRIPTION);
  for (const stem of spoken.flat()) weights.set(stem, IN_UTTERANCES);
  for (const stem of nameStems) weights.set(stem, IN_NAME);
  return { name, weights, phrases: [nameStems, ...spoken] };
}

/**
 * Weighs each word of the commands; rarer words weigh more. The rarity of a word in a name depends only on names,
 * because `delivered` distinguishes two commands from all others, however often descriptions contain it.
 */
function rarities(known: readonly KnownCommand[]): ReadonlyMap<string, number> {
  const anywhere = countWords(known.map(({ weights }) => [...weights.keys()]));
  const inNames = countWords(known.map(({ phrases: [name = []] }) => name));
  return new Map([...anywhere, ...inNames].map(([stem, having]) => [stem, idf(having, known.length)]));
}

function countWords(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stem of lists.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/**
 * Inverse document frequency, never 0, because a word that all commands have still shows that the text means one of
 * them.
 */
function idf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** Confidence from which the likeliest command is accepted. */
export const ACCEPT = 0.45;
/**
 * Smallest lead of the likeliest command over the next one. A clarification costs a call, the wrong command an episode.
 */
export const MARGIN = 0.1;
/** Least confidence of a candidate. */
export const FLOOR = 0.2;
/** Most candidates in a suggestion, as in FastWorkflow. */
export const SUGGESTIONS = 3;

export type MatchDecision =
  | { readonly kind: 'accepted'; readonly name: string }
  /** Names of possible commands, the likeliest first. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
  | { readonly kind: 'misunderstood' };

/** Decides which of all commands an utterance means. */
export function decideMatch(ranking: readonly RankedCommand[]): MatchDecision {
  const [first, second] = ranking;
  if (first === undefined || first.confidence < FLOOR) return { kind: 'misunderstood' };
  const lead = first.confidence - (second?.confidence ?? 0);
  if (first.confidence >= ACCEPT && lead >= MARGIN) return { kind: 'accepted', name: first.name };
  return { kind: 'ambiguous', candidates: suggestCommands(ranking) };
}

/** Returns the names of the candidates. */
export function suggestCommands(ranking: readonly RankedCommand[]): readonly string[] {
  const possible = ranking.filter(({ confidence }) => confidence > 0).slice(0, SUGGESTIONS);
  return possible.map(({ name }) => name);
}

/**
 * Decides which of several commands an utterance means. It means one of them, so only the lead over the next one
 * matters.
 */
export function decideAmong(names: readonly string[], ranking: readonly RankedCommand[]): MatchDecision {
  const findConfidence = (name: string) => ranking.find((ranked) => ranked.name === name)?.confidence ?? 0;
  const among = sortRanking(names.map((name) => ({ name, confidence: findConfidence(name) })));
  const [first, second] = among;
  if (first !== undefined && first.confidence - (second?.confidence ?? 0) >= MARGIN) {
    return { kind: 'accepted', name: first.name };
  }
  return { kind: 'ambiguous', candidates: among.map(({ name }) => name) };
}

/** Returns commands that are likely and much likelier than this one. */
export function clearlyAhead(name: string, ranking: readonly RankedCommand[]): readonly string[] {
  const own = ranking.find((ranked) => ranked.name === name)?.confidence ?? 0;
  return ranking
    .filter(({ confidence }) => confidence >= ACCEPT && confidence - own >= MARGIN)
    .slice(0, SUGGESTIONS - 1)
    .map((ranked) => ranked.name);
}

/** Sorts by likelihood, then by name, so that the same words always have the same result. */
export function sortRanking(ranking: readonly RankedCommand[]): readonly RankedCommand[] {
  return [...ranking].sort((a, b) => b.confidence - a.confidence || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Words without intent: question words, polite phrases, verbs that go with anything. */
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

/** Matches a word. A longer string is not a word, and would cost the stemmer time. */
const PLAIN_WORD = /^[\p{L}\p{M}]{1,40}$/u;

/** True for a word that never shows which command is meant, such as the `can` of `can you …`. */
function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/** Returns an utterance without tags and double-quoted texts, because their values do not show the intent. */
export function dropValues(utterance: string): string {
  let spoken = '';
  let at = 0;
  for (const { start, end } of scanTags(utterance)) {
    spoken += `${utterance.slice(at, start)} `;
    at = end;
  }
  return (spoken + utterance.slice(at)).replace(/"[^"]*"/g, ' ');
}

/** Returns the stems of a text's words in their order, each once, without numbers, ids and addresses. */
export function stemWords(text: string): readonly string[] {
  const tokens = text
    .toLowerCase()
    .replace(/['’]/g, '')
    .split(/\s+/)
    .filter((token) => !/[\d@#]/.test(token));
  const words = tokens.flatMap((token) => token.replace(/^(\p{L})-(?=\p{L})/u, '$1').split(/[^\p{L}\p{M}]+/u));
  const counted = words.filter((word) => PLAIN_WORD.test(word) && !STOP_WORDS.has(word));
  return [...new Set(counted.map((word) => stemmer(word)))];
}

/** Fewest letters of an abbreviation. */
const SHORTEST_PREFIX = 3;
/** Most edits per letter in a mistyped token. */
const FARTHEST = 0.3;

interface NameMatch {
  readonly tier: 'exact' | 'prefix' | 'fuzzy';
  /** Command names in the catalogue's order; several if their distances are equal. */
  readonly names: readonly string[];
}

/**
 * Finds the command names that a token may mean. @param token the command's first token, in lower case @returns null if
 * no name is near
 */
export function matchName({ commands, find }: Catalogue, token: string): NameMatch | null {
  const exact = find(token);
  if (exact !== undefined) return { tier: 'exact', names: [exact.name] };
  const names = commands.map((command) => command.name);
  // `can you …` is not the beginning of `cancel_…`.
  if (token.length >= SHORTEST_PREFIX && !isStopWord(token)) {
    const begun = names.filter((name) => name.toLowerCase().startsWith(token));
    if (begun.length > 0) return { tier: 'prefix', names: begun };
  }
  const near = findNearest(names, token);
  return near.length > 0 ? { tier: 'fuzzy', names: near } : null;
}

/** Returns the names of which a token may be a mistyped form: all names at the smallest distance. */
function findNearest(names: readonly string[], token: string): readonly string[] {
  const distances = names.map((name) => editDistance(token, name.toLowerCase(), FARTHEST));
  const least = Math.min(...distances);
  return least <= FARTHEST ? names.filter((_, i) => distances[i] === least) : [];
}

/**
 * Returns the edits (a letter added, left out or replaced) per letter of the longer text: 0 for equal texts, 1 for
 * texts without anything in common.
 *
 * @param most a distance above it is reported as 1
 */
export function editDistance(a: string, b: string, most = 1): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 0;
  // Different lengths alone can show a large distance. A token may be as long as a reply.
  if (Math.abs(a.length - b.length) / longer > most) return 1;
  const distance = leven(a, b) / longer;
  return distance > most ? 1 : distance;
}

/** Commands about commands, with the answers that the workflow gives without the environment. */
const ANSWERS: Readonly<Record<string, HandledAnswer>> = {
  what_can_i_do: { kind: 'catalogue' },
  intent_misunderstood: { kind: 'catalogue' },
  abort: { kind: 'text', text: 'command aborted' },
};
/** Matches names of the commands about commands. */
export const ANSWERED = new RegExp(`\\b(?:${Object.keys(ANSWERS).join('|')})\\b`, 'gi');

/** Matches questions for the command list, as words with `_` between them. */
const ASKS_FOR_COMMANDS =
  /^what_(?:can_(?:i|you)_(?:do|use)|are_(?:my|your)_(?:choices|commands|options|tools))(?:_here)?$/;

interface CoreAnswer {
  readonly name: string;
  readonly answer: HandledAnswer;
}

/**
 * Finds the answer to a core command, which is named exactly or asked in a question (`What can I do?`).
 * @returns null for any other text
 */
export function findCoreAnswer(text: string, token: string): CoreAnswer | null {
  const spoken = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  for (const name of [token, ASKS_FOR_COMMANDS.test(spoken) ? 'what_can_i_do' : spoken]) {
    const answer = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
    if (answer !== undefined) return { name, answer };
  }
  return null;
}
