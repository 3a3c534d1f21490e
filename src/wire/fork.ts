/**
 * A fork: an episode that keeps the first steps of another one, its origin, as they were, and goes on from there by
 * itself.
 *
 * A strategy and a simulated user are functions of what they are answered, and the environment is a fold over the
 * actions. So it is enough to give the answers of the origin once more: conversation, state and memory are then those of
 * the origin, whatever the strategy keeps in them.
 */

import {
  AgentError,
  type AgentErrorKind,
  type AssistantMessage,
  type CallRole,
  type Completion,
  type CompletionRequest,
  type ReplyFieldValues,
} from '../agents/index.ts';
import type { ActionWire } from './action.ts';
import type { StepMetric } from './episode.ts';
import { isUserRole } from './usage.ts';

/** The episode that was forked. Its workflow id is used again when it is run again; the run's id is not. */
export interface ForkOrigin {
  readonly workflowId: string;
  readonly workflowRunId: string;
}

/** What a model call of the origin has come to. Its usage is the origin's, and stays there. */
export interface RecordedReply {
  readonly role: CallRole;
  readonly thread: string;
  readonly result:
    | {
        readonly kind: 'completion';
        readonly message: AssistantMessage;
        readonly finishReason: string;
        /** See `Completion.fields`. */
        readonly fields?: ReplyFieldValues | null;
      }
    /** A failure that the strategy saw, and may have answered with another request. */
    | { readonly kind: 'failure'; readonly error: AgentErrorKind; readonly message: string };
}

/** A step of the origin that stays as it was, with what the agent's calls before it used. */
export interface KeptStep extends Pick<StepMetric, 'calls' | 'promptTokens' | 'completionTokens' | 'costUsd'> {
  readonly action: ActionWire;
  /** As long as the step took in the origin. Absent in forks of before it was kept. */
  readonly timing?: Pick<StepMetric, 'durationMs' | 'thinkMs'>;
}

/** Other words in the place of what a step showed. The environment's data stay what they were. */
export interface Correction {
  /** 1-based; 0 is the customer's opening. */
  readonly step: number;
  readonly observation: string;
}

/** What a fork's record says of it. */
export interface ForkFacts {
  /** `fork-2`: the last part of its workflow id. */
  readonly name: string;
  readonly origin: ForkOrigin;
  /** The first step that is taken anew, 1-based. */
  readonly atStep: number;
  /**
   * Of the kept steps, how many from the first on are taken by their actions alone, because another strategy chose
   * them; the fork's own strategy takes over after them.
   */
  readonly takenOver: number;
  /** Those that the origin was a fork with are among them. */
  readonly corrections: readonly Correction[];
  /** What is another than in the origin, for a person: `model: openai/gpt-4o, now openai/gpt-5`. */
  readonly changes: readonly string[];
}

export interface ForkInput extends ForkFacts {
  /** The steps before `atStep`. */
  readonly kept: readonly KeptStep[];
  /**
   * In the order in which the calls were made; of steps that are taken by their actions, the user's alone. There may be
   * more than the kept steps need.
   */
  readonly replies: readonly RecordedReply[];
  /** USD that the fork's own calls may cost: once they have cost as much, no further one is made. Absent: no limit. */
  readonly maxCostUsd?: number;
}

/** A recorded reply as the strategy, or the simulated user, gets it once more: nothing is used, nothing is paid. */
export function completionOf({ result }: RecordedReply): Completion {
  if (result.kind === 'failure') throw new AgentError(result.error, result.message);
  const { message, finishReason, fields } = result;
  return {
    message,
    finishReason,
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
    costUsd: 0,
    latencyMs: 0,
    ...(fields === undefined ? {} : { fields }),
  };
}

export function fitsRequest({ role, thread }: RecordedReply, request: CompletionRequest): boolean {
  return role === request.role && thread === request.thread;
}

/**
 * The replies up to the agent's call of that number, and what follows until its next one has been answered: at least
 * those that the steps need which these calls led to.
 * @param agentCalls answered calls, as step metrics count them
 */
export function repliesUntil(replies: readonly RecordedReply[], agentCalls: number): RecordedReply[] {
  let answered = 0;
  const end = replies.findIndex(({ role, result }) => {
    if (!isUserRole(role) && result.kind === 'completion') answered += 1;
    return answered > agentCalls;
  });
  return end < 0 ? [...replies] : replies.slice(0, end);
}
