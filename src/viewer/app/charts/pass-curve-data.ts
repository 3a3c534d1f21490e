/** The pass^k curves of a run, one for each reading. Pure. */

import {
  isRagged,
  leavesErrorsOut,
  leftOutWords,
  type PassHat,
  type PassHatInterval,
} from '../../../results/metrics/index.ts';
import { formatShare } from '../../../results/document/index.ts';
import type { PayloadRun } from '../../data/payload.ts';
import { withInterval } from './words.ts';

export interface CurvePoint {
  readonly k: number;
  readonly value: number;
  readonly interval: PassHatInterval['interval'];
}

export interface Curve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

export interface PassCurves {
  /** The first curve is the run's score. */
  readonly curves: readonly Curve[];
  /** Floor and ceiling at every k; null if the pack's audit is unknown. */
  readonly floor: number | null;
  readonly ceiling: number | null;
}

/** Returns the readings that differ from the score. */
export function passCurves({ metrics, notes }: Pick<PayloadRun, 'metrics' | 'notes'>): PassCurves {
  const score = scoreCurve(metrics);
  const others = [
    {
      name: leftOutWords(metrics),
      reading: metrics.infrastructureErrorsLeftOut,
      isOther: isRagged(metrics),
    },
    { name: 'suspect users left out', reading: metrics.withoutSuspects, isOther: false },
  ]
    .filter(({ reading, isOther }) => isOther || reading.episodes < metrics.errorsAsFailures.episodes)
    .map(({ name, reading }) => ({ name, points: toPoints(reading.passHatK) }));
  return { curves: [score, ...others], floor: notes?.floor ?? null, ceiling: notes?.ceiling ?? null };
}

/** Returns the run's score with its intervals. */
export function scoreCurve(
  { errorsAsFailures, uncertainty, countedAs }: PayloadRun['metrics'],
  name = leavesErrorsOut({ countedAs }) ? 'infrastructure errors left out' : 'errors as failures',
): Curve {
  const intervals = new Map(uncertainty.passHatK.map(({ k, interval }) => [k, interval]));
  return { name, points: toPoints(errorsAsFailures.passHatK, intervals) };
}

function toPoints(
  passHats: readonly PassHat[],
  intervals: ReadonlyMap<number, CurvePoint['interval']> = new Map(),
): CurvePoint[] {
  return passHats.map(({ k, value }) => ({ k, value, interval: intervals.get(k) ?? null }));
}

export function listKs(curves: readonly Curve[]): number[] {
  return [...new Set(curves.flatMap(({ points }) => points.map(({ k }) => k)))].sort((a, b) => a - b);
}

export function passCurveSentence({ curves: [score], floor, ceiling }: PassCurves): string {
  const first = score?.points.at(0);
  const last = score?.points.at(-1);
  if (first === undefined || last === undefined) return 'No episode has a score yet.';
  const start = `One trial succeeds with a chance of ${withInterval(first.value, first.interval)}`;
  const end = last.k === 1 ? '' : `, ${last.k} of ${last.k} with ${withInterval(last.value, last.interval)}`;
  const bounds =
    floor === null || ceiling === null
      ? ''
      : `; doing nothing comes to ${formatShare(floor)}, and the pack’s own errors leave at most ${formatShare(ceiling)}`;
  return `${start}${end}${bounds}.`;
}
