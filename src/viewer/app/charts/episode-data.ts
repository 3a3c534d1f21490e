/**
 * Data of the charts on single episodes: lengths as counts in bins that solved and failed episodes share, frequencies
 * of outcomes and faults, durations of model calls. Pure.
 */

import type { PayloadEpisode } from '../../data/payload.ts';
import {
  isScored,
  isSuccess,
  spread,
  type UserFaultBreakdown,
  type FaultBreakdown,
  type Metrics,
  type RoleCost,
} from '../../../results/metrics/index.ts';
import { percent, shortTime } from './words.ts';
import { FAULT_KINDS, FAULT_TYPE_OF, USER_FAULT_KINDS, type FaultKind } from '../../../analysis/index.ts';
import { formatCount, formatAmount } from '../../../results/document/index.ts';
import type { RowOutcome } from '../../../run-log/index.ts';
import { spaceWords } from '../words.ts';

export interface Bin {
  /** Lower bound of the range `[low, high)`, in the measure's unit. */
  readonly low: number;
  readonly high: number;
  readonly solved: number;
  readonly failed: number;
}

export interface Spreads {
  /** Bins in ascending order, without gaps; empty without an episode. */
  readonly bins: readonly Bin[];
  readonly medianSolved: number | null;
  readonly medianFailed: number | null;
}

/** Computes the measure of an episode; null leaves the episode out. */
export type Measure = (episode: PayloadEpisode) => number | null;

const MOST_BINS = 30;

/** @param smallest width of a bin, such as 1 for counts */
export function spreads(all: readonly PayloadEpisode[], measure: Measure, smallest: number): Spreads {
  const measured = all.filter(isScored).flatMap((episode) => {
    const value = measure(episode);
    return value === null ? [] : [{ value, isSolved: isSuccess(episode.reward) }];
  });
  const median = (isSolved: boolean) =>
    spread(measured.filter((one) => one.isSolved === isSolved).map(({ value }) => value))?.median ?? null;
  return { bins: binValues(measured, smallest), medianSolved: median(true), medianFailed: median(false) };
}

function binValues(measured: readonly { value: number; isSolved: boolean }[], smallest: number): Bin[] {
  if (measured.length === 0) return [];
  const values = measured.map(({ value }) => value);
  const [min, max] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  // One less than the most bins, because the ends are rounded outwards.
  const width = roundStep((max - min) / (MOST_BINS - 1), smallest);
  const first = Math.floor(min / width);
  const counts = Array.from({ length: Math.floor(max / width) - first + 1 }, () => ({ solved: 0, failed: 0 }));
  for (const { value, isSolved } of measured) {
    const count = counts[Math.floor(value / width) - first];
    if (count !== undefined) count[isSolved ? 'solved' : 'failed'] += 1;
  }
  return counts.map((count, index) => ({ low: (first + index) * width, high: (first + index + 1) * width, ...count }));
}

/** Returns the smallest of 1, 2, 5, 10, 20 … times `smallest` that is at least `least`. */
export function roundStep(least: number, smallest: number): number {
  for (let scale = smallest; ; scale *= 10) {
    for (const step of [scale, 2 * scale, 5 * scale]) if (step >= least) return step;
  }
}

export function spreadSentence(
  { bins, medianSolved, medianFailed }: Spreads,
  write: (value: number) => string,
): string {
  const total = bins.reduce((sum, { solved, failed }) => sum + solved + failed, 0);
  if (total === 0) return 'Not known.';
  const solved = bins.reduce((sum, bin) => sum + bin.solved, 0);
  const half = [
    ...(medianSolved === null ? [] : [`half of the solved episodes take at most ${write(medianSolved)}`]),
    ...(medianFailed === null ? [] : [`half of the failed ones at most ${write(medianFailed)}`]),
  ].join(', ');
  const text = `${half}; ${percent(solved / total)} of ${total} were solved.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Bar {
  readonly title: string;
  readonly count: number;
  /** Share of the breakdown's whole, in [0, 1]. */
  readonly share: number;
}

export interface Breakdown {
  /** Bars, the most frequent first; empty without a count. */
  readonly bars: readonly Bar[];
  readonly sentence: string;
}

const OUTCOME_TITLES: Readonly<Record<RowOutcome, string>> = {
  user_stop: 'the user ended the conversation',
  transferred: 'transferred to a human agent',
  max_steps: 'out of steps',
  agent_stop: 'the agent ended the conversation',
  agent_error: 'the agent failed',
  infrastructure_error: 'infrastructure error',
  error: 'error',
  unknown: 'not recorded how it ended',
  cancelled: 'cancelled',
  decision_only: 'decided only',
};

export function outcomeBars({ outcomes }: Metrics): Breakdown {
  const counts = listCounts(outcomes).map(([kind, count]) => ({ title: OUTCOME_TITLES[kind], count }));
  const whole = counts.reduce((sum, { count }) => sum + count, 0);
  return breakdown(counts, whole, `Of ${formatAmount(whole, 'episode')}`);
}

/** Counts the first fault of each failed episode, with tau-bench's type of the agent's faults. */
export function faultBars({ failed, notAnalyzed, unexplained, kinds }: FaultBreakdown): Breakdown {
  const counts = listCounts(kinds).map(([kind, count]) => ({ title: faultTitle(kind), count }));
  const lacking = notAnalyzed === 0 ? '' : `, ${formatCount(notAnalyzed)} of them not analysed`;
  return breakdown(
    [...counts, { title: 'no fault was found', count: unexplained }],
    failed - notAnalyzed,
    `Of ${formatAmount(failed, 'failed episode')}${lacking}`,
  );
}

function faultTitle(kind: FaultKind): string {
  const type = FAULT_TYPE_OF[kind];
  return type === null ? FAULT_KINDS[kind] : `${FAULT_KINDS[kind]} · ${spaceWords(type)}`;
}

/** Counts episodes by kind of finding; the shares are of all checked ones. */
export function userFaultBars({ analyzed, suspects, kinds }: UserFaultBreakdown): Breakdown {
  const counts = listCounts(kinds).map(([kind, { episodes }]) => ({ title: USER_FAULT_KINDS[kind], count: episodes }));
  const of = `Of ${formatAmount(analyzed, 'user')} checked, ${formatCount(suspects)} suspect`;
  return breakdown(counts, analyzed, suspects === 0 || analyzed === 0 ? of : `${of} (${percent(suspects / analyzed)})`);
}

/** Counts verdicts by author; null without a judge. */
export function verdictBars(episodes: readonly PayloadEpisode[]): Breakdown | null {
  const verdicts = episodes.flatMap(({ verdict }) => verdict ?? []);
  if (verdicts.length === 0) return null;
  const titles = verdicts.map(({ author, faultType }) =>
    faultType === null ? `the ${author}’s` : `the ${author}’s: ${spaceWords(faultType)}`,
  );
  const counts = [...new Set(titles)].map((title) => ({ title, count: titles.filter((one) => one === title).length }));
  return breakdown(counts, verdicts.length, `Of ${formatAmount(verdicts.length, 'episode')} judged`);
}

function breakdown(counts: readonly Omit<Bar, 'share'>[], whole: number, of: string): Breakdown {
  const bars = counts
    .filter(({ count }) => count > 0)
    .map((bar) => ({ ...bar, share: bar.count / whole }))
    .sort((a, b) => b.count - a.count || a.title.localeCompare(b.title));
  const [most] = bars;
  const often =
    most === undefined ? '' : `; most often: ${most.title} (${formatCount(most.count)}, ${percent(most.share)})`;
  return { bars, sentence: `${of}${often}.` };
}

function listCounts<K extends string, V>(counts: Readonly<Partial<Record<K, V>>>): [K, V][] {
  return Object.entries(counts) as [K, V][];
}

interface RoleLatency {
  readonly role: string;
  readonly calls: number;
  /** Mean over the role's calls, in milliseconds. */
  readonly meanMs: number;
  /** Share of the slowest role's mean, in [0, 1]. */
  readonly share: number;
}

export function latencies(roles: readonly RoleCost[]): RoleLatency[] {
  const means = roles
    .filter(({ calls }) => calls > 0)
    .flatMap(({ role, calls, latencyMs }) => (latencyMs === null ? [] : [{ role, calls, meanMs: latencyMs / calls }]))
    .sort((a, b) => b.meanMs - a.meanMs);
  const slowest = means[0]?.meanMs ?? 0;
  return means.map((mean) => ({ ...mean, share: slowest === 0 ? 0 : mean.meanMs / slowest }));
}

export function latencySentence([slowest, ...others]: readonly RoleLatency[]): string {
  if (slowest === undefined) return 'Not known: the source does not say how long calls took.';
  const most = `A call of ${slowest.role} takes ${shortTime(slowest.meanMs)} on average`;
  return others.length === 0 ? `${most}.` : `${most}, the longest of ${String(others.length + 1)} roles.`;
}
