/** The unit that durations are drawn in: the largest of which the longest has at least two. Pure. */

export interface TimeUnit {
  readonly name: string;
  /** Milliseconds. */
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
