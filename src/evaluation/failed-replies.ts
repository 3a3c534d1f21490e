/**
 * Replies of a model call that were paid and are no completions: refusals, malformed ones, errors. An activity adds up
 * those of its attempts and hands them on once: with its result, or with its failure.
 */

import { addUsage, type Usage } from '../agents/index.ts';

export interface FailedReplies extends Usage {
  readonly replies: number;
  /** USD; null as soon as the usage or price of one is unknown. */
  readonly costUsd: number | null;
  /** USD of those of known cost. */
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

/** Reads the failed replies in the details of an earlier attempt or a failed activity; undefined without any. */
export function failedRepliesIn(details: unknown): FailedReplies | undefined {
  if (typeof details !== 'object' || details === null || !('failedReplies' in details)) return undefined;
  return details.failedReplies as FailedReplies | undefined;
}
