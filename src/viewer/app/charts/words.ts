/** Formats of figures in charts. */

import type { Interval } from '../../../stats/index.ts';
import { formatDuration, formatShare } from '../../../results/document/index.ts';

/** Formats a share: `26 %`; a small one is `< 1 %`, an incomplete one never `100 %`. */
export function percent(part: number): string {
  if (part > 0 && part < 0.005) return '< 1 %';
  if (part < 1 && part > 0.995) return '> 99 %';
  return `${String(Math.round(part * 100))} %`;
}

/** Formats a value with its interval: `0.694 (95 %: 0.641 to 0.742)`. */
export function withInterval(value: number | null, interval: Interval | null): string {
  if (interval === null) return formatShare(value);
  return `${formatShare(value)} (${percent(interval.level)}: ${formatShare(interval.low)} to ${formatShare(interval.high)})`;
}

/** Formats a tick without superfluous digits: `$0.02`, `$0.0004`. */
export function tickUsd(value: number): string {
  return `$${String(Number(value.toPrecision(3)))}`;
}

/** Formats a duration with tenths of a second below a minute. */
export function shortTime(ms: number): string {
  return ms >= 1000 && ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms);
}

interface TimeUnit {
  readonly name: string;
  readonly ms: number;
}

const UNITS: readonly TimeUnit[] = [
  { name: 'hours', ms: 3_600_000 },
  { name: 'minutes', ms: 60_000 },
  { name: 'seconds', ms: 1000 },
];

export function timeUnit(longestMs: number): TimeUnit {
  return UNITS.find(({ ms }) => longestMs >= 2 * ms) ?? { name: 'milliseconds', ms: 1 };
}
