/**
 * A fork is an episode that replays the first steps of another one, its origin, and then continues by itself. A
 * strategy and a simulated user are functions of the replies that they get, and the environment is a fold over the
 * actions. So replaying the origin's replies restores its conversation, state and memory, whatever the strategy keeps.
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
import { isUserRole } from '../evaluation/index.ts';
import type { ActionWire, StepMetric } from './environment.ts';

/** The episode that was forked. Its rerun has the same workflow id, but another run id. */
export interface ForkOrigin {
  readonly workflowId: string;
  readonly workflowRunId: string;
}

/** Result of a model call of the origin, to which its usage belongs. */
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

/** A step of the origin that a fork replays, with the usage of the agent's calls before it. */
export interface ReplayedStep extends Pick<StepMetric, 'calls' | 'promptTokens' | 'completionTokens' | 'costUsd'> {
  readonly action: ActionWire;
  /** Durations of the step in the origin. */
  readonly timing: Pick<StepMetric, 'durationMs' | 'thinkMs'>;
}

/** Replacement for the observation of a replayed step. The environment's data do not change. */
export interface Correction {
  /** Number of the step, from 1; 0 for the user's first message. */
  readonly step: number;
  readonly observation: string;
}

/** Facts about a fork for its record. */
export interface ForkFacts {
  /** Name of the fork, the last part of its workflow id: `fork-2`. */
  readonly name: string;
  readonly origin: ForkOrigin;
  /** First new step, from 1 to the origin's number of steps plus one. */
  readonly atStep: number;
  /**
   * Number of leading replayed steps that another strategy chose. Their actions are replayed without the strategy; then
   * the fork's own strategy takes over.
   */
  readonly takenOver: number;
  /** Corrections, including the origin's if that is a fork itself. */
  readonly corrections: readonly Correction[];
  /** Differences from the origin's configuration, as text: `model: openai/gpt-4o, now openai/gpt-5`. */
  readonly changes: readonly string[];
}

export interface ForkInput extends ForkFacts {
  /** The steps before `atStep`. */
  readonly kept: readonly ReplayedStep[];
  /**
   * Replies in the order of their calls; for steps that are replayed without the strategy, only the user's replies.
   * There may be more than the replayed steps need.
   */
  readonly replies: readonly RecordedReply[];
  /** Limit of the cost of the fork's own calls, in USD; above it, no further call is made. @default no limit */
  readonly maxCostUsd?: number;
}

/** Returns a recorded reply as the completion for the strategy or the simulated user, without usage or cost. */
export function toCompletion({ result }: RecordedReply): Completion {
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
 * Returns the replies up to the agent's first `agentCalls` ones, and the user's replies after them. The replayed prefix
 * needs no others.
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
