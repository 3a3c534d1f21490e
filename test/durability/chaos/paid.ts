/** Calls that were paid more than once, those that an injected failure explains, and the number in flight at each. */

import type { LoggedCall, ScriptedStats } from '../../../src/scripted-model/index.ts';
import { paidAgain } from '../calls.ts';
import type { RunData } from '../run-log.ts';
import type { InjectedFailure } from './inject.ts';

/**
 * A call is under way from when its task was handed out until its answer is in the history: a little longer than the
 * model sees of it. @unit milliseconds
 */
const DELIVERY_MS = 1_000;

export interface Paid {
  /** Completions of the disturbed run. */
  readonly completions: number;
  /** Completions beyond those of the undisturbed run. */
  readonly again: number;
  /** Calls in flight at an injected failure, summed over the failures. */
  readonly underWay: number;
  /** Calls of which a completion beyond the first no injected failure explains, one sentence each. */
  readonly unexplained: readonly string[];
  /** Attempts that the records tell beyond one a call. */
  readonly extraAttempts: number;
  /** Completions after the model's failures; a 429 is never paid, and no extra attempt. */
  readonly afterFaults: number;
  /** Agent or user, with more calls paid again than extra attempts in the records. */
  readonly hidden: readonly string[];
}

/** @param openEpisodes how many there are at once */
export function accountFor(
  calls: readonly LoggedCall[],
  reference: readonly LoggedCall[],
  failures: readonly InjectedFailure[],
  { extraAttempts, extraAttemptsByRole }: RunData,
  { faults }: ScriptedStats,
  openEpisodes: number,
): Paid {
  const kills = failures.filter(({ kills: count }) => count > 0);
  const again = paidAgain(calls, reference);
  const byDigest = new Map<string, LoggedCall[]>();
  for (const call of calls) byDigest.set(call.digest, [...(byDigest.get(call.digest) ?? []), call]);
  const unexplained = [...new Set(again)].flatMap((digest) => {
    const made = byDigest.get(digest) ?? [];
    const explained = made.filter((call) => kills.some((kill) => isUnderWay(call, kill))).length;
    const count = again.filter((other) => other === digest).length;
    return explained >= count ? [] : [`${describe(made)}: ${count} more than undisturbed, ${explained} at a kill`];
  });
  const roles = new Map<string, number>();
  for (const digest of again) {
    const role = sideOf(byDigest.get(digest)?.[0]?.role ?? '');
    roles.set(role, (roles.get(role) ?? 0) + 1);
  }
  const recordedBySide = new Map<string, number>();
  for (const [role, count] of Object.entries(extraAttemptsByRole)) {
    recordedBySide.set(sideOf(role), (recordedBySide.get(sideOf(role)) ?? 0) + count);
  }
  return {
    completions: calls.length,
    again: again.length,
    underWay: kills.reduce((sum, kill) => sum + Math.min(openEpisodes, countUnderWay(calls, kill)), 0),
    unexplained,
    extraAttempts,
    afterFaults: faults.serverError + faults.reset + faults.hang + faults.malformedBody,
    hidden: [...roles].flatMap(([role, count]) => {
      const recorded = recordedBySide.get(role) ?? 0;
      return recorded >= count ? [] : [`${role}: ${count} paid again, ${recorded} extra attempts recorded`];
    }),
  };
}

/** Side of a role: an agent that is a service names its parts otherwise than the scripted model does. */
function sideOf(role: string): string {
  return role.split('/')[0] ?? role;
}

/** An episode has one call at a time, so calls of one episode around a failure count once. */
function countUnderWay(calls: readonly LoggedCall[], failure: InjectedFailure): number {
  const around = calls.filter((call) => isUnderWay(call, failure));
  return new Set(around.map(({ episode, digest }) => episode ?? digest)).size;
}

function isUnderWay({ receivedAt, completedAt }: LoggedCall, { at }: InjectedFailure): boolean {
  return receivedAt - DELIVERY_MS <= at && at <= completedAt + DELIVERY_MS;
}

function describe(calls: readonly LoggedCall[]): string {
  const [call] = calls;
  const times = calls.map(({ receivedAt, completedAt }) => `${receivedAt}–${completedAt}`);
  return `${call?.role ?? ''} ${call?.episode ?? ''} (${times.join(', ')})`;
}
