/**
 * The activity `complete`, and what every activity that calls a model shares: heartbeats, deadlines, pricing, and the
 * failures by which Temporal decides whether and when to retry.
 *
 * Temporal's retry policy is left open, because its attempts count worker deaths as well. Retries of an API that keeps
 * failing end with `maxRetries`, counted here. The count travels in the heartbeat's details, which the next attempt finds
 * whichever worker has it. An attempt that fails always sends one, so an attempt without any was lost with its worker,
 * which is no failure of the API.
 *
 * The details also say whether the request was sent: only then may an attempt that was lost have been paid. A call that
 * is sent at once has its first heartbeat after a quarter of the heartbeat timeout, because a heartbeat costs the server
 * as much as a third of the activity, and most calls have ended by then. So an attempt that was lost without a heartbeat
 * counts as sent.
 */

import { ApplicationFailure, Context, type Info } from '@temporalio/activity';
import { separateReasoning, type StrategyDefinition, type StrategyLookup } from '../src/agents/index.ts';
import {
  ModelCallError,
  NoTurnError,
  withRemedy,
  type AdaptiveLimit,
  type AdaptiveLimits,
  type CallModel,
  type CallOptions,
  type ModelReply,
  type PriceCall,
  type TranscriptStore,
} from '../src/models/index.ts';
import { PromptError, prepareRequest, type ReadyRequest } from '../src/models/prompts/index.ts';
import { CALL_SLACK_MS, TURN_WAIT_MS, type CompleteInput } from '../src/episode/index.ts';
import {
  CONFIG,
  DEFAULT_REPLY_LIMITS,
  FailureType,
  excerptReply,
  failedRepliesIn,
  findExcess,
  isUserRole,
  withShortReasoning,
  type FailedReplies,
  type ModelSettings,
  type ModelPrice,
  type ReplyExcess,
  type CompleteOutput,
} from '../src/evaluation/index.ts';
import { loadPack, resolveTranscript, strategyOf, type PackLookup } from './lookups.ts';
import { ProviderError } from '../src/models/providers.ts';
import { PackError } from '../src/benchmarks/packs/index.ts';
import type { EpisodeWatch } from './open-episodes.ts';
import type { ReusedReplies } from './reused-calls.ts';
import { failedBefore, priceFailed, withFailed, withFailedReplies, type PriceFailed } from './failed-replies.ts';
import { backoffMs, countedAttempt, isPackMissing, missesBefore, numberIn, startHeartbeat } from './attempts.ts';

/** Parts that every activity with a model call has. */
export interface CallDeps {
  /** Those that its calls go through. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: () => number;
}

export interface CompleteDeps extends CallDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: StrategyLookup;
  readonly transcripts: TranscriptStore;
  readonly callModel: CallModel;
}

/** Half a megabyte below what a payload may have. */
export const MAX_OUTPUT_BYTES = 1_500_000;

/**
 * @param watch for people who follow the episode. @default nobody does
 * @param reused replies of the episode in whose place this one begins again. @default none
 */
export function createCompleteActivity(
  deps: CompleteDeps,
  watch?: Pick<EpisodeWatch, 'reply' | 'exchange'>,
  reused?: ReusedReplies,
): (input: CompleteInput) => Promise<CompleteOutput> {
  return async function complete(input) {
    const onExchange = watch?.exchange(input);
    const { maxRetries, earlier = { attempts: 0, apiFailures: 0 } } = input;
    const [{ limits, random, priceCall }, { provider }] = [deps, input.model];
    const bounds = { maxRetries, provider, failuresBefore: earlier.apiFailures, limits, random };
    const priceOf = priceFailed(priceCall, input);
    const output = await callWithRetries({ ...bounds, priceOf }, async (call): Promise<CompleteOutput> => {
      const paidBefore = (await reused?.(input)) ?? null;
      if (paidBefore !== null) return { ...paidBefore, reused: true };
      const { request, readFields } = await readyRequest(deps, input, call);
      const options = onExchange === undefined ? call.callOptions : { ...call.callOptions, onExchange };
      const reply = await deps.callModel(request, options).catch((error: unknown) => {
        throw withRemedy(error, isUserRole(input.role) ? 'user' : 'agent', input.model.wire);
      });
      const { replyLimits = DEFAULT_REPLY_LIMITS } = input;
      const paid = priced(priceCall, input, reply);
      const message = withShortReasoning(paid.message, replyLimits);
      const output = { ...paid, message, ...failedBefore(call), attempt: 1 + call.mayBePaid + earlier.attempts };
      const excess = findExcess(message, replyLimits);
      if (excess !== undefined) return cut(output, excess);
      return withinHistory(
        readFields === undefined ? output : { ...output, fields: readFields(output.message.content) },
      );
    });
    watch?.reply(input, output);
    return output;
  };
}

async function readyRequest(deps: CompleteDeps, input: CompleteInput, attempt: CallAttempt): Promise<ReadyRequest> {
  const { cache: configuration, call, episode, maxCompletionTokens, seed, replyFields, schema } = input;
  const pack = await loadPack(deps.findPack, input.pack);
  const messages = resolveTranscript(deps.transcripts, input.transcript, attempt);
  return prepareRequest(
    {
      ...input.model,
      messages,
      tools: input.tools,
      isUser: isUserRole(input.role),
      replyFields,
      schema,
      ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
      seed: input.model.seed ?? seed,
      format: input.format,
      idempotencyKey: idempotencyKey(attempt, call),
      ...(configuration === undefined ? {} : { cache: { configuration, episode, call } }),
    },
    {
      pack,
      split: input.split,
      taskId: episode.taskId,
      strategy: strategyNamed(deps, input),
      options: input.strategyOptions,
      seed,
    },
  );
}

function strategyNamed({ findStrategy }: CompleteDeps, input: CompleteInput): StrategyDefinition {
  const { strategy: name, strategyOptions } = input;
  if (strategyOptions.agentFile !== undefined) return strategyOf(findStrategy, input);
  const strategy = findStrategy(name);
  if (strategy === undefined) throw new PromptError(`this worker knows no agent strategy ${JSON.stringify(name)}`);
  return strategy;
}

/** A reply within its limits may still be too large as JSON, which writes some characters as six. */
function withinHistory(output: CompleteOutput): CompleteOutput {
  const size = Buffer.byteLength(JSON.stringify(output));
  return size <= MAX_OUTPUT_BYTES ? output : cut(output, { part: 'bytes', size, limit: MAX_OUTPUT_BYTES });
}

/** A reply that is too long is paid for: it comes back with its usage, and the workflow makes an error of it. */
function cut({ fields: _, ...output }: CompleteOutput, tooLong: ReplyExcess): CompleteOutput {
  return { ...output, message: { role: 'assistant', content: excerptReply(output.message) }, tooLong };
}

/** Time for which a provider may answer nothing but 429 before a call fails for it, in ms. */
const RATE_LIMIT_PATIENCE_MS = 600_000;
/** A 429 that does not say how long to wait: the limit of the process spaces the calls, this only spreads them. */
const MOST_DOUBLINGS = 3;

/** One attempt of an activity that calls a model. */
interface CallAttempt extends Pick<Counts, 'mayBePaid' | 'apiFailures' | 'rateLimited'> {
  /** Paid replies of earlier attempts; absent: none. */
  readonly failedReplies?: FailedReplies;
  readonly info: Info;
  readonly callOptions: CallOptions;
}

interface CallBounds {
  readonly maxRetries: number;
  readonly provider: string;
  /** API failures of activities that this one goes on from. @default 0 */
  readonly failuresBefore?: number;
  /** Limits of this process, which the calls go through. @default a 429 counts as any other API failure */
  readonly limits?: AdaptiveLimits | undefined;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
  /** @default replies that are no completions are not paid */
  readonly priceOf?: PriceFailed;
}

/** @throws ApplicationFailure that says whether, and when, to try again; CancelledFailure when it was aborted */
export async function callWithRetries<T>(bounds: CallBounds, work: (attempt: CallAttempt) => Promise<T>): Promise<T> {
  const context = Context.current();
  const { info } = context;
  const limit = bounds.limits?.of(bounds.provider);
  const before = readCounts(info, bounds.failuresBefore ?? 0);
  let counts = before;
  let failedReplies = info.attempt <= 1 ? undefined : failedRepliesIn(info.heartbeatDetails);
  let isSent = false;
  let hasBeaten = false;
  const heartbeat = startHeartbeat(context, () => {
    hasBeaten = true;
    const pace = limit?.pace() ?? null;
    return {
      attempt: info.attempt,
      ...Object.fromEntries(Object.entries(counts).filter(([name, count]) => name === 'apiFailures' || count > 0)),
      ...(isSent ? { sent: true } : {}),
      ...(failedReplies === undefined ? {} : { failedReplies }),
      ...(pace === null ? {} : { pace }),
    };
  });
  const timeoutMs = callTimeoutMs(info);
  const callOptions: CallOptions = {
    signal: context.cancellationSignal,
    timeoutMs,
    turn: {
      since: info.scheduledTimestampMs,
      patienceMs: turnWaitMs(info, timeoutMs),
      onWaiting: () => heartbeat.beat(),
    },
    onSent: () => {
      isSent = true;
      // Earlier details say that nothing was sent. And a pace is shown from the start.
      if (hasBeaten || (limit?.pace() ?? null) !== null) heartbeat.beat();
    },
  };
  try {
    return await work({ info, ...before, ...(failedReplies === undefined ? {} : { failedReplies }), callOptions });
  } catch (error) {
    // Rejects with the failure that has the reason for Temporal: a user's cancel, a worker's shutdown, a timeout.
    if (context.cancellationSignal.aborted) await context.cancelled;
    const counted = countOf(error, limit);
    if (counted !== null) {
      counts = { ...before, [counted]: before[counted] + 1 };
      // A provider that refuses to begin charges nothing; whatever else it failed with may be paid.
      if (error instanceof ModelCallError) isSent = !isRateLimited(error);
    }
    failedReplies = withFailed(failedReplies, error, bounds.priceOf);
    const failure = withFailedReplies(toFailure(error, counts, info, bounds, limit), failedReplies);
    // The next attempt takes one without a heartbeat for lost.
    if (failure.nonRetryable !== true) heartbeat.beat();
    throw failure;
  } finally {
    heartbeat.stop();
  }
}

/** Counters that the heartbeat's details carry from attempt to attempt. */
interface Counts {
  /** API failures of earlier attempts, bounded by `maxRetries`. */
  readonly apiFailures: number;
  readonly packMisses: number;
  /** Answers 429 to earlier attempts that are not among the failures. */
  readonly rateLimited: number;
  /** Attempts that had no turn in time. */
  readonly turnWaits: number;
  /** Earlier attempts of the activity that may have been paid. */
  readonly mayBePaid: number;
}

function readCounts(info: Info, failuresBefore: number): Counts {
  const { attempt } = info;
  const details: unknown = info.heartbeatDetails;
  const count = (name: keyof Counts) => (attempt <= 1 ? 0 : (numberIn(details, name) ?? 0));
  const isLost = attempt > 1 && (details as { readonly sent?: unknown } | null | undefined)?.sent === true;
  const unheard = attempt <= 1 ? 0 : attempt - 1 - lastHeartbeatAttempt(details, attempt);
  return {
    apiFailures: failuresBefore + count('apiFailures'),
    packMisses: missesBefore(info),
    rateLimited: count('rateLimited'),
    turnWaits: count('turnWaits'),
    mayBePaid: count('mayBePaid') + (isLost ? 1 : 0) + unheard,
  };
}

/** Number of the attempt that has left the details; 0 where none has left any. */
function lastHeartbeatAttempt(details: unknown, attempt: number): number {
  if (typeof details !== 'object' || details === null) return 0;
  return numberIn(details, 'attempt') ?? attempt - 1;
}

function isRateLimited(error: unknown): boolean {
  return error instanceof ModelCallError && error.failure.type === FailureType.RateLimited;
}

/** Counter of the next attempt that this one adds to; null: none. */
function countOf(error: unknown, limit: AdaptiveLimit | undefined): keyof Counts | null {
  if (error instanceof NoTurnError) return 'turnWaits';
  if (isPackMissing(error)) return 'packMisses';
  if (!(error instanceof ModelCallError)) return null;
  return isRateLimited(error) && limit !== undefined ? 'rateLimited' : 'apiFailures';
}

/**
 * Key that stays the same for every attempt that repeats a call whose outcome was lost with its worker. An attempt after an API
 * failure is a new call: a gateway would answer the old key with the old failure.
 */
export function idempotencyKey(
  { info, apiFailures, rateLimited }: Pick<CallAttempt, 'info' | 'apiFailures' | 'rateLimited'>,
  call: string,
): string {
  const key = `${info.workflowExecution?.runId ?? 'no-run'}/${call.replaceAll(' ', '/')}`;
  const failures = apiFailures + rateLimited;
  return failures === 0 ? key : `${key}/after-${String(failures)}`;
}

/**
 * The reply with its cost (USD; null when the price is unknown), and with its reasoning apart from its content: here,
 * because every reply passes, cached ones included.
 */
export function priced(
  priceCall: PriceCall,
  { model, price }: { readonly model: ModelSettings; readonly price?: ModelPrice },
  { usageReported, reportedCostUsd, message, ...rest }: ModelReply,
): Omit<ModelReply, 'usageReported' | 'reportedCostUsd'> & { readonly costUsd: number | null } {
  const reply = { ...rest, message: separateReasoning(message) };
  if (reply.cached === true) return { ...reply, costUsd: 0 };
  const { servedModel, usage } = reply;
  const { provider, model: requestedModel } = model;
  const call = {
    ...{ provider, requestedModel, servedModel, usage, usageReported },
    ...(price === undefined ? {} : { price }),
    ...(reportedCostUsd === undefined ? {} : { reportedCostUsd }),
  };
  return { ...reply, costUsd: priceCall(call) };
}

/**
 * Timeout below Temporal's own, so that the failure says what happened and counts as the provider's: an attempt that
 * Temporal takes away looks like one that was lost with its worker.
 */
function callTimeoutMs({ startToCloseTimeoutMs }: Info): number {
  if (startToCloseTimeoutMs <= 0) return CONFIG.callTimeoutMs.option.default;
  // What was asked for holds, at any size: the slack is added to it where the activity is scheduled.
  return startToCloseTimeoutMs > CALL_SLACK_MS ? startToCloseTimeoutMs - CALL_SLACK_MS : startToCloseTimeoutMs / 2;
}

/** Longest wait, within the activity's own deadline together with the call. */
function turnWaitMs({ startToCloseTimeoutMs }: Info, timeoutMs: number): number {
  if (startToCloseTimeoutMs <= 0) return TURN_WAIT_MS;
  return Math.min(TURN_WAIT_MS, (startToCloseTimeoutMs - timeoutMs) / 2);
}

/** @param counts this attempt included */
function toFailure(
  error: unknown,
  counts: Counts,
  info: Info,
  { maxRetries, random = Math.random }: CallBounds,
  limit: AdaptiveLimit | undefined,
): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof NoTurnError) {
    const { message, retryAfterMs: nextRetryDelay } = error;
    return ApplicationFailure.create({ type: FailureType.NoTurn, message, category: 'BENIGN', nextRetryDelay });
  }
  if (error instanceof ProviderError) {
    const isKey = error.kind === 'missing_key' || error.kind === 'bad_key';
    const type = isKey ? FailureType.MissingKey : FailureType.RequestRefused;
    return ApplicationFailure.nonRetryable(error.message, type);
  }
  if (error instanceof PromptError || error instanceof PackError) {
    return ApplicationFailure.nonRetryable(error.message, FailureType.PromptUnavailable);
  }
  if (error instanceof ModelCallError) {
    const { type, retryable, message, retryAfterMs, status = null, requestId = null, ...more } = error.failure;
    const { isUnreached, isOwnOnceWorked, isForModel } = more;
    const { apiFailures } = counts;
    const isFinal = !retryable || hasFailedForGood(error, counts, maxRetries, limit);
    return ApplicationFailure.create({
      type,
      message,
      nonRetryable: isFinal,
      // What will be tried again is no news to the worker's log.
      ...(isFinal ? {} : { category: 'BENIGN', nextRetryDelay: retryAfterMs ?? delayMs(counts, random) }),
      // JSON leaves out undefined fields.
      details: [{ apiFailures, status, requestId, isUnreached, isOwnOnceWorked, isForModel }],
    });
  }
  // A bug, or trouble of this worker's machine: another worker may do better, but not for hours.
  const attempts = countedAttempt(info) - counts.rateLimited - counts.turnWaits;
  return ApplicationFailure.fromError(error, { nonRetryable: attempts > maxRetries });
}

/** A 429 ends a call only where the provider has accepted nothing for long: otherwise the call waits for its turn. */
function hasFailedForGood(
  error: ModelCallError,
  { apiFailures, rateLimited }: Counts,
  maxRetries: number,
  limit: AdaptiveLimit | undefined,
): boolean {
  // A daily limit: the call is held meanwhile, which people see, and the episode's deadline does not count.
  if ((error.failure.retryAfterMs ?? 0) > RATE_LIMIT_PATIENCE_MS) return true;
  if (limit === undefined || !isRateLimited(error)) return apiFailures > maxRetries;
  return rateLimited > maxRetries && limit.refusedForMs() >= RATE_LIMIT_PATIENCE_MS;
}

function delayMs({ apiFailures, rateLimited }: Counts, random: () => number): number {
  return apiFailures > 0 ? backoffMs(apiFailures, random) : backoffMs(Math.min(rateLimited, MOST_DOUBLINGS), random);
}
