/**
 * The default classifier: compares an utterance with what is known of each command by the words they share.
 *
 * FastWorkflow has a trained model in this place. It cannot be shipped or trained here, so its work is done by
 * similarity: a command's name, its utterances and its description are its words, rare words tell more than common
 * ones (the weights of BM25), and confidence is the share of what the utterance says that the command's words
 * account for.
 */

import type { Catalogue, CommandDefinition } from '../../catalogue/types.ts';
import type { RankedCommand } from '../types.ts';
import { sortRanking } from './thresholds.ts';
import { stemsOf } from './words.ts';

/** How much a word of a command tells, by where it stands. */
const IN_NAME = 1;
const IN_UTTERANCES = 0.9;
const IN_DESCRIPTION = 0.5;
/** What a word that no command has counts, beside the rarest word that one has: talk around a request is common. */
const UNKNOWN = 0.4;

/** An {@link IntentClassifier}. Confidences are shares; 1 for an utterance that says nothing but the command's name. */
export function rankByWords(utterance: string, { commands }: Catalogue): readonly RankedCommand[] {
  const known = commands.map((command) => ({ name: command.name, weights: wordWeights(command) }));
  const rarities = stemsOf(utterance.replace(/\S*\d\S*/g, ' ').replace(/_/g, ' ')).map((stem) => {
    const having = known.filter(({ weights }) => weights.has(stem)).length;
    return { stem, rarity: having === 0 ? UNKNOWN * rarity(1, known.length) : rarity(having, known.length) };
  });
  const said = rarities.reduce((sum, word) => sum + word.rarity, 0);
  return sortRanking(
    known.map(({ name, weights }) => {
      const meant = rarities.reduce((sum, word) => sum + word.rarity * (weights.get(word.stem) ?? 0), 0);
      return { name, confidence: said === 0 ? 0 : meant / said };
    }),
  );
}

/** A command's words; the most telling place of each counts. */
function wordWeights(command: CommandDefinition): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const stem of stemsOf(text)) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  };
  add(command.name.replace(/_/g, ' '), IN_NAME);
  add(command.utterances.join(' '), IN_UTTERANCES);
  add(command.description, IN_DESCRIPTION);
  return weights;
}

/** Never 0: a word that all commands have still says that one of them is meant. */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}
