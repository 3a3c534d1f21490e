/** Words and signs of verdicts, and trends as sentences and sparklines. Pure. */

import { formatAmount, formatShare } from '../../../results/document/index.ts';
import type { ScheduleTrend, TrendPoint } from '../../data/api.ts';
import type { StatusText } from '../words.ts';

const VERDICTS: Readonly<Record<NonNullable<TrendPoint['verdict']>, StatusText>> = {
  regression: { sign: '▼', word: 'regression', tone: 'bad' },
  improvement: { sign: '▲', word: 'improvement', tone: 'good' },
  no_difference: { sign: '=', word: 'no difference shown', tone: 'none' },
  unfinished: { sign: '!', word: 'unfinished', tone: 'warn' },
  incomparable: { sign: '≠', word: 'not comparable', tone: 'warn' },
  first: { sign: '1', word: 'first run', tone: 'none' },
};

const BY_STATUS: Readonly<Record<string, StatusText>> = {
  running: { sign: '…', word: 'running', tone: 'none' },
  cancelled: { sign: '–', word: 'canceled', tone: 'warn' },
  failed: { sign: '!', word: 'failed', tone: 'warn' },
  incomplete: { sign: '!', word: 'incomplete', tone: 'warn' },
  budget_reached: { sign: '$', word: 'budget spent', tone: 'warn' },
};

export function toVerdictStatus({ verdict, status }: Pick<TrendPoint, 'verdict' | 'status'>): StatusText {
  if (verdict !== null) return VERDICTS[verdict];
  return BY_STATUS[status ?? ''] ?? { sign: '·', word: 'not compared', tone: 'none' };
}

/** True for a verdict that gets a sign in the chart. */
export function isNews(point: TrendPoint): boolean {
  return toVerdictStatus(point).tone !== 'none';
}

/** Formats the time of a run in UTC: `2026-11-21 02:00`. */
export function shownTime({ at }: Pick<TrendPoint, 'at'>): string {
  return at.slice(0, 16).replace('T', ' ');
}

/** Formats a score: `0.625 (0.550 to 0.700)`. */
export function scoreText({ passHat1, interval }: Pick<TrendPoint, 'passHat1' | 'interval'>): string {
  const range = interval === null ? '' : ` (${formatShare(interval.low)} to ${formatShare(interval.high)})`;
  return `${formatShare(passHat1)}${range}`;
}

/**
 * Describes a trend:
 * `14 runs, 2026-11-08 to 2026-11-21. pass^1 was 0.875 in the first and is 0.625 in the last. 1 regression.`
 */
export function trendSentence({ runs }: ScheduleTrend): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return '';
  const [from, to] = [first.at.slice(0, 10), last.at.slice(0, 10)];
  const scored = runs.filter(({ passHat1 }) => passHat1 !== null);
  const [before, now] = [scored[0]?.passHat1 ?? null, scored.at(-1)?.passHat1 ?? null];
  const counted = (['regression', 'improvement'] as const).flatMap((verdict) => {
    const count = runs.filter((run) => run.verdict === verdict).length;
    return count === 0 ? [] : [formatAmount(count, verdict)];
  });
  return [
    `${formatAmount(runs.length, 'run')}, ${from === to ? from : `${from} to ${to}`}.`,
    ...(scored.length < 2
      ? []
      : [`pass^1 was ${formatShare(before)} in the first and is ${formatShare(now)} in the last.`]),
    ...(counted.length === 0 ? [] : [`${counted.join(', ')}.`]),
  ].join(' ');
}

interface SparkPoint {
  /** Horizontal position, as a share of the width from the left. */
  readonly x: number;
  /** Vertical position, as a share of the height from the top. */
  readonly y: number;
}

/** Smallest range of a sparkline, so that small changes look small. */
const LEAST_RANGE = 0.2;

/**
 * Returns the scored runs of a trend, evenly spaced. The highest and the lowest reach the edges if they are far enough
 * apart..
 */
export function sparkline({ runs }: ScheduleTrend): SparkPoint[] {
  const scores = runs.flatMap(({ passHat1 }) => passHat1 ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const range = Math.max(LEAST_RANGE, high - low);
  const bottom = (low + high) / 2 - range / 2;
  return scores.map((score, index) => ({
    x: scores.length === 1 ? 1 : index / (scores.length - 1),
    y: 1 - (score - bottom) / range,
  }));
}
