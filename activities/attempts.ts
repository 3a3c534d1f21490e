/**
 * Retries of activities: counts attempts without those for which a worker lacked the pack or did not see the run's folder,
 * and sends heartbeats.
 *
 * A pack that is missing on one worker is no failure of the work, which goes to another worker, however often, and an
 * episode never ends of it. So Temporal's retry policy is left open, and the activity itself decides when its other
 * errors are final. Temporal's attempts count everything; how many of them only missed the pack travels in the
 * heartbeat's details, which the next attempt finds whichever worker has it.
 */

import { hostname } from 'node:os';
import { ApplicationFailure, Context, type Info } from '@temporalio/activity';
import { PackError } from '../src/benchmarks/packs/index.ts';
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
  type FailedReplies,
  type ModelPrice,
  type ModelSettings,
} from '../src/evaluation/index.ts';

/** Problems of a run log that no further attempt can solve. */
const NEVER_RIGHT: readonly ResultsProblem[] = [
  ResultsProblem.InvalidRunId,
  ResultsProblem.InvalidPlace,
  ResultsProblem.OtherConfiguration,
];

/** Attempts until a worker takes the work that holds the pack: soon at first, then not to be a burden, in ms. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4_000;

/** Attempts that missed the pack before this one. */
export function missesBefore(info: Pick<Info, 'attempt' | 'heartbeatDetails'>): number {
  return info.attempt <= 1 ? 0 : (readCount(info.heartbeatDetails, 'packMisses') ?? 0);
}

/** 1-based; those that were lost with their worker count. */
function countedAttempt(info: Pick<Info, 'attempt' | 'heartbeatDetails'>): number {
  return info.attempt - missesBefore(info);
}

/** Delay before the next attempt after a miss, in ms. */
export function retryAfterMiss(misses: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** misses, LAST_RETRY_MS);
}

/** @returns true if the worker has not got the run's pack or the file with its agent, or does not see its folder */
function isPackMissing(error: unknown): boolean {
  return error instanceof ApplicationFailure && isLeftToOtherWorkers(error.type);
}

/**
 * Ends an activity for good when its last attempt has failed, or when all of them were lost with their workers. Sends
 * heartbeats meanwhile, where the activity has a heartbeat timeout.
 *
 * @param most attempts, not counting those that missed the pack or that `isWaiting`
 * @param isWaiting picks errors that go away with time and are no failure of the work. @default none
 */
export function withAttempts<Input, Output>(
  most: number,
  work: (input: Input) => Promise<Output>,
  isWaiting: (error: unknown, input: Input) => boolean = () => false,
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
      const error = ofRunLog(thrown, context.info);
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

/** The failure that Temporal is given for one of a run log: where the log is elsewhere, another worker takes the work. */
function ofRunLog(error: unknown, info: Info): unknown {
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
  /** Sends the details as they are now; the next attempt of the activity finds the last ones sent. */
  beat(): void;
  stop(): void;
}

/** Beats per timeout: a process that is short of CPU may miss some of them. */
const BEATS = 4;

/**
 * Sends heartbeats, which are how a dead worker is noticed, and the only way a cancellation reaches an activity. Beats
 * four times per timeout; does nothing for an activity without a heartbeat timeout, which must not beat.
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

/** Parts that every activity with a model call has. */
export interface CallDeps {
  /** Limits of this process. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: () => number;
}

interface BoundedCall {
  readonly model: ModelSettings;
  readonly price?: ModelPrice;
  readonly maxRetries: number;
  readonly earlier?: EarlierAttempts;
}

/** Bounds of a call that its provider limits and charges for. */
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
 * Makes one attempt of a model call. A call that is sent at once has its first heartbeat after a quarter of the heartbeat
 * timeout, because a heartbeat costs the server as much as a third of the activity, and most calls have ended by then.
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
      onSent() {
        attempt.markSent();
        // Earlier details say that nothing was sent. And a pace is shown from the start.
        if (hasBeaten || (bounds.limit?.pace() ?? null) !== null) heartbeat.beat();
      },
    });
  } catch (thrown) {
    const error = ofRunLog(thrown, info);
    // Rejects with the failure that has the reason for Temporal: a user's cancel, a worker's shutdown, a timeout.
    if (signal.aborted) await context.cancelled;
    attempt.count(error, isPackMissing(error));
    const failure = withFailedReplies(toFailure(error, attempt), attempt.failedReplies);
    // The next attempt takes one without a heartbeat for lost.
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
    // What will be tried again is no news to the worker's log.
    category: isFinal ? undefined : 'BENIGN',
    details: details && [details],
  });
}

/** Adds the paid replies of all attempts to the failure of the last, from which the workflow enters them once. */
function withFailedReplies(failure: ApplicationFailure, failedReplies?: FailedReplies): ApplicationFailure {
  if (failedReplies === undefined || failure.nonRetryable !== true) return failure;
  const { message, type, category, cause, details } = failure;
  const [first, ...others] = details ?? [];
  return ApplicationFailure.create({
    ...{ message, type: type ?? undefined, category: category ?? undefined, cause, nonRetryable: true },
    details: [{ ...(first as object | undefined), failedReplies }, ...others],
  });
}
