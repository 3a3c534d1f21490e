/**
 * Replies of a model call that were paid but are not completions: refusals, malformed replies, errors. An activity sums
 * the usage of its attempts' failed replies, and returns the sum once, with its result or its failure.
 */

import { addUsage, type Usage } from '../agents/index.ts';

export interface FailedReplies extends Usage {
  readonly replies: number;
  /** Cost in USD; null if the usage or price of a reply is unknown. */
  readonly costUsd: number | null;
  /** Cost of the replies with a known price, in USD. */
  readonly knownCostUsd: number;
}

export function addFailed(a: FailedReplies, b: FailedReplies): FailedReplies {
  return {
    replies: a.replies + b.replies,
    ...addUsage(a, b),
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
    knownCostUsd: a.knownCostUsd + b.knownCostUsd,
  };
}

/** Reads the failed replies in the details of an earlier attempt or a failed activity; undefined if there are none. */
export function failedRepliesIn(details: unknown): FailedReplies | undefined {
  if (typeof details !== 'object' || details === null || !('failedReplies' in details)) return undefined;
  return details.failedReplies as FailedReplies | undefined;
}
