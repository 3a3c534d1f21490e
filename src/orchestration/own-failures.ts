/**
 * Distinguishes a fault of one request from an outage of its provider: a request that keeps failing while the provider
 * answers other episodes is at fault itself. For an agent service, such a request is the agent's bug.
 */

import { FailureType, type HeldCall } from '../evaluation/index.ts';

/** Number of a call's failures, while its provider answers other calls, after which the call itself is at fault. */
export const OWN_FAILURES = 8;
/** Equal failures of one request to an agent after which the agent is at fault. */
const AGENT_FAILURES = 5;
/**
 * Number of those {@link AGENT_FAILURES} that must come after other episodes were answered, because a single one may be
 * from the end of an outage.
 */
const AGENT_FAILURES_BESIDE_ANSWERS = 2;
/** Time for which a run's only remaining request fails in the same way before the agent is at fault. */
const ALONE_MS = 120_000;

/** Failures of a held call so far. */
export interface FailureCounts {
  /** Number of attempts of the held call that failed while the provider answered other calls. */
  readonly ownFailures: number;
  /** Number of consecutive attempts that failed like the last one. */
  readonly equal: number;
  /** Time of the first of the {@link equal} failures, in milliseconds since 1970. */
  readonly equalSince: number;
  readonly signature: string;
}

/** Counts a failure. @param isOwn true if the provider has answered other calls since the previous failure */
export function countFailure(
  before: (FailureCounts & { readonly call: HeldCall }) | undefined,
  call: HeldCall,
  isOwn: boolean,
  now: number,
): FailureCounts {
  // No server listened, which shows nothing about the request.
  if (call.isUnreached === true) {
    return before ?? { ownFailures: 0, equal: 0, equalSince: now, signature: '' };
  }
  const signature = toSignature(call);
  const isEqual = before?.signature === signature;
  const attempts = Math.max(1, (call.earlier?.apiFailures ?? 1) - (before?.call.earlier?.apiFailures ?? 0));
  return {
    ownFailures: (before?.ownFailures ?? 0) + (isOwn ? 1 : 0),
    equal: (isEqual ? before.equal : 0) + attempts,
    equalSince: isEqual ? before.equalSince : now,
    signature,
  };
}

/** Returns type, status and message of a failure, without the numbers, ids and times that differ between attempts. */
function toSignature({ failure, status, message }: HeldCall): string {
  return `${failure} ${status ?? ''} ${message.replace(/[0-9a-f-]+/gi, (word) => (/\d/.test(word) ? '#' : word))}`;
}

/** Statuses that a busy agent sends, or a proxy in front of a missing agent. */
const OF_OTHERS: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Returns true if the agent is at fault for a request that has failed again.
 * @param isAlone true if other episodes have ended regularly, and no other is open or left to open
 */
export function isAgentsFault(
  { failure, status, isUnreached }: HeldCall,
  { ownFailures, equal, equalSince }: FailureCounts,
  isAlone: boolean,
  now: number,
): boolean {
  if (failure === FailureType.RateLimited || isUnreached === true) return false;
  if (ownFailures >= OWN_FAILURES) return true;
  if (equal < AGENT_FAILURES) return false;
  if (ownFailures >= AGENT_FAILURES_BESIDE_ANSWERS) return true;
  return isAlone && now - equalSince >= ALONE_MS && (status === undefined || !OF_OTHERS.has(status));
}
