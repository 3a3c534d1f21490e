/**
 * Trains an intent classifier for a catalogue: multinomial logistic regression over the features of its texts and of
 * generated paraphrases. It works with any catalogue; phrases of a domain are added to the catalogue's own texts.
 *
 * Training is reproducible: texts are drawn from a fixed seed, and the arithmetic is IEEE 754's exactly rounded (no
 * `Math.exp`), so the same input gives the same weights on every machine.
 */

import type { Catalogue } from '../catalogue/definitions.ts';
import { encodeRow, MOST_STEPS, softmax, type ClassifierWeights } from '../understanding/classifier.ts';
import { readFeatures } from '../understanding/features.ts';
import { drawExamples, type Example, type Phrases } from './examples.ts';
import { createTrainingDraw, type Draw } from './templates.ts';

export interface TrainingOptions {
  /** Paraphrases by command name, in the language of `templates.ts`. @default none */
  readonly phrases?: Phrases;
  /** Phrases of other domains, which mean none of these commands; phrases of commands in this catalogue are ignored. */
  readonly foreign?: readonly Phrases[];
  /** Number of examples drawn for each command. @default 60 */
  readonly perCommand?: number;
  /** Number of passes over all examples. @default 6 */
  readonly passes?: number;
}

export function trainClassifier(
  catalogue: Pick<Catalogue, 'commands'>,
  options: TrainingOptions = {},
): ClassifierWeights {
  const { passes = 6, perCommand = 60 } = options;
  const draw = createTrainingDraw(20_240_515);
  const commands = catalogue.commands.map(({ name }) => name);
  const examples = drawExamples(catalogue.commands, { ...options, perCommand }, draw);
  const model = new Model(commands.length + 1, examples, Math.max(3, perCommand * LEAST_SHARE));
  for (let pass = 0; pass < passes; pass++) model.learn(draw);
  return { commands, ...model.rows() };
}

/**
 * Smallest share of a command's examples that must have a feature for it to be learned; never fewer than three
 * examples.
 */
const LEAST_SHARE = 1 / 40;
const LEARNING_RATE = 1;
/** Share by which a weight decays at each use. */
const DECAY = 0.00002;

interface Sample {
  readonly columns: readonly number[];
  /** Value of each feature; the vector of all features has length 1. */
  readonly value: number;
  readonly meant: number;
}

/** The model during training: a weight for each feature and class, and AdaGrad's sums of squares. */
class Model {
  readonly #names: readonly string[];
  readonly #samples: Sample[];
  readonly #weights: Float64Array;
  readonly #squares: Float64Array;

  constructor(
    private readonly classes: number,
    examples: readonly Example[],
    leastExamples: number,
  ) {
    const read = examples.map(({ text, meant }) => ({ features: readFeatures(text).all, meant }));
    const counts = new Map<string, number>();
    for (const { features } of read) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
    this.#names = [...counts].filter(([, count]) => count >= leastExamples).map(([name]) => name);
    const columnOf = new Map(this.#names.map((name, column) => [name, column]));
    this.#samples = read.map(({ features, meant }) => ({
      columns: features.map((name) => columnOf.get(name)).filter((column) => column !== undefined),
      value: 1 / Math.sqrt(features.length + 1),
      meant,
    }));
    this.#weights = new Float64Array(this.#names.length * classes);
    this.#squares = new Float64Array(this.#names.length * classes).fill(1e-4);
  }

  /** Makes one pass over all examples, in a new order. */
  learn(draw: Draw): void {
    for (let at = this.#samples.length - 1; at > 0; at--) {
      const other = draw(at + 1);
      const [a, b] = [this.#samples[at], this.#samples[other]];
      if (a !== undefined && b !== undefined) [this.#samples[at], this.#samples[other]] = [b, a];
    }
    for (const sample of this.#samples) this.#step(sample);
  }

  #step({ columns, value, meant }: Sample): void {
    const { classes } = this;
    const scores = new Array<number>(classes).fill(0);
    for (const column of columns) {
      const row = column * classes;
      for (let at = 0; at < classes; at++) scores[at] = (scores[at] ?? 0) + (this.#weights[row + at] ?? 0) * value;
    }
    const errors = softmax(scores).map((share, at) => (at === meant ? share - 1 : share));
    for (const column of columns) {
      const row = column * classes;
      for (let at = 0; at < classes; at++) {
        const cell = row + at;
        const slope = (errors[at] ?? 0) * value + DECAY * (this.#weights[cell] ?? 0);
        const square = (this.#squares[cell] ?? 0) + slope * slope;
        this.#squares[cell] = square;
        this.#weights[cell] = (this.#weights[cell] ?? 0) - (LEARNING_RATE * slope) / Math.sqrt(square);
      }
    }
  }

  /** Returns the weights as whole steps, without features that have none. */
  rows(): Pick<ClassifierWeights, 'step' | 'rows'> {
    const { classes } = this;
    const most = this.#weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0);
    const step = Math.ceil((most / MOST_STEPS) * 1000) / 1000 || 1;
    const rows: Record<string, string> = {};
    for (const [column, name] of [...this.#names.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1))) {
      const weights = this.#weights.subarray(column * classes, (column + 1) * classes);
      const steps = Array.from(weights, (weight) => Math.round(weight / step));
      if (steps.some((value) => Math.abs(value) >= LEAST_STEPS)) rows[name] = encodeRow(steps);
    }
    return { step, rows };
  }
}

/** Fewest steps of a feature's largest weight; features below it are left out. */
const LEAST_STEPS = 3;
