/** Counts calls that were made more than once, from the scripted model's log. */

import type { LoggedCall } from '../../src/scripted-model/index.ts';

/** Counts completions of each request, by its digest. */
export function tally(calls: readonly LoggedCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { digest } of calls) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  return counts;
}

/** Requests that were completed more often than in an undisturbed run, each as often as it was. */
export function paidAgain(calls: readonly LoggedCall[], reference: readonly LoggedCall[]): string[] {
  const wanted = tally(reference);
  return [...tally(calls)].flatMap(([digest, count]) =>
    Array<string>(Math.max(0, count - (wanted.get(digest) ?? 0))).fill(digest),
  );
}
