/**
 * Attempts of a model call: what one leaves for the next, how long it may take, and whether its failure is retried.
 *
 * Temporal's attempts include lost workers, so failures of the API are counted here, and end the call after
 * `maxRetries`. The heartbeat's details carry the counts to the next attempt on any worker. A failing attempt always
 * sends them, so an attempt without details was lost with its worker.
 *
 * The details also say whether the request was sent, because only then may a lost attempt have been paid. An attempt
 * that was lost before its first heartbeat counts as sent.
 */

import {
  CALL_SLACK_MS,
  CONFIG,
  FailureType,
  TURN_WAIT_MS,
  addFailed,
  failedRepliesIn,
  type FailedReplies,
} from '../evaluation/index.ts';
import { NoTurnError, type AdaptiveLimit } from './adaptive-limit.ts';
import { ModelCallError, type PaidReply } from './failures.ts';
import { ProviderError } from './providers.ts';

/** Time for which a provider may answer only 429 before the call fails, in ms. */
const RATE_LIMIT_PATIENCE_MS = 600_000;
/**
 * Doublings of the delay after a 429 that names none. The process's limit spaces the calls, so the delay only spreads
 * them.
 */
const MOST_DOUBLINGS = 3;

/** An attempt as Temporal counts it, from 1, with the details of the previous heartbeat. */
interface AttemptInfo {
  readonly attempt: number;
  readonly heartbeatDetails: unknown;
}

/** Counters that the heartbeat's details carry from attempt to attempt. */
interface CallCounts {
  /** API failures of earlier attempts, bounded by `maxRetries`. */
  readonly apiFailures: number;
  readonly packMisses: number;
  /** Number of 429 answers to earlier attempts that do not count as failures. */
  readonly rateLimited: number;
  /** Number of attempts that got no turn in time. */
  readonly turnWaits: number;
  /** Earlier attempts of the activity that may have been paid. */
  readonly mayBePaid: number;
}

export interface CallBounds {
  readonly maxRetries: number;
  /** API failures of earlier activities that count for this one. @default 0 */
  readonly failuresBefore?: number;
  /** Limit on this process's concurrent calls, lowered by each 429. @default none: a 429 is retried like any API failure */
  readonly limit?: AdaptiveLimit;
  /** Random number in [0, 1), which spreads retries out. @default Math.random */
  readonly random?: () => number;
  /** Cost of a failed reply in USD; null: unknown. @default failed replies are not paid */
  readonly pricePaid?: (paid: PaidReply) => number | null;
}

/** A failure of an attempt in the form that Temporal gets. */
interface CallFailure {
  readonly type: FailureType;
  readonly message: string;
  readonly isFinal: boolean;
  /** Delay before the next attempt, in ms; absent if the failure is final. */
  readonly retryAfterMs?: number;
  readonly details?: object;
}

export class CallAttempt {
  /** Counts of the attempts before this one. */
  readonly before: CallCounts;
  readonly #bounds: CallBounds;
  readonly #info: AttemptInfo;
  #counts: CallCounts;
  #failedReplies: FailedReplies | undefined;
  #isSent = false;

  constructor(info: AttemptInfo, bounds: CallBounds) {
    this.#info = info;
    this.#bounds = bounds;
    this.before = readCounts(info, bounds.failuresBefore ?? 0);
    this.#counts = this.before;
    this.#failedReplies = info.attempt <= 1 ? undefined : failedRepliesIn(info.heartbeatDetails);
  }

  /** Paid replies of failed attempts; undefined if there are none. */
  get failedReplies(): FailedReplies | undefined {
    return this.#failedReplies;
  }

  /** Attempts so far that may have been paid, this one included. */
  get paidAttempts(): number {
    return this.before.mayBePaid + (this.#isSent ? 1 : 0);
  }

  /** Details for the heartbeat. */
  details(): object {
    const counts = Object.entries(this.#counts).filter(([name, count]) => name === 'apiFailures' || count > 0);
    return {
      attempt: this.#info.attempt,
      ...Object.fromEntries(counts),
      ...(this.#isSent ? { sent: true } : {}),
      failedReplies: this.#failedReplies,
      pace: this.#bounds.limit?.pace() ?? undefined,
    };
  }

  markSent(): void {
    this.#isSent = true;
  }

  /** Counts the failure of this attempt. @param isPackMissing true if another worker may have the pack */
  count(error: unknown, isPackMissing: boolean): void {
    const counted = isPackMissing ? 'packMisses' : findCounter(error, this.#bounds.limit);
    if (counted !== null) {
      this.#counts = { ...this.before, [counted]: this.before[counted] + 1 };
      // A provider that refuses a request before it begins charges nothing. Any other failure may be paid.
      if (error instanceof ModelCallError) this.#isSent = !isRateLimited(error);
    }
    const paid = error instanceof ModelCallError ? error.failure.paid : undefined;
    const { pricePaid } = this.#bounds;
    if (paid === undefined || pricePaid === undefined) return;
    const costUsd = pricePaid(paid);
    const reply = { ...paid.usage, replies: 1, costUsd, knownCostUsd: costUsd ?? 0 };
    this.#failedReplies = addFailed(this.#failedReplies ?? NO_FAILED_REPLIES, reply);
  }

  /** Describes a counted failure; null for a bug, or a problem of this worker's machine. */
  describe(error: unknown): CallFailure | null {
    if (error instanceof NoTurnError) {
      const { message, retryAfterMs } = error;
      return { type: FailureType.NoTurn, message, isFinal: false, retryAfterMs };
    }
    if (error instanceof ProviderError) {
      const isKey = error.kind === 'missing_key' || error.kind === 'bad_key';
      const type = isKey ? FailureType.MissingKey : FailureType.RequestRefused;
      return { type, message: error.message, isFinal: true };
    }
    if (!(error instanceof ModelCallError)) return null;
    const { type, retryable, message, retryAfterMs, status = null, requestId = null, ...more } = error.failure;
    const { isUnreached, isOwnOnceWorked, isForModel } = more;
    const { apiFailures } = this.#counts;
    const isFinal = !retryable || this.#hasFailedForGood(error);
    return {
      ...{ type, message, isFinal },
      retryAfterMs: isFinal ? undefined : (retryAfterMs ?? this.#delayMs()),
      details: { apiFailures, status, requestId, isUnreached, isOwnOnceWorked, isForModel },
    };
  }

  /** True if the failure is a bug or a problem of this machine that has been retried long enough. */
  get isLast(): boolean {
    const { packMisses, rateLimited, turnWaits } = this.#counts;
    return this.#info.attempt - packMisses - rateLimited - turnWaits > this.#bounds.maxRetries;
  }

  /**
   * True if the failure ends the call. A 429 does so only if the provider has accepted nothing for long; otherwise the
   * call waits for its turn.
   */
  #hasFailedForGood(error: ModelCallError): boolean {
    const { limit, maxRetries } = this.#bounds;
    const { apiFailures, rateLimited } = this.#counts;
    // With a daily limit, the call is held. People see that, and the time does not count towards the episode's
    // deadline.
    if ((error.failure.retryAfterMs ?? 0) > RATE_LIMIT_PATIENCE_MS) return true;
    if (limit === undefined || !isRateLimited(error)) return apiFailures > maxRetries;
    return rateLimited > maxRetries && limit.refusedForMs() >= RATE_LIMIT_PATIENCE_MS;
  }

  #delayMs(): number {
    const { apiFailures, rateLimited } = this.#counts;
    const { random = Math.random } = this.#bounds;
    return backoffMs(apiFailures > 0 ? apiFailures : Math.min(rateLimited, MOST_DOUBLINGS), random);
  }
}

function readCounts({ attempt, heartbeatDetails: details }: AttemptInfo, failuresBefore: number): CallCounts {
  if (attempt <= 1) return { apiFailures: failuresBefore, packMisses: 0, rateLimited: 0, turnWaits: 0, mayBePaid: 0 };
  const count = (name: keyof CallCounts) => readCount(details, name) ?? 0;
  const isLost = (details as { readonly sent?: unknown } | null | undefined)?.sent === true;
  return {
    apiFailures: failuresBefore + count('apiFailures'),
    packMisses: count('packMisses'),
    rateLimited: count('rateLimited'),
    turnWaits: count('turnWaits'),
    mayBePaid: count('mayBePaid') + (isLost ? 1 : 0) + attempt - 1 - lastHeartbeatAttempt(details, attempt),
  };
}

/** Reads a number from an earlier attempt's details; undefined if it has none. */
export function readCount(details: unknown, name: string): number | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const value = (details as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns the number of the attempt that wrote the details; 0 if none did. */
function lastHeartbeatAttempt(details: unknown, attempt: number): number {
  if (typeof details !== 'object' || details === null) return 0;
  return readCount(details, 'attempt') ?? attempt - 1;
}

function isRateLimited(error: unknown): boolean {
  return error instanceof ModelCallError && error.failure.type === FailureType.RateLimited;
}

/** Returns the counter that this failure raises for the next attempt; null: none. */
function findCounter(error: unknown, limit: AdaptiveLimit | undefined): keyof CallCounts | null {
  if (error instanceof NoTurnError) return 'turnWaits';
  if (!(error instanceof ModelCallError)) return null;
  return isRateLimited(error) && limit !== undefined ? 'rateLimited' : 'apiFailures';
}

/**
 * Returns the time that a call may take, and the longest wait for its turn, in ms. The call's time ends before
 * Temporal's timeout, so that the failure has a message and counts as the provider's. An attempt that Temporal ends
 * looks like one that was lost with its worker.
 */
export function callDeadlines(startToCloseTimeoutMs: number): { timeoutMs: number; patienceMs: number } {
  const total = startToCloseTimeoutMs;
  if (total <= 0) return { timeoutMs: CONFIG.callTimeoutMs.option.default, patienceMs: TURN_WAIT_MS };
  // The workflow adds the slack to a requested timeout, so subtracting it here gives the requested time.
  const timeoutMs = total > CALL_SLACK_MS ? total - CALL_SLACK_MS : total / 2;
  return { timeoutMs, patienceMs: Math.min(TURN_WAIT_MS, (total - timeoutMs) / 2) };
}

/**
 * Returns the key for every attempt that repeats a call whose outcome was lost with its worker. An attempt after an API
 * failure is a new call with a new key, because a gateway would answer the old key with the old failure.
 */
export function idempotencyKey(
  { workflowExecution }: { readonly workflowExecution?: { readonly runId: string } },
  call: string,
  { apiFailures, rateLimited }: Pick<CallCounts, 'apiFailures' | 'rateLimited'>,
): string {
  const key = `${workflowExecution?.runId ?? 'no-run'}/${call.replaceAll(' ', '/')}`;
  const failures = apiFailures + rateLimited;
  return failures === 0 ? key : `${key}/after-${String(failures)}`;
}

const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 60_000;

/**
 * Returns the delay before the next attempt, in ms, if the provider names none. It doubles from a second to a minute,
 * and is drawn from its upper half ("equal jitter"), because otherwise calls that were rejected together would be
 * repeated together.
 *
 * @param failures API failures of the call so far, at least 1
 * @param random in [0, 1)
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return Math.round(ceiling * (0.5 + 0.5 * random()));
}

const NO_FAILED_REPLIES: FailedReplies = {
  ...{ replies: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
  ...{ costUsd: 0, knownCostUsd: 0 },
};
