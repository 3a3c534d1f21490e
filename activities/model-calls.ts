/** The activity `complete`: a model call of the agent or the simulated user. */

import { Context } from '@temporalio/activity';
import { adaptStrategy, type StrategyDefinition, type StrategyLookup } from '../src/agents/index.ts';
import { toolChanges } from '../src/conditions/index.ts';
import { isUserRole, type CompleteOutput } from '../src/evaluation/index.ts';
import type { CompleteInput } from '../src/episode/index.ts';
import {
  idempotencyKey,
  priceReply,
  toResult,
  withRemedy,
  type CallAttempt,
  type CallModel,
  type TranscriptStore,
} from '../src/models/index.ts';
import { PromptError, prepareRequest, type ReadyRequest } from '../src/models/prompts/index.ts';
import type { EpisodeWatch } from '../src/run-log/index.ts';
import { callWithRetries, toBounds, type CallDeps } from './attempts.ts';
import { loadTaskPack, resolveTranscript, lookUpStrategy, type PackLookup } from './lookups.ts';
import type { ReusedReplies } from './reused-calls.ts';

export interface CompleteDeps extends CallDeps {
  readonly findPack: PackLookup;
  readonly findStrategy: StrategyLookup;
  readonly transcripts: TranscriptStore;
  readonly callModel: CallModel;
}

/**
 * @param watch the live view of the episode. @default none
 * @param reused replies of the earlier episode that this one replaces. @default none
 */
export function createCompleteActivity(
  deps: CompleteDeps,
  watch?: Pick<EpisodeWatch, 'reply' | 'exchange'>,
  reused?: ReusedReplies,
): (input: CompleteInput) => Promise<CompleteOutput> {
  return async function complete(input) {
    const onExchange = watch?.exchange(Context.current().info, input);
    const output = await callWithRetries(toBounds(deps, input), async (attempt, options): Promise<CompleteOutput> => {
      const paidBefore = (await reused?.(input)) ?? null;
      if (paidBefore !== null) return { ...paidBefore, reused: true };
      const { request, readFields } = await readyRequest(deps, input, attempt);
      const reply = await deps.callModel(request, { ...options, onExchange }).catch((error: unknown) => {
        throw withRemedy(error, isUserRole(input.role) ? 'user' : 'agent', input.model.wire);
      });
      return toResult(reply, {
        costUsd: priceReply(deps.priceCall, input, reply),
        attempt: 1 + attempt.before.mayBePaid + (input.earlier?.attempts ?? 0),
        failedReplies: attempt.failedReplies,
        readFields,
      });
    });
    watch?.reply(Context.current().info, input, output);
    return output;
  };
}

async function readyRequest(deps: CompleteDeps, input: CompleteInput, { before }: CallAttempt): Promise<ReadyRequest> {
  const { cache: configuration, call, episode, maxCompletionTokens, seed, replyFields, schema } = input;
  const pack = await loadTaskPack(deps.findPack, { ...input, taskId: episode.taskId });
  const messages = resolveTranscript(deps.transcripts, input.transcript, before);
  return prepareRequest(
    {
      ...input.model,
      messages,
      tools: input.tools,
      isUser: isUserRole(input.role),
      replyFields,
      schema,
      maxCompletionTokens,
      seed: input.model.seed ?? seed,
      format: input.format,
      idempotencyKey: idempotencyKey(Context.current().info, call, before),
      cache: configuration === undefined ? undefined : { configuration, episode, call },
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
  const { strategy: name, strategyOptions, condition } = input;
  const isFromFile = strategyOptions.agentFile !== undefined;
  const strategy = isFromFile ? lookUpStrategy(findStrategy, input) : findStrategy(name);
  if (strategy === undefined) throw new PromptError(`this worker knows no agent strategy ${JSON.stringify(name)}`);
  return adaptStrategy(strategy, strategyOptions, toolChanges(condition));
}
