/** The replayed prefix of a fork, from the origin's record and the replies to its model calls. */

import { findStrategy } from '../agents/index.ts';
import { listActions } from '../benchmarks/index.ts';
import { isUserRole } from '../evaluation/index.ts';
import {
  repliesUntil,
  toActionWire,
  type Correction,
  type ForkInput,
  type ReplayedStep,
  type RecordedReply,
  type ForkFacts,
} from '../episode/index.ts';
import type { EpisodeRecord, TrajectoryMessage } from './record.ts';

export interface ForkRequest extends Pick<ForkFacts, 'name' | 'atStep' | 'changes'> {
  /** The strategy that continues after the prefix. */
  readonly strategy: string;
  /** Replacement for the last observation of the replayed prefix, or for the user's opening if the prefix is empty. */
  readonly observation?: string;
  /** See `ForkInput`. */
  readonly maxCostUsd?: number;
}

/** @param replies all replies of the origin in the order of its calls */
export function buildFork(
  record: EpisodeRecord,
  replies: readonly RecordedReply[],
  { name, atStep, strategy, observation, changes, maxCostUsd }: ForkRequest,
): ForkInput {
  const kept = replayedPrefix(record, atStep - 1);
  // The record's replies begin where its own strategy took over.
  const takenOverBefore = record.fork?.takenOver ?? 0;
  const isSame = strategy === record.config.strategy;
  const takenOver = isSame ? Math.min(takenOverBefore, kept.length) : kept.length;
  const needed = repliesUntil(replies, sumCalls(kept.slice(takenOverBefore)));
  return {
    name,
    origin: { workflowId: record.workflowId, workflowRunId: record.workflowRunId },
    atStep,
    takenOver,
    corrections: listCorrections(record, kept.length, observation),
    changes,
    kept,
    replies: takenOver < kept.length ? needed : needed.filter(({ role }) => isUserRole(role)),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
  };
}

/**
 * Returns the replies to the agent's and the user's calls if the record alone has all of them. This requires that the
 * trajectory is the agent's conversation, and that the agent gets the replies of the simulated user's model unchanged.
 * @returns null for any other record
 */
export function repliesInRecord({ config, trajectory, fork }: EpisodeRecord): RecordedReply[] | null {
  const conversation = findStrategy(config.strategy, config.strategyOptions.agentFile)?.conversation;
  if (conversation === undefined || config.userStrategy !== 'llm') return null;
  let agents = 0;
  return trajectory.flatMap((message) => {
    if (message.role === 'user') return [toReply({ role: 'user', thread: 'user' }, message.content)];
    if (message.role !== 'assistant') return [];
    agents += 1;
    // Actions that another strategy chose are not repeated by calls of this one.
    return agents <= (fork?.takenOver ?? 0) ? [] : [toReply(conversation, message)];
  });
}

/**
 * Returns the steps in the agent's own form. Under a condition the agent may use other names, or make calls without an
 * effect.
 */
function replayedPrefix(record: EpisodeRecord, count: number): ReplayedStep[] {
  const { steps, condition, config, trajectory } = record;
  const form = findStrategy(config.strategy, config.strategyOptions.agentFile)?.form;
  const actions = condition === undefined ? record.actions : listActions(trajectory, form, steps.length);
  return steps.slice(0, count).map((step, at) => {
    const { calls, promptTokens, completionTokens, costUsd, durationMs, thinkMs } = step;
    const action = actions[at];
    if (action === undefined) throw new Error(`the record has ${steps.length} steps, but ${actions.length} actions`);
    return {
      action: toActionWire(action),
      calls,
      promptTokens,
      completionTokens,
      costUsd,
      timing: { durationMs, thinkMs },
    };
  });
}

function sumCalls(steps: readonly ReplayedStep[]): number {
  return steps.reduce((sum, { calls }) => sum + calls, 0);
}

/** Returns the corrections of the replayed steps: the new one, and those of an origin that is itself a fork. */
function listCorrections({ fork }: EpisodeRecord, last: number, observation: string | undefined): Correction[] {
  const earlier = (fork?.corrections ?? []).filter(({ step }) => step <= last);
  if (observation === undefined) return earlier;
  return [...earlier.filter(({ step }) => step < last), { step: last, observation }];
}

function toReply(
  { role, thread }: Pick<RecordedReply, 'role' | 'thread'>,
  said: string | Extract<TrajectoryMessage, { role: 'assistant' }>,
): RecordedReply {
  const message = typeof said === 'string' ? { role: 'assistant' as const, content: said } : said;
  const finishReason = 'tool_calls' in message && message.tool_calls !== undefined ? 'tool_calls' : 'stop';
  return { role, thread, result: { kind: 'completion', message, finishReason } };
}
