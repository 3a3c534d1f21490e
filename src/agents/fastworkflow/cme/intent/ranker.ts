/**
 * The default classifier: compares an utterance with what is known of each command by the words they share.
 *
 * FastWorkflow has a trained model in this place. It cannot be shipped or trained here, so its work is done by
 * similarity, in two parts: how much of what the utterance says the command's words account for, wherever they stand,
 * and how near it is to the nearest single thing that people say for the command. Rare words tell more than common ones
 * (the weights of BM25).
 */

import type { Catalogue, CommandDefinition } from '../../catalogue/types.ts';
import type { RankedCommand } from '../types.ts';
import { sortRanking } from './thresholds.ts';
import { spokenPart, stemsOf } from './words.ts';

/** How much a word of a command tells, by where it stands. */
const IN_NAME = 1;
const IN_UTTERANCES = 0.8;
const IN_DESCRIPTION = 0.5;
/** What a word that no command has counts, beside the rarest word that one has: talk around a request is common. */
const UNKNOWN = 0.4;
/** Words of an utterance that count: each is compared with all words of all commands, and a reply may be long. */
const MAX_WORDS = 200;
/** The share of the nearest phrase in the confidence. */
const NEARNESS = 0.35;

/** An {@link IntentClassifier}. Confidences are from 0 to 1, where 1 is the command's own name in other letters. */
export function rankByWords(utterance: string, { commands }: Catalogue): readonly RankedCommand[] {
  const { known, rarityOf } = indexOf(commands);
  const unknown = UNKNOWN * idf(1, known.length);
  const total = (stems: readonly string[], weightOf: (stem: string) => number = () => 1) =>
    stems.reduce((sum, stem) => sum + (rarityOf.get(stem) ?? unknown) * weightOf(stem), 0);

  const said = stemsOf(spokenPart(utterance)).slice(0, MAX_WORDS);
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

/** Stemming all words of a catalogue takes longer than everything else, and a catalogue does not change. */
const indexes = new WeakMap<Catalogue['commands'], Index>();

function indexOf(commands: Catalogue['commands']): Index {
  const made = indexes.get(commands);
  if (made !== undefined) return made;
  const known = commands.map(toKnown);
  const index = { known, rarityOf: rarities(known) };
  indexes.set(commands, index);
  return index;
}

interface KnownCommand {
  readonly name: string;
  /** Its words; of several places the most telling one counts. */
  readonly weights: ReadonlyMap<string, number>;
  /** Its name and its utterances, each as stems. */
  readonly phrases: readonly (readonly string[])[];
}

function toKnown({ name, utterances, description }: CommandDefinition): KnownCommand {
  const nameStems = stemsOf(name);
  const spoken = utterances.map(stemsOf);
  const weights = new Map<string, number>();
  for (const stem of stemsOf(description)) weights.set(stem, IN_DESCRIPTION);
  for (const stem of spoken.flat()) weights.set(stem, IN_UTTERANCES);
  for (const stem of nameStems) weights.set(stem, IN_NAME);
  return { name, weights, phrases: [nameStems, ...spoken] };
}

/**
 * How much each word of the commands tells: the fewer have it, the more. A word of names is counted in names only:
 * `delivered` sets two commands apart from all others, however often it is said.
 */
function rarities(known: readonly KnownCommand[]): ReadonlyMap<string, number> {
  const anywhere = countWords(known.map(({ weights }) => [...weights.keys()]));
  const inNames = countWords(known.map(({ phrases: [name = []] }) => name));
  return new Map([...anywhere, ...inNames].map(([stem, having]) => [stem, idf(having, known.length)]));
}

/** In how many of the lists each word is. */
function countWords(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const stem of lists.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/** Never 0: a word that all commands have still says that one of them is meant. */
function idf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
