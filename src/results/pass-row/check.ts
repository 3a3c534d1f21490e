/** Checks whether any data can have given a published row of pass^1 … pass^K, and says why. Pure. */

import {
  choices,
  nearestMixture,
  shareOfTasks,
  sharesAsPrinted,
  wholeTasks,
  type Example,
  type Mixture,
  type Part,
  type WholeTasks,
} from './mixture.ts';
import { SHORTENINGS, boundsOf, type Bounds, type Figure } from './figures.ts';
import { passHatOfTask } from '../metrics/index.ts';

export interface RowSize {
  /** Trials a task; null where that is not known. */
  readonly trials: number | null;
  readonly tasks: number | null;
}

type RowVerdict =
  | { readonly possible: true; readonly sentence: string; readonly example: Example }
  | {
      readonly possible: false;
      readonly sentence: string;
      /** The nearest row that shares of tasks can give; null where it is whole numbers of them that do not fit. */
      readonly nearest: readonly number[] | null;
    };

/**
 * A row is rejected only where it is proven that no data give it: shares of tasks first, then, where tasks and trials
 * are known, whole numbers of them. With tasks alone the sentence says what number of trials fits.
 *
 * Every task must have the same trials: a row over what is left of ragged data has other tasks for every k.
 *
 * @param figures k = 1, 2, …
 * @throws RangeError for fewer trials than figures
 */
export function checkRow(figures: readonly Figure[], { trials, tasks }: RowSize): RowVerdict {
  const least = figures.length;
  if (trials !== null && trials < least) throw new RangeError(`pass^${String(least)} needs ${String(least)} trials`);
  const readings = SHORTENINGS.map((shortening) => boundsOf(figures, shortening));
  const mixture = nearest(readings, trials ?? least);
  const rising = risingPair(figures);
  if (rising !== null) return { possible: false, sentence: risingSentence(rising, mixture.row), nearest: mixture.row };
  if (mixture.excess > 0) {
    return { possible: false, sentence: sharesSentence(figures, mixture.row, trials), nearest: mixture.row };
  }
  const parts = trials === null || trials === least ? (sharesAsPrinted(figures) ?? mixture.parts) : mixture.parts;
  const shares: Example = { trials: trials ?? least, counted: false, parts };
  if (tasks === null) return possible(shares, null);
  return trials === null
    ? checkSomeTrials(readings, tasks, shares)
    : checkWhole(figures, readings, tasks, { ...shares, trials });
}

function nearest(readings: readonly (readonly Bounds[])[], trials: number): Mixture {
  const mixtures = readings.map((bounds) => nearestMixture(bounds, trials));
  return mixtures.reduce((best, other) => (other.excess < best.excess ? other : best));
}

function checkWhole(
  figures: readonly Figure[],
  readings: readonly (readonly Bounds[])[],
  tasks: number,
  shares: Example,
): RowVerdict {
  const whole = anyWhole(readings, shares.trials, tasks);
  switch (whole.kind) {
    case 'found':
      return possible({ ...shares, counted: true, parts: whole.parts }, null);
    case 'none': {
      const figure = figures.find(({ k }) => k === whole.k) ?? null;
      return { possible: false, sentence: wholeSentence(figure, shares.trials, tasks), nearest: null };
    }
    case 'unknown':
      return possible(shares, 'whether whole numbers of tasks can was not gone through');
  }
}

/** Nobody runs more trials than this only to print fewer figures. */
const MOST_TRIALS = 8;

function checkSomeTrials(readings: readonly (readonly Bounds[])[], tasks: number, shares: Example): RowVerdict {
  const least = shares.trials;
  const most = Math.max(MOST_TRIALS, least);
  for (let trials = least; trials <= most; trials++) {
    const whole = anyWhole(readings, trials, tasks);
    if (whole.kind !== 'found') continue;
    const remark = trials === least ? null : `${String(tasks)} tasks do not give it with fewer trials`;
    return possible({ trials, counted: true, parts: whole.parts }, remark);
  }
  const tried = `${String(least)} to ${String(most)} trials`;
  return possible(shares, `no numbers of ${String(tasks)} tasks were found that give it with ${tried}`);
}

/** Of the ways of shortening the first that fits; `none` only where none does. */
function anyWhole(readings: readonly (readonly Bounds[])[], trials: number, tasks: number): WholeTasks {
  const answers = readings.map((bounds) => wholeTasks(bounds, trials, tasks));
  const of = (kind: WholeTasks['kind']) => answers.find((answer) => answer.kind === kind);
  return of('found') ?? of('unknown') ?? answers[0] ?? { kind: 'unknown' };
}

function possible(example: Example, remark: string | null): RowVerdict {
  return { possible: true, sentence: possibleSentence(example, remark), example };
}

function possibleSentence({ trials, counted, parts }: Example, remark: string | null): string {
  const words = partsWords([...parts].reverse(), counted ? String : percent);
  const given = `possible, for instance with ${trialsWords(trials)} a task: ${words.join(', ')}`;
  return remark === null ? given : `${given}; ${remark}`;
}

interface RisingPair {
  readonly before: Figure;
  readonly after: Figure;
}

/**
 * Two figures of which the later is larger, though they have equally many digits: a task that passes k + 1 trials passes
 * k of them, and no way of shortening turns the order of two figures round.
 */
function risingPair(figures: readonly Figure[]): RisingPair | null {
  for (const [index, after] of figures.entries()) {
    const before = figures[index - 1];
    if (before !== undefined && before.step === after.step && before.value < after.value) return { before, after };
  }
  return null;
}

/** @param nearest a row that is possible */
function risingSentence({ before, after }: RisingPair, nearest: readonly number[]): string {
  const why = `pass^${String(after.k)} (${after.text}) is above pass^${String(before.k)} (${before.text}), but never rises with k`;
  return impossible('', why, nearest, after.isPercent);
}

/** @param trials null where they are not known, and it is impossible for any */
function sharesSentence(figures: readonly Figure[], nearest: readonly number[], trials: number | null): string {
  const extent = trials === null ? '' : ` with ${trialsWords(trials)} a task`;
  const why = crowdedWords(figures) ?? 'no shares of tasks give these figures together';
  return impossible(extent, why, nearest, figures[0]?.isPercent ?? false);
}

/** @param figure one that cannot stand even alone; null where all can */
function wholeSentence(figure: Figure | null, trials: number, tasks: number): string {
  const extent = `impossible over ${String(tasks)} tasks with ${trialsWords(trials)} each`;
  if (figure === null) return `${extent}: each figure can be had, but no numbers of tasks give all of them together`;
  const all = choices(figure.k, trials, tasks);
  const of = figure.k === 1 ? 'episodes' : `choices of ${inWords(figure.k)} trials of a task`;
  const below = Math.floor(all * figure.value);
  const near = [below, below + 1].map((count) => `${String(count)} (${asWritten(count / all, figure.isPercent, 2)})`);
  return (
    `${extent}: pass^${String(figure.k)} is a whole number of ${String(all)} ${of}, ` +
    `and ${figure.text} lies between ${near.join(' and ')}`
  );
}

function impossible(extent: string, why: string, nearest: readonly number[], isPercent: boolean): string {
  const row = nearest.map((value) => asWritten(value, isPercent, 1)).join(' / ');
  return `impossible${extent}: ${why}; the nearest row that data can give is about ${row}`;
}

/**
 * With K trials the row fixes the shares of tasks, from those with K successes down: pass^j is the sum over c ≥ j of
 * share_c·C(c,j)/C(K,j). The first that would have to be negative is what the ones above it leave no space for.
 */
function crowdedWords(figures: readonly Figure[]): string | null {
  const most = figures.length;
  const shares: Part[] = [];
  for (let successes = most; successes >= 0; successes--) {
    const { value, high } = shareOfTasks(figures, successes);
    if (high < 0) return crowdedSentence(figures, successes, shares);
    shares.push({ successes, amount: value });
  }
  return null;
}

/** @param shares of the tasks with more than `successes` successes, most first */
function crowdedSentence(figures: readonly Figure[], successes: number, shares: readonly Part[]): string {
  const most = figures.length;
  const needed = shares.filter(({ amount }) => amount > 0);
  const sum = needed.reduce((total, { amount }) => total + amount, 0);
  const together = sum > 1 && needed.length > 1 ? `, ${percent(sum)} together` : '';
  const words = partsWords(needed, percent, most).join(' beside ');
  const figure = figures[successes - 1];
  if (figure === undefined) return `it needs ${words}${together}`;
  const { k, text, isPercent } = figure;
  const least = needed.reduce((total, part) => total + part.amount * passHatOfTask(part.successes, most, k), 0);
  return `it needs ${words}${together}, which make pass^${String(k)} at least ${asWritten(least, isPercent, 1)}, not ${text}`;
}

/**
 * `53 % of tasks with three successes`, `55.2 % with two`; or `44 tasks with four successes`, `22 with three`.
 *
 * @param all what needs no "exactly": with so many successes none can have more
 */
function partsWords(parts: readonly Part[], write: (amount: number) => string, all?: number): string[] {
  return parts.map(({ successes, amount }, index) => {
    const exactly = all === undefined || successes === all ? '' : 'exactly ';
    if (index > 0) return `${write(amount)} with ${exactly}${successes === 0 ? 'none' : inWords(successes)}`;
    const tasks = write === percent ? 'of tasks' : 'tasks';
    return `${write(amount)} ${tasks} with ${exactly}${inWords(successes)} success${successes === 1 ? '' : 'es'}`;
  });
}

function trialsWords(trials: number): string {
  return `${inWords(trials)} trial${trials === 1 ? '' : 's'}`;
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function inWords(count: number): string {
  return WORDS[count] ?? String(count);
}

/** One decimal, where it is not 0. */
function percent(share: number): string {
  return `${String(Number((100 * share).toFixed(1)))} %`;
}

/** In the row's own form: percent with so many decimals, or a share with two more. */
function asWritten(value: number, isPercent: boolean, decimals: number): string {
  return isPercent ? `${(100 * value).toFixed(decimals)} %` : value.toFixed(decimals + 2);
}
