/**
 * Counts an activity's attempts, without those for which a worker lacked the pack or did not see the run's folder; sends
 * heartbeats; and spaces out retries.
 *
 * A pack that is missing on one worker is no failure of the work, which goes to another worker, however often, and an
 * episode never ends of it. So Temporal's retry policy is left open, and the activity itself decides when its other
 * errors are final. Temporal's attempts count everything; how many of them only missed the pack travels in the
 * heartbeat's details, which the next attempt finds whichever worker has it.
 */

import { ApplicationFailure, Context, type Info } from '@temporalio/activity';
import { ResultsError, ResultsProblem } from '../src/run-log/index.ts';
import { FailureType, isLeftToOtherWorkers } from '../src/evaluation/index.ts';

/** Problems of a run log that no further attempt can solve. */
const NEVER_RIGHT: readonly ResultsProblem[] = [ResultsProblem.InvalidRunId, ResultsProblem.OtherConfiguration];

/** Attempts until a worker takes the work that holds the pack: soon at first, then not to be a burden, in ms. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4_000;

/** Attempts that missed the pack before this one. */
export function missesBefore(info: Pick<Info, 'attempt' | 'heartbeatDetails'>): number {
  return info.attempt <= 1 ? 0 : (numberIn(info.heartbeatDetails, 'packMisses') ?? 0);
}

/** 1-based; those that were lost with their worker count. */
export function countedAttempt(info: Pick<Info, 'attempt' | 'heartbeatDetails'>): number {
  return info.attempt - missesBefore(info);
}

/** A number of the details that an earlier attempt has left; undefined where it has not. */
export function numberIn(details: unknown, name: string): number | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const value = (details as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'number' ? value : undefined;
}

/** Delay before the next attempt after a miss, in ms. */
export function retryAfterMiss(misses: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** misses, LAST_RETRY_MS);
}

/** @returns true if the worker has not got the run's pack or the file with its agent, or does not see its folder */
export function isPackMissing(error: unknown): boolean {
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
    } catch (error) {
      if (isPackMissing(error) || isWaiting(error, input)) {
        context.heartbeat({ packMisses: misses + 1 });
        throw error;
      }
      if (error instanceof ResultsError && NEVER_RIGHT.includes(error.problem)) {
        throw ApplicationFailure.nonRetryable(error.message, FailureType.BadRequest);
      }
      if (attempt < most || (error instanceof ApplicationFailure && error.nonRetryable)) throw error;
      throw ApplicationFailure.fromError(error, { nonRetryable: true });
    } finally {
      heartbeat.stop();
    }
  };
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

const FIRST_MS = 1_000;
const MOST_MS = 60_000;

/**
 * Delay before the next attempt of a model call where the provider names none. Temporal's own retry intervals have no
 * jitter, so the calls that a provider rejects together would come back together.
 *
 * Doubles from a second to a minute, and is drawn from its upper half ("equal jitter"): calls spread out, and none comes
 * back at once.
 *
 * @param failures API failures of the call so far, at least 1
 * @param random in [0, 1)
 * @returns milliseconds
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.round(ceiling * (0.5 + 0.5 * random()));
}
