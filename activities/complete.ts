/**
 * `complete`: one model call. Fills the prompts in, asks the provider, prices the answer, and tells Temporal what a
 * failure means.
 *
 * Temporal's retry policy is left open, because its attempts count worker deaths as well; what ends the retries of an
 * API that keeps failing is `maxRetries`, counted here. The count travels in the heartbeat's details, which the next
 * attempt finds whichever worker has it, so an attempt that was lost with its worker is not counted. Where the details
 * did not arrive (the worker died before its first heartbeat was sent), every earlier attempt counts.
 */

import { ApplicationFailure, Context, type Info } from '@temporalio/activity';
import type { ReplyFieldDefinition, StrategyDefinition } from '../src/agents/port.ts';
import type { StrategyLookup } from '../src/agents/registry.ts';
import type { CallModel, ModelRequest } from '../src/llm/client.ts';
import { ModelCallError } from '../src/llm/failures.ts';
import type { PriceCall } from '../src/llm/prices.ts';
import { expandMessages, PromptError, toolSchemas } from '../src/llm/prompts.ts';
import { ProviderError } from '../src/llm/providers.ts';
import { readReplyFields } from '../src/llm/reply-fields.ts';
import type { ModelReply } from '../src/llm/reply.ts';
import type { TranscriptStore } from '../src/llm/transcripts.ts';
import { PackError } from '../src/packs/problem.ts';
import type { Pack } from '../src/packs/types.ts';
import { CALL_SLACK_MS, FailureType, type CompleteInput, type CompleteOutput } from '../src/wire/activities.ts';
import { DEFAULT_CALL_TIMEOUT_MS } from '../src/wire/config.ts';
import { countedAttempt, isPackMissing, missesBefore, numberIn } from './attempts.ts';
import { backoffMs } from './backoff.ts';
import { startHeartbeat } from './heartbeat.ts';
import { loadPack, resolveTranscript, strategyOf, type PackLookup } from './lookups.ts';

export interface CompleteDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: StrategyLookup;
  readonly transcripts: TranscriptStore;
  readonly callModel: CallModel;
  readonly priceCall: PriceCall;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: () => number;
}

/** Half a megabyte below what a payload may have. */
const MAX_OUTPUT_BYTES = 1_500_000;

export function createCompleteActivity(deps: CompleteDeps): (input: CompleteInput) => Promise<CompleteOutput> {
  return async function complete(input) {
    const context = Context.current();
    const attempt = countedAttempt(context.info);
    const apiFailures = earlierApiFailures(context.info) + (input.earlier?.apiFailures ?? 0);
    const misses = missesBefore(context.info);
    const before = { apiFailures, ...(misses === 0 ? {} : { packMisses: misses }) };
    const heartbeat = startHeartbeat(context, before);
    try {
      const pack = await loadPack(deps.findPack, input.pack);
      const request = modelRequest(deps, input, pack, context.info, apiFailures);
      const fields = replyFields(deps, input, pack.domain);
      const reply = await deps.callModel(request, {
        signal: context.cancellationSignal,
        timeoutMs: callTimeoutMs(context.info),
      });
      const output = toOutput(deps, input, reply, attempt + (input.earlier?.attempts ?? 0));
      return bounded(
        fields === undefined ? output : { ...output, fields: readReplyFields(reply.message.content, fields) },
      );
    } catch (error) {
      // Rejects with the failure that tells Temporal why: a user's cancel, a worker's shutdown, a timeout.
      if (context.cancellationSignal.aborted) await context.cancelled;
      if (error instanceof ModelCallError) heartbeat.report({ ...before, apiFailures: apiFailures + 1 });
      if (isPackMissing(error)) heartbeat.report({ ...before, packMisses: misses + 1 });
      const { random = Math.random } = deps;
      throw toFailure(error, { attempt, apiFailures, maxRetries: input.maxRetries, random });
    } finally {
      heartbeat.stop();
    }
  };
}

function modelRequest(
  deps: CompleteDeps,
  input: CompleteInput,
  pack: Pack,
  info: Info,
  apiFailures: number,
): ModelRequest {
  const messages = expandMessages(resolveTranscript(deps.transcripts, input.transcript, apiFailures), {
    pack,
    split: input.split,
    taskId: input.episode.taskId,
    strategy: strategyNamed(deps, input),
    options: input.strategyOptions,
    seed: input.seed,
  });
  const { cache: configuration, call, episode } = input;
  return {
    provider: input.model.provider,
    model: input.model.model,
    messages,
    temperature: input.model.temperature,
    seed: input.seed,
    format: input.format,
    idempotencyKey: idempotencyKey(info, call, apiFailures),
    ...(input.tools ? { tools: toolSchemas(pack) } : {}),
    ...(configuration === undefined ? {} : { cache: { configuration, episode, call } }),
  };
}

/**
 * The fields that the reply must have; undefined when none were asked for.
 * @throws PromptError before anything is paid
 */
function replyFields(
  deps: CompleteDeps,
  input: CompleteInput,
  env: string,
): readonly ReplyFieldDefinition[] | undefined {
  const { replyFields: key } = input;
  if (key === undefined) return undefined;
  const strategy = strategyNamed(deps, input);
  const fields = strategy.replyFields?.(key, env);
  if (fields !== undefined) return fields;
  throw new PromptError(`the strategy ${strategy.name} has no reply fields ${JSON.stringify(key)} for ${env}`);
}

function strategyNamed({ findStrategy }: CompleteDeps, input: CompleteInput): StrategyDefinition {
  const { strategy: name, strategyOptions } = input;
  if (strategyOptions.agentFile !== undefined) return strategyOf(findStrategy, input);
  const strategy = findStrategy(name);
  if (strategy === undefined) throw new PromptError(`this worker knows no agent strategy ${JSON.stringify(name)}`);
  return strategy;
}

/**
 * The same for every attempt that repeats a call whose outcome was lost with its worker. An attempt after an API
 * failure is a new call: a gateway would answer the old key with the old failure.
 */
function idempotencyKey(info: Info, call: string, apiFailures: number): string {
  const key = `${info.workflowExecution?.runId ?? 'no-run'}/${call.replaceAll(' ', '/')}`;
  return apiFailures === 0 ? key : `${key}/after-${String(apiFailures)}`;
}

/**
 * Under Temporal's own deadline, so that the failure says what happened and counts as the provider's: an attempt that
 * Temporal takes away looks like one that was lost with its worker.
 */
function callTimeoutMs({ startToCloseTimeoutMs }: Info): number {
  if (startToCloseTimeoutMs <= 0) return DEFAULT_CALL_TIMEOUT_MS;
  return Math.max(startToCloseTimeoutMs - CALL_SLACK_MS, startToCloseTimeoutMs / 2);
}

function toOutput(
  { priceCall }: CompleteDeps,
  { model, price }: CompleteInput,
  reply: ModelReply,
  attempt: number,
): CompleteOutput {
  const { usageReported, ...rest } = reply;
  if (reply.cached === true) return { ...rest, costUsd: 0, attempt };
  const costUsd = priceCall({
    provider: model.provider,
    requestedModel: model.model,
    servedModel: reply.servedModel,
    usage: reply.usage,
    usageReported,
    ...(price === undefined ? {} : { price }),
  });
  return { ...rest, costUsd, attempt };
}

function bounded(output: CompleteOutput): CompleteOutput {
  const bytes = Buffer.byteLength(JSON.stringify(output));
  if (bytes <= MAX_OUTPUT_BYTES) return output;
  throw ApplicationFailure.nonRetryable(
    `the model's reply has ${String(bytes)} bytes; a workflow can take ${String(MAX_OUTPUT_BYTES)}`,
    FailureType.PayloadTooLarge,
  );
}

function earlierApiFailures({ attempt, heartbeatDetails }: Info): number {
  return attempt <= 1 ? 0 : (numberIn(heartbeatDetails, 'apiFailures') ?? attempt - 1);
}

interface Attempts {
  /** See `countedAttempt`. */
  readonly attempt: number;
  /** API failures of earlier attempts. */
  readonly apiFailures: number;
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
