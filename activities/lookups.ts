/** Lookups that several activities begin with: the pack, the task, the conversation, the strategy. */

import { hostname } from 'node:os';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { agentSentence, type Message, type StrategyDefinition, type StrategyLookup } from '../src/agents/index.ts';
import type { Task } from '../src/benchmarks/index.ts';
import { MissingCondition, type RunCondition } from '../src/conditions/index.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import { packUnderCondition } from '../src/models/prompts/index.ts';
import { EnvironmentServiceError, type Pack, type PackRef } from '../src/benchmarks/packs/index.ts';
import { UsageError } from '../src/errors/index.ts';
import {
  FailureType,
  type EarlierAttempts,
  type EvaluationConfig,
  type TranscriptDelta,
} from '../src/evaluation/index.ts';
import { toExecutionKey } from './call-results.ts';
import { missesBefore, retryAfterMiss } from './attempts.ts';

/** Finds the pack with a digest; undefined if this worker has none. */
export type PackLookup = (ref: PackRef) => Promise<Pack | undefined>;

/**
 * @throws ApplicationFailure `PackUnavailable`, retryable: another worker may hold the pack. Such attempts end nothing,
 *   see `attempts.ts`; EnvironmentServiceError of an environment service that is away
 */
export async function loadPack(lookup: PackLookup, ref: PackRef): Promise<Pack> {
  const pack = await lookup(ref).catch(leaveToOthers);
  if (pack !== undefined) return pack;
  const named = `${ref.name} with digest ${ref.digest.slice(0, 12)}`;
  if (ref.environment !== undefined) {
    const { name, version } = ref.environment;
    throw packUnavailable(`the run is of ${named}: ${name} ${version}, and at ${ref.path} are other tasks by now`);
  }
  throw packUnavailable(
    `waiting for a worker that has pack ${named}: the worker on ${hostname()} does not; import it there with ` +
      '`npx tauflow data import`, or start a worker that has it (--pack)',
  );
}

/** An episode's task, and the condition under which its prompts are made. */
interface PlayedTask {
  readonly pack: PackRef;
  readonly split: string;
  readonly taskId: number;
  /** Condition of the episode. @default `base` */
  readonly condition?: RunCondition | undefined;
}

/**
 * Returns the pack as an episode sees it: an environment service may give each task its own policy, tools and prompts,
 * and a condition changes them.
 * @throws ApplicationFailure as {@link loadPack} and {@link lookUpTask}; `AgentUnavailable`, retryable, for a condition
 * from a file, which another worker may have
 */
export async function loadTaskPack(lookup: PackLookup, played: PlayedTask): Promise<Pack> {
  const pack = await loadPack(lookup, played.pack);
  try {
    if (pack.environment === undefined) return packUnderCondition(pack, played.condition);
    const task = lookUpTask(pack, played.split, played.taskId);
    const { pack: own } = await pack.environment.taskPack(task).catch(leaveToOthers);
    return packUnderCondition(own, played.condition);
  } catch (error) {
    throw error instanceof MissingCondition ? agentUnavailable(error.message) : error;
  }
}

function agentUnavailable(needed: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: FailureType.AgentUnavailable,
    message: `waiting for a worker that has ${needed}`,
    nextRetryDelay: retryAfterMiss(missesBefore(Context.current().info)),
  });
}

/** Throws a retryable failure, because another worker may have the service's key or its adapter's program. */
function leaveToOthers(error: unknown): never {
  const isService = error instanceof EnvironmentServiceError && error.fault !== 'outage';
  throw isService || error instanceof UsageError ? packUnavailable(error.message) : error;
}

function packUnavailable(message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: FailureType.PackUnavailable,
    message,
    nextRetryDelay: retryAfterMiss(missesBefore(Context.current().info)),
    // The worker logs it once per pack, not once per attempt.
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** @throws ApplicationFailure, not retryable: the sweep's plan does not fit its pack */
export function lookUpTask(pack: Pack, split: string, taskId: number): Task {
  const task = pack.splits[split]?.[taskId];
  if (task !== undefined) return task;
  throw ApplicationFailure.nonRetryable(
    `pack ${pack.ref.name} has no task ${taskId} in split ${split}`,
    FailureType.BadRequest,
  );
}

/**
 * Returns the whole conversation. The last parameter has the counts of the activity's attempts so far.
 * @throws ApplicationFailure `TranscriptMissing`. The workflow then sends the whole conversation to another activity,
 * which continues to count from the failure's {@link EarlierAttempts}.
 */
export function resolveTranscript(
  store: TranscriptStore,
  delta: TranscriptDelta,
  { mayBePaid, apiFailures }: { readonly mayBePaid: number; readonly apiFailures: number } = {
    mayBePaid: 0,
    apiFailures: 0,
  },
): Message[] {
  const { info } = Context.current();
  const messages = store.resolve(`${toExecutionKey(info)}/${delta.thread}`, delta);
  if (messages !== undefined) return messages;
  const message = `this worker does not know the first ${delta.keep} items of ${delta.thread}`;
  // The workflow then sends the whole conversation, so the worker's log leaves the failure out.
  const category = ApplicationFailureCategory.BENIGN;
  const earlier: EarlierAttempts = { attempts: mayBePaid, apiFailures };
  const type = FailureType.TranscriptMissing;
  throw ApplicationFailure.create({ message, type, nonRetryable: true, category, details: [earlier] });
}

/** Forgets the conversations of a workflow that has ended. If the workflow runs again, it sends them whole. */
export function forgetTranscripts(store: TranscriptStore): void {
  store.forget(`${toExecutionKey(Context.current().info)}/`);
}

/**
 * @throws ApplicationFailure: not retryable when this worker's code has no such strategy; `AgentUnavailable`, retryable,
 *   when it is an agent from a file, which another worker may have
 */
export function lookUpStrategy(
  find: StrategyLookup,
  { strategy: name, strategyOptions: { agentFile } }: Pick<EvaluationConfig, 'strategy' | 'strategyOptions'>,
): StrategyDefinition {
  const strategy = find(name, agentFile);
  if (strategy !== undefined) return strategy;
  if (agentFile !== undefined) throw agentUnavailable(agentSentence(name, agentFile));
  throw ApplicationFailure.nonRetryable(`this worker knows no agent strategy "${name}"`, FailureType.BadRequest);
}
