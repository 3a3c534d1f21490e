/**
 * The trained intent classifier: a linear model over an utterance's features, with one row of small integers per feature
 * and the class "none of these commands" beside the commands.
 *
 * Reproducible: scores are sums of integers, and what follows uses only operations that IEEE 754 rounds exactly
 * (`+ - * /` and the square root), no `Math.exp`. So an utterance gets the same confidences, bit by bit, on every machine
 * that an episode is replayed on.
 */

import { featuresOf } from './features.ts';
import { sortRanking } from './matching.ts';
import type { IntentClassifier } from './types.ts';

/** The result of training; plain JSON. */
export interface ClassifierWeights {
  /** The classes of each row, in order, after the class of none. */
  readonly commands: readonly string[];
  /** The value of one step of a row. */
  readonly step: number;
  /** By feature, a character per class: see {@link encodeRow}. */
  readonly rows: Readonly<Record<string, string>>;
}

/** The largest step of a row in either direction: all of its characters are printable and none needs an escape in JSON. */
export const MOST_STEPS = 44;
const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .filter((sign) => !'"\\<&'.includes(sign))
  .join('')
  .slice(0, 2 * MOST_STEPS + 1);

export function encodeRow(steps: readonly number[]): string {
  return steps.map((step) => ALPHABET.charAt(step + MOST_STEPS)).join('');
}

export function createClassifier(weights: ClassifierWeights): IntentClassifier {
  const rows = new Map(Object.entries(weights.rows));
  const classes = weights.commands.length + 1;
  return (utterance: string) => {
    const features = featuresOf(utterance);
    const sums = new Array<number>(classes).fill(0);
    for (const feature of features) {
      const row = rows.get(feature);
      if (row === undefined) continue;
      for (let at = 0; at < classes; at++) sums[at] = (sums[at] ?? 0) + ALPHABET.indexOf(row.charAt(at)) - MOST_STEPS;
    }
    const scale = weights.step / Math.sqrt(features.length + 1);
    const [, ...confidences] = softmax(sums.map((sum) => sum * scale * SHARPNESS));
    return sortRanking(weights.commands.map((name, at) => ({ name, confidence: confidences[at] ?? 0 })));
  };
}

/** Below 1 it softens confidences to the scale that the thresholds of all rankers are on. */
const SHARPNESS = 1;

/** Shares that add up to 1, greater for greater scores. */
export function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => exponential(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** (1 + x / 1024)¹⁰²⁴, which stands for eˣ: engines differ in the last bits of `Math.exp`. */
function exponential(x: number): number {
  let power = 1 + Math.max(x, -1000) / 1024;
  for (let doubling = 0; doubling < 10; doubling++) power *= power;
  return power;
}
