/**
 * The trained intent classifier: a linear model over an utterance's features. It has a row of small integers per
 * feature, for each command and for the class "none of these commands".
 *
 * Results are reproducible: scores are sums of integers, and later steps use only operations that IEEE 754 rounds
 * exactly (`+ - * /` and the square root), no `Math.exp`. So an utterance gets the same confidences, bit by bit, on
 * every machine that replays an episode.
 */

import { readFeatures } from './features.ts';
import { ACCEPT, FLOOR, sortRanking } from './matching.ts';
import type { IntentClassifier } from './types.ts';

/** The result of training, as plain JSON. */
export interface ClassifierWeights {
  /** The commands of each row's classes in order, after the class "none of these commands". */
  readonly commands: readonly string[];
  /** The value of one step of a row. */
  readonly step: number;
  /** Rows by feature, a character per class: see {@link encodeRow}. */
  readonly rows: Readonly<Record<string, string>>;
}

/**
 * The largest step of a row in either direction, so that all characters of a row are printable and none needs an escape
 * in JSON.
 */
export const MOST_STEPS = 44;
const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .filter((sign) => !'"\\`$<'.includes(sign))
  .join('')
  .slice(0, 2 * MOST_STEPS + 1);

export function encodeRow(steps: readonly number[]): string {
  return steps.map((step) => ALPHABET.charAt(step + MOST_STEPS)).join('');
}

export function createClassifier(weights: ClassifierWeights): IntentClassifier {
  const rows = new Map(Object.entries(weights.rows));
  const classes = weights.commands.length + 1;
  return (utterance: string) => {
    const { all: features, words } = readFeatures(utterance);
    const sums = new Array<number>(classes).fill(0);
    for (const feature of features) {
      const row = rows.get(feature);
      if (row === undefined) continue;
      for (let at = 0; at < classes; at++) sums[at] = (sums[at] ?? 0) + ALPHABET.indexOf(row.charAt(at)) - MOST_STEPS;
    }
    const scale = weights.step / Math.sqrt(features.length + 1);
    const [, ...shares] = softmax(sums.map((sum) => sum * scale));
    const unknown = words.filter((word) => !rows.has(word)).length;
    const most = 2 * unknown > words.length ? UNSURE : 1;
    return sortRanking(
      weights.commands.map((name, at) => ({ name, confidence: toConfidence(Math.min(shares[at] ?? 0, most)) })),
    );
  };
}

/** Share from which a command is accepted; like {@link POSSIBLE}, chosen on the development set. */
const SURE = 0.9;
/** Least confidence of a candidate. */
const POSSIBLE = 0.2;
/**
 * Largest confidence for a text of mostly unknown words, because a few known words or the form of a value are not
 * enough.
 */
const UNSURE = 0.8;

/** Converts a share to the scale of the thresholds that all rankers have in common. */
function toConfidence(share: number): number {
  if (share < POSSIBLE) return (share / POSSIBLE) * FLOOR;
  if (share < SURE) return FLOOR + ((share - POSSIBLE) / (SURE - POSSIBLE)) * (ACCEPT - FLOOR);
  return ACCEPT + ((share - SURE) / (1 - SURE)) * (1 - ACCEPT);
}

/** Returns shares that add up to 1; a greater score has a greater share. */
export function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => exponential(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Returns (1 + x / 1024)¹⁰²⁴ instead of eˣ, because engines differ in the last bits of `Math.exp`. */
function exponential(x: number): number {
  let power = 1 + Math.max(x, -1000) / 1024;
  for (let doubling = 0; doubling < 10; doubling++) power *= power;
  return power;
}
