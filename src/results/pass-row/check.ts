/** Whether any data can have given a published row of pass^1 … pass^K. Pure. */

import { possibleSentence, risingPair, risingSentence, sharesSentence, wholeSentence } from './explain.ts';
import { sharesAsPrinted } from './inverse.ts';
import { boundsOf, SHORTENINGS, type Bounds, type Figure } from './figures.ts';
import { nearestMixture, type Example, type Mixture } from './mixture.ts';
import { wholeTasks, type WholeTasks } from './whole-tasks.ts';

export interface RowSize {
  /** Trials a task; null where that is not known. */
  readonly trials: number | null;
  readonly tasks: number | null;
}

export type RowVerdict =
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
