/** `complete`: one model call. Fills the prompts in, asks the provider, prices the answer. */

import { type StrategyDefinition, type StrategyLookup } from '../src/agents/index.ts';
import {
  withCapFlag,
  type AdaptiveLimits,
  type CallModel,
  type PriceCall,
  type TranscriptStore,
} from '../src/models/index.ts';
import { PromptError, prepareRequest, type ReadyRequest } from '../src/prompts/index.ts';
import {
  DEFAULT_REPLY_LIMITS,
  excerptReply,
  findExcess,
  isUserRole,
  withShortReasoning,
  type CompleteInput,
  type CompleteOutput,
  type ReplyExcess,
} from '../src/wire/index.ts';
import { loadPack, resolveTranscript, strategyOf, type PackLookup } from './lookups.ts';
import { askingModel, idempotencyKey, priced, type CallAttempt } from './model-call.ts';

export interface CompleteDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: StrategyLookup;
  readonly transcripts: TranscriptStore;
  readonly callModel: CallModel;
  /** Those that `callModel` goes through. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  /** Spreads retries out; in [0, 1). @default Math.random */
  readonly random?: () => number;
}

/** Half a megabyte below what a payload may have. */
const MAX_OUTPUT_BYTES = 1_500_000;

export function createCompleteActivity(deps: CompleteDeps): (input: CompleteInput) => Promise<CompleteOutput> {
  return async function complete(input) {
    const { maxRetries, earlier = { attempts: 0, apiFailures: 0 } } = input;
    const { limits, random } = deps;
    const { provider } = input.model;
    const bounds = { maxRetries, provider, failuresBefore: earlier.apiFailures, limits, random };
    return askingModel(bounds, async (call) => {
      const { request, readFields } = await readyRequest(deps, input, call);
      const reply = await deps.callModel(request, call.callOptions).catch((error: unknown) => {
        throw withCapFlag(error, isUserRole(input.role) ? '--user-max-completion-tokens' : '--max-completion-tokens');
      });
      const { replyLimits = DEFAULT_REPLY_LIMITS } = input;
      const paid = priced(deps.priceCall, input, reply);
      const message = withShortReasoning(paid.message, replyLimits);
      const output = { ...paid, message, attempt: 1 + call.mayBePaid + earlier.attempts };
      const excess = findExcess(message, replyLimits);
      if (excess !== undefined) return cut(output, excess);
      return withinHistory(
        readFields === undefined ? output : { ...output, fields: readFields(output.message.content) },
      );
    });
  };
}

async function readyRequest(deps: CompleteDeps, input: CompleteInput, attempt: CallAttempt): Promise<ReadyRequest> {
  const { cache: configuration, call, episode, maxCompletionTokens, seed, replyFields } = input;
  const pack = await loadPack(deps.findPack, input.pack);
  const messages = resolveTranscript(deps.transcripts, input.transcript, attempt);
  return prepareRequest(
    {
      ...input.model,
      messages,
      tools: input.tools,
      replyFields,
      ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
      seed,
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
