/**
 * Paid replies of a call that are no completions, on their way from attempt to attempt in the heartbeat's details, and to
 * the workflow with the result, or with the failure that is the last.
 */

import { ApplicationFailure } from '@temporalio/activity';
import { ModelCallError, type PaidReply, type PriceCall } from '../src/models/index.ts';
import {
  NO_FAILED_REPLIES,
  addFailed,
  type FailedReplies,
  type ModelPrice,
  type ModelSettings,
} from '../src/evaluation/index.ts';

/** USD of a reply that is no completion; null: unknown. */
export type PriceFailed = (paid: PaidReply) => number | null;

/** Adds what an attempt has been paid for, if it failed with a reply. */
export function withFailed(
  before: FailedReplies | undefined,
  error: unknown,
  priceOf: PriceFailed | undefined,
): FailedReplies | undefined {
  const paid = error instanceof ModelCallError ? error.failure.paid : undefined;
  if (paid === undefined || priceOf === undefined) return before;
  const costUsd = priceOf(paid);
  return addFailed(before ?? NO_FAILED_REPLIES, { ...paid.usage, replies: 1, costUsd, knownCostUsd: costUsd ?? 0 });
}

/** Adds the paid replies of all attempts to the failure of the last, from which the workflow enters them once. */
export function withFailedReplies(
  failure: ApplicationFailure,
  failedReplies: FailedReplies | undefined,
): ApplicationFailure {
  if (failedReplies === undefined || failure.nonRetryable !== true) return failure;
  const [first, ...others] = failure.details ?? [];
  const { message, type, category, cause } = failure;
  return ApplicationFailure.create({
    message,
    nonRetryable: true,
    ...(type === undefined || type === null ? {} : { type }),
    ...(category === undefined || category === null ? {} : { category }),
    ...(cause === undefined ? {} : { cause }),
    details: [{ ...(first as object | undefined), failedReplies }, ...others],
  });
}

/** Returns the pricer of replies that are no completions. */
export function priceFailed(
  priceCall: PriceCall,
  { model: { provider, model: requestedModel }, price }: { readonly model: ModelSettings; readonly price?: ModelPrice },
): PriceFailed {
  return (paid) => priceCall({ provider, requestedModel, ...paid, ...(price === undefined ? {} : { price }) });
}

/** Paid replies of earlier attempts, as a result has them. */
export function failedBefore({ failedReplies }: { readonly failedReplies?: FailedReplies }): {
  readonly failedReplies?: FailedReplies;
} {
  return failedReplies === undefined ? {} : { failedReplies };
}
