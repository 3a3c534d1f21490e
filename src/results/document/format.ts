/** Formats of figures in the terminal, in Markdown and on the page. Pure. */

import type { Interval } from '../../stats/index.ts';

export const NONE = '—';

/** Formats a score with three decimals, as leaderboards do. */
export function formatShare(value: number | null): string {
  return value === null ? NONE : value.toFixed(3);
}

/** Formats an interval: `[0.74, 0.89]`. */
export function formatInterval({ low, high }: Interval): string {
  return `[${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

/** Formats a mean of counts: a whole number plain, any other with one decimal. */
export function formatMean(value: number | null): string {
  if (value === null) return NONE;
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** Formats USD: two decimals from one dollar on, four below, because cheap episodes would all be $0.00. */
export function formatUsd(value: number | null): string {
  if (value === null) return NONE;
  return `$${value === 0 || value >= 1 ? value.toFixed(2) : value.toFixed(4)}`;
}

/** Formats a count with separators: `1,234,567`. */
export function formatCount(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}

/** Formats a duration: `850 ms`, `42 s`, `4 min 38 s`, `2 h 5 min`. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return NONE;
  if (ms < 1000) return `${String(Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(seconds % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** Formats a reward for a table: `1`, `0`, `0.5`. */
export function formatReward(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

type Counts = Readonly<Partial<Record<string, number>>>;

/** Sorts counted names, the most frequent first. */
export function sortByCount(counts: Counts): [string, number][] {
  return (Object.entries(counts) as [string, number][]).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}

/** Formats counts: `user_stop ×3, max_steps`. */
export function formatTally(counts: Counts): string {
  return sortByCount(counts)
    .map(([kind, n]) => (n === 1 ? kind : `${kind} ×${String(n)}`))
    .join(', ');
}

/** Formats the most frequent counts: `missing_write ×7, extra_write ×4, 3 more kinds`. */
export function formatMostFrequent(counts: Counts, most = 3): string {
  const counted = sortByCount(counts);
  const named = counted.slice(0, most).map(([kind, n]) => `${kind} ×${String(n)}`);
  const others = counted.length - named.length;
  return [...named, ...(others > 0 ? [formatAmount(others, 'more kind')] : [])].join(', ');
}

interface RatedTask {
  readonly taskId: number;
  readonly taskName?: string | undefined;
  /** Share of the task's trials that succeeded, in [0, 1]. */
  readonly passRate: number;
}

/** Returns the tasks with the lowest pass rates, the worst first. */
export function pickWorstTasks(tasks: readonly RatedTask[], most = 5): RatedTask[] {
  return tasks.toSorted((a, b) => a.passRate - b.passRate || a.taskId - b.taskId).slice(0, most);
}

/** Formats rewards per trial: `1 0 1 1`; from nine trials on their sum: `12 of 16`. */
export function formatRewards(rewards: readonly (number | null)[]): string {
  if (rewards.length <= 8) return rewards.map((value) => (value === null ? NONE : formatReward(value))).join(' ');
  const counted = rewards.filter((value) => value !== null);
  const sum = counted.reduce((total, value) => total + value, 0);
  return `${formatReward(sum)} of ${String(counted.length)}`;
}

/**
 * Formats a number with its noun: `1 task`, `1,200 episodes`. @param plural plural of the noun. @default with an `s`
 */
export function formatAmount(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`;
}

/** Formats a share as `67 %`. */
export function formatPercent(value: number): string {
  return `${String(Math.round(value * 100))} %`;
}

/** Formats a share with its sign; the minus is as wide as the plus: `−0.350`. */
export function formatSigned(value: number | null): string {
  if (value === null) return NONE;
  const text = formatShare(Math.abs(value));
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

export function formatSignedUsd(value: number | null): string {
  if (value === null || value === 0) return formatUsd(value);
  return `${value < 0 ? '−' : '+'}${formatUsd(Math.abs(value))}`;
}

/**
 * Formats the interval of a difference: `95 % CI −0.350 to −0.100`. @param format formats its ends. @default
 * {@link formatSigned}
 */
export function formatConfidence(interval: Interval | null, format: (value: number) => string = formatSigned): string {
  if (interval === null) return 'no CI';
  return `${formatPercent(interval.level)} CI ${format(interval.low)} to ${format(interval.high)}`;
}

/** Formats a p-value: `0.012`, `< 0.001`. @param significance a smaller p-value is never rounded up to it */
export function formatP(p: number, significance = 0.05): string {
  if (p < 0.001) return '< 0.001';
  const figure = p < 0.1 ? p.toFixed(3) : p.toFixed(2);
  return p < significance && Number(figure) >= significance ? `< ${figure}` : figure;
}

/** Formats a p-value with its name: `p = 0.012`, `p < 0.001`. */
export function formatPValue(p: number): string {
  const figure = formatP(p);
  return figure.startsWith('<') ? `p ${figure}` : `p = ${figure}`;
}
