/**
 * What every activity that asks a model shares: heartbeats, deadlines, and what a failure means to Temporal.
 *
 * Temporal's retry policy is left open, because its attempts count worker deaths as well; what ends the retries of an
 * API that keeps failing is `maxRetries`, counted here. The count travels in the heartbeat's details, which the next
 * attempt finds whichever worker has it, so an attempt that was lost with its worker is not counted. Where the details
 * did not arrive (the worker died before its first heartbeat was sent), every earlier attempt counts.
 */

import { ApplicationFailure, Context, type Info } from '@temporalio/activity';
import { separateReasoning } from '../src/agents/reasoning.ts';
import type { CallOptions } from '../src/llm/client.ts';
import { ModelCallError } from '../src/llm/failures.ts';
import type { PriceCall } from '../src/llm/prices.ts';
import { PromptError } from '../src/llm/prompts.ts';
import { ProviderError } from '../src/llm/providers.ts';
import type { ModelReply } from '../src/llm/reply.ts';
import { PackError } from '../src/packs/problem.ts';
import { CALL_SLACK_MS, FailureType } from '../src/wire/activities.ts';
import { DEFAULT_CALL_TIMEOUT_MS, type ModelConfig, type ModelPrice } from '../src/wire/config.ts';
import { countedAttempt, isPackMissing, missesBefore, numberIn } from './attempts.ts';
import { backoffMs } from './backoff.ts';
import { startHeartbeat } from './heartbeat.ts';

/** One attempt of an activity that asks a model. */
export interface CallAttempt {
  readonly info: Info;
  /** See `countedAttempt`. */
  readonly attempt: number;
  /** API failures of earlier attempts. */
  readonly apiFailures: number;
  readonly callOptions: CallOptions;
}

export interface CallBounds {
  readonly maxRetries: number;
  /** API failures of activities that this one goes on from. @default 0 */
  readonly failuresBefore?: number;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** @throws ApplicationFailure that tells Temporal whether, and when, to try again; CancelledFailure when it was aborted */
export async function askingModel<T>(bounds: CallBounds, work: (attempt: CallAttempt) => Promise<T>): Promise<T> {
  const { maxRetries, failuresBefore = 0, random = Math.random } = bounds;
  const context = Context.current();
  const { info } = context;
  const attempt = countedAttempt(info);
  const apiFailures = earlierApiFailures(info) + failuresBefore;
  const misses = missesBefore(info);
  const before = { apiFailures, ...(misses === 0 ? {} : { packMisses: misses }) };
  const heartbeat = startHeartbeat(context, before);
  try {
    const callOptions = { signal: context.cancellationSignal, timeoutMs: callTimeoutMs(info) };
    return await work({ info, attempt, apiFailures, callOptions });
  } catch (error) {
    // Rejects with the failure that tells Temporal why: a user's cancel, a worker's shutdown, a timeout.
    if (context.cancellationSignal.aborted) await context.cancelled;
    if (error instanceof ModelCallError) heartbeat.report({ ...before, apiFailures: apiFailures + 1 });
    if (isPackMissing(error)) heartbeat.report({ ...before, packMisses: misses + 1 });
    throw toFailure(error, { attempt, apiFailures, maxRetries, random });
  } finally {
    heartbeat.stop();
  }
}

/**
 * The same for every attempt that repeats a call whose outcome was lost with its worker. An attempt after an API
 * failure is a new call: a gateway would answer the old key with the old failure.
 */
export function idempotencyKey({ info, apiFailures }: Pick<CallAttempt, 'info' | 'apiFailures'>, call: string): string {
  const key = `${info.workflowExecution?.runId ?? 'no-run'}/${call.replaceAll(' ', '/')}`;
  return apiFailures === 0 ? key : `${key}/after-${String(apiFailures)}`;
}

/**
 * The reply with its cost (USD; null when the price is unknown), and with its reasoning apart from its content: here,
 * because every reply comes by, be it a cached one.
 */
export function priced(
  priceCall: PriceCall,
  { model, price }: { readonly model: ModelConfig; readonly price?: ModelPrice },
  { usageReported, message, ...rest }: ModelReply,
): Omit<ModelReply, 'usageReported'> & { readonly costUsd: number | null } {
  const reply = { ...rest, message: separateReasoning(message) };
  if (reply.cached === true) return { ...reply, costUsd: 0 };
  const { servedModel, usage } = reply;
  const { provider, model: requestedModel } = model;
  const call = { provider, requestedModel, servedModel, usage, usageReported };
  return { ...reply, costUsd: priceCall(price === undefined ? call : { ...call, price }) };
}

/**
 * Under Temporal's own deadline, so that the failure says what happened and counts as the provider's: an attempt that
 * Temporal takes away looks like one that was lost with its worker.
 */
function callTimeoutMs({ startToCloseTimeoutMs }: Info): number {
  if (startToCloseTimeoutMs <= 0) return DEFAULT_CALL_TIMEOUT_MS;
  return Math.max(startToCloseTimeoutMs - CALL_SLACK_MS, startToCloseTimeoutMs / 2);
}

function earlierApiFailures({ attempt, heartbeatDetails }: Info): number {
  return attempt <= 1 ? 0 : (numberIn(heartbeatDetails, 'apiFailures') ?? attempt - 1);
}

interface Attempts extends Pick<CallAttempt, 'attempt' | 'apiFailures'> {
  readonly maxRetries: number;
  readonly random: () => number;
}

function toFailure(error: unknown, { attempt, apiFailures, maxRetries, random }: Attempts): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ProviderError) {
    const type = error.kind === 'missing_key' ? FailureType.MissingKey : FailureType.RequestRefused;
    return ApplicationFailure.nonRetryable(error.message, type);
  }
  if (error instanceof PromptError || error instanceof PackError) {
    return ApplicationFailure.nonRetryable(error.message, FailureType.PromptUnavailable);
  }
  if (error instanceof ModelCallError) {
    const { type, retryable, message, retryAfterMs, status, requestId } = error.failure;
    const failures = apiFailures + 1;
    const isFinal = !retryable || failures > maxRetries;
    return ApplicationFailure.create({
      type,
      message,
      nonRetryable: isFinal,
      // What will be tried again is no news to the worker's log.
      ...(isFinal ? {} : { category: 'BENIGN', nextRetryDelay: retryAfterMs ?? backoffMs(failures, random) }),
      details: [{ apiFailures: failures, status: status ?? null, requestId: requestId ?? null }],
    });
  }
  // A bug, or trouble of this worker's machine: another worker may do better, but not for hours.
  return ApplicationFailure.fromError(error, { nonRetryable: attempt > maxRetries });
}
