/**
 * Retries of activities: counts the attempts, and sends heartbeats. Attempts on a worker that lacked the pack or did
 * not see the run's folder do not count.
 *
 * If a worker lacks the pack, the work has not failed: it goes to another worker, however often, and never ends the
 * episode. So Temporal's retry policy has no limit, and the activity decides when other errors are final. Temporal
 * counts all attempts. The heartbeat's details have the number of attempts without the pack, and the next attempt reads
 * it there, on any worker.
 */

import { hostname } from 'node:os';
import { ApplicationFailure, Context, type Info } from '@temporalio/activity';
import { EnvironmentServiceError, PackError } from '../src/benchmarks/packs/index.ts';
import {
  CallAttempt,
  callDeadlines,
  priceReply,
  readCount,
  type AdaptiveLimits,
  type CallBounds,
  type CallOptions,
  type PriceCall,
} from '../src/models/index.ts';
import { PromptError } from '../src/models/prompts/index.ts';
import { ResultsError, ResultsProblem } from '../src/run-log/index.ts';
import { RunLogElsewhereError } from '../src/run-log/store/index.ts';
import {
  FailureType,
  isLeftToOtherWorkers,
  startWorkerCommand,
  type EarlierAttempts,
  type ModelPrice,
  type ModelSettings,
} from '../src/evaluation/index.ts';

/** Problems of a run log that no further attempt can solve. */
const NEVER_RIGHT: readonly ResultsProblem[] = [
  ResultsProblem.InvalidRunId,
  ResultsProblem.InvalidPlace,
  ResultsProblem.OtherConfiguration,
];

/**
 * Delays between attempts until a worker that has the pack takes the work, in ms: short at first, then longer to save
 * load.
 */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4_000;

/** Returns the number of earlier attempts on workers without the pack. */
export function missesBefore(info: Pick<Info, 'attempt' | 'heartbeatDetails'>): number {
  return info.attempt <= 1 ? 0 : (readCount(info.heartbeatDetails, 'packMisses') ?? 0);
}

/** Returns the number of this attempt, from 1, including attempts that were lost with their worker. */
function countedAttempt(info: Pick<Info, 'attempt' | 'heartbeatDetails'>): number {
  return info.attempt - missesBefore(info);
}

/** Returns the delay before the next attempt after a miss, in ms. */
export function retryAfterMiss(misses: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** misses, LAST_RETRY_MS);
}

/**
 * @returns true if this worker lacks the run's pack or its agent's file, or does not see the run's folder, or if the
 * environment service is away
 */
function isPackMissing(error: unknown): boolean {
  if (!(error instanceof ApplicationFailure)) return false;
  return isLeftToOtherWorkers(error.type) || error.type === FailureType.EnvironmentUnavailable;
}

/**
 * Fails an activity for good when its last attempt has failed, or when all attempts were lost with their workers. Sends
 * heartbeats if the activity has a heartbeat timeout.
 *
 * @param most attempts, not counting those that missed the pack or that `isWaiting`
 * @param isWaiting picks errors that go away with time and are no failure of the work. @default none
 * @param mostMisses retries while the environment service is away. @default any number
 */
export function withAttempts<Input, Output>(
  most: number,
  work: (input: Input) => Promise<Output>,
  isWaiting: (error: unknown, input: Input) => boolean = () => false,
  mostMisses?: (input: Input) => number,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current();
    const attempt = countedAttempt(context.info);
    const misses = missesBefore(context.info);
    if (attempt > most) {
      const { activityType } = context.info;
      throw ApplicationFailure.nonRetryable(
        `${activityType} was tried ${most} times, and its worker died or took too long`,
        FailureType.AttemptsLost,
      );
    }
    const heartbeat = startHeartbeat(context, () => (misses === 0 ? null : { packMisses: misses }));
    heartbeat.beat();
    try {
      return await work(input);
    } catch (thrown) {
      const error = asFailure(thrown, context.info, mostMisses?.(input));
      if (isPackMissing(error) || isWaiting(error, input)) {
        context.heartbeat({ packMisses: misses + 1 });
        throw error;
      }
      if (attempt < most || (error instanceof ApplicationFailure && error.nonRetryable)) throw error;
      throw ApplicationFailure.fromError(error, { nonRetryable: true });
    } finally {
      heartbeat.stop();
    }
  };
}

/**
 * Returns the failure for Temporal: a retryable one for an error of a run log that another worker may see, or of an
 * environment service that is away; any other error unchanged.
 */
function asFailure(error: unknown, info: Info, mostMisses = Infinity): unknown {
  if (error instanceof EnvironmentServiceError && error.fault === 'outage') {
    const misses = missesBefore(info);
    return ApplicationFailure.create({
      type: FailureType.EnvironmentUnavailable,
      message: error.message,
      nonRetryable: misses >= mostMisses,
      nextRetryDelay: error.retryAfterMs ?? retryAfterMiss(misses),
      // The sweep shows it.
      category: 'BENIGN',
    });
  }
  if (error instanceof ResultsError && NEVER_RIGHT.includes(error.problem)) {
    return ApplicationFailure.nonRetryable(error.message, FailureType.BadRequest);
  }
  if (!(error instanceof RunLogElsewhereError)) return error;
  const { place, root, reason, need } = error;
  return ApplicationFailure.create({
    type: FailureType.RunLogUnavailable,
    message:
      `waiting for a worker that sees ${place}: the worker on ${hostname()} ${reason}; ` +
      `start one ${need}: \`${startWorkerCommand(info.taskQueue)} --log-dir ${root}\``,
    nextRetryDelay: retryAfterMiss(missesBefore(info)),
    // The worker logs it once for each folder, not for each attempt.
    category: 'BENIGN',
  });
}

interface Heartbeat {
  /** Sends the current details. The next attempt of the activity receives the last ones sent. */
  beat(): void;
  stop(): void;
}

/** Heartbeats per heartbeat timeout, because a process that is short of CPU may miss some. */
const BEATS = 4;

/**
 * Sends heartbeats, so that the server notices a dead worker and can deliver a cancellation. Beats four times per
 * timeout; does nothing for an activity without a heartbeat timeout, which must not beat.
 * @param read returns the details; called at each beat
 */
export function startHeartbeat(context: Context, read: () => unknown): Heartbeat {
  const { heartbeatTimeoutMs } = context.info;
  if (heartbeatTimeoutMs === undefined || heartbeatTimeoutMs <= 0) {
    return { beat: () => undefined, stop: () => undefined };
  }
  const beat = (): void => context.heartbeat(read());
  const timer = setInterval(beat, heartbeatTimeoutMs / BEATS);
  timer.unref();
  return { beat, stop: () => clearInterval(timer) };
}

/** Delay before a heartbeat that the server did not take is sent again. @unit milliseconds */
const REDELIVERY_MS = 1_000;

/**
 * Waits until the server has a heartbeat's details. The SDK alone would send them later, and drops them if the server
 * is away.
 * @throws CancelledFailure once this worker no longer has the attempt, which the SDK's own heartbeats notice
 */
async function deliverHeartbeat({ client, info, heartbeat, sleep }: Context, details: object): Promise<void> {
  for (;;) {
    heartbeat(details);
    const delivery = client.activity.heartbeat(info.taskToken, details);
    const isDelivered = await delivery.then(
      () => true,
      () => false,
    );
    if (isDelivered) return;
    await sleep(REDELIVERY_MS);
  }
}

/** Parts that every activity with a model call has. */
export interface CallDeps {
  /** Limits of this process. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  /** Random number in [0, 1), which spreads retries out. @default Math.random */
  readonly random?: () => number;
}

interface BoundedCall {
  readonly model: ModelSettings;
  readonly price?: ModelPrice;
  readonly maxRetries: number;
  readonly earlier?: EarlierAttempts;
}

/** Returns the limits and prices of a call. */
export function toBounds({ limits, random, priceCall }: CallDeps, call: BoundedCall): CallBounds {
  return {
    maxRetries: call.maxRetries,
    failuresBefore: call.earlier?.apiFailures,
    limit: limits?.of(call.model.provider),
    random,
    pricePaid: (paid) => priceReply(priceCall, call, paid),
  };
}

/**
 * Makes one attempt of a model call. The first heartbeat of a call that is sent at once comes after a quarter of the
 * heartbeat timeout: most calls have ended by then, and a heartbeat costs the server a third of an activity.
 *
 * @throws ApplicationFailure that says whether, and when, to try again; CancelledFailure when it was aborted
 */
export async function callWithRetries<T>(
  bounds: CallBounds,
  work: (attempt: CallAttempt, options: CallOptions) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const { info, cancellationSignal: signal } = context;
  const attempt = new CallAttempt(info, bounds);
  let hasBeaten = false;
  const heartbeat = startHeartbeat(context, () => {
    hasBeaten = true;
    return attempt.details();
  });
  const { timeoutMs, patienceMs } = callDeadlines(info.startToCloseTimeoutMs);
  try {
    return await work(attempt, {
      signal,
      timeoutMs,
      turn: { since: info.scheduledTimestampMs, patienceMs, onWaiting: () => heartbeat.beat() },
      async onSent() {
        attempt.markSent();
        // The server's details say that nothing was sent. They must change before the request is sent.
        if (hasBeaten) await deliverHeartbeat(context, attempt.details());
        // A limited pace is shown from the start.
        else if ((bounds.limit?.pace() ?? null) !== null) heartbeat.beat();
      },
    });
  } catch (thrown) {
    const error = asFailure(thrown, info, bounds.maxRetries);
    // Rejects with the failure that has the reason for Temporal: a user's cancel, a worker's shutdown, or a timeout.
    if (signal.aborted) await context.cancelled;
    attempt.count(error, isPackMissing(error));
    const failure = withCounts(toFailure(error, attempt), attempt);
    // The next attempt counts an attempt without a heartbeat as lost.
    if (failure.nonRetryable !== true) heartbeat.beat();
    throw failure;
  } finally {
    heartbeat.stop();
  }
}

function toFailure(error: unknown, attempt: CallAttempt): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof PromptError || error instanceof PackError) {
    return ApplicationFailure.nonRetryable(error.message, FailureType.PromptUnavailable);
  }
  const failure = attempt.describe(error);
  if (failure === null) return ApplicationFailure.fromError(error, { nonRetryable: attempt.isLast });
  const { type, message, isFinal, retryAfterMs: nextRetryDelay, details } = failure;
  return ApplicationFailure.create({
    ...{ type, message, nextRetryDelay, nonRetryable: isFinal },
    // The worker's log leaves out failures that will be retried.
    category: isFinal ? undefined : 'BENIGN',
    details: details && [details],
  });
}

/** Adds the cost of a call's attempts to its final failure, so that the workflow records the cost once. */
function withCounts(failure: ApplicationFailure, { paidAttempts, failedReplies }: CallAttempt): ApplicationFailure {
  if (failure.nonRetryable !== true || (paidAttempts === 0 && failedReplies === undefined)) return failure;
  const { message, type, category, cause, details } = failure;
  const [first, ...others] = details ?? [];
  const counts = { attempts: paidAttempts, ...(failedReplies === undefined ? {} : { failedReplies }) };
  return ApplicationFailure.create({
    ...{ message, type: type ?? undefined, category: category ?? undefined, cause, nonRetryable: true },
    details: [{ ...(first as object | undefined), ...counts }, ...others],
  });
}
