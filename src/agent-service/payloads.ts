/**
 * Agents that are services: what the episode asks of them, and what they call back while they work.
 *
 * A request is one activity, `agentTurn`. While it runs, the worker's gateway passes on what the agent calls: tools and
 * models, each an Update of the episode. What an attempt had completed answers the next attempt's same calls, so a
 * request that is asked again pays nothing twice and takes no step twice.
 */

import type { AgentAnswer, Usage, WireName } from '../agents/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import type {
  EarlierAttempts,
  EpisodeKey,
  EvaluationConfig,
  FailedReplies,
  ModelPrice,
  ModelSettings,
  TranscriptDelta,
} from '../evaluation/index.ts';

/** One request to the agent: the user's message, or results of tools that its last answer called. */
export interface AgentTurnInput {
  readonly pack: PackRef;
  readonly strategyOptions: EvaluationConfig['strategyOptions'];
  /** The episode as the agent knows it: says nothing of task, trial or run. */
  readonly session: string;
  /** Number of the user's message, from 1. */
  readonly turn: number;
  /** Number of the request within the episode, from 1. */
  readonly request: number;
  /** The conversation, without a system message; the last {@link fresh} messages are new to the agent. */
  readonly conversation: TranscriptDelta;
  readonly fresh: number;
  /** True if the agent is asked again what it has answered before, because it has lost the episode. */
  readonly isReplay?: true;
  /** Attempts at this request by earlier activities. */
  readonly earlierAttempts: number;
  /** {@link AgentTurnOutput.peer} of the request before; absent: the conversation begins, or the agent gave none. */
  readonly peer?: string;
  /** True if an activity before may have sent the request in the same conversation. Absent without a {@link peer}. */
  readonly isRepeated?: true;
  /** Provider of the agent's model calls, and the model that answers them (null: as asked); absent: the run names none. */
  readonly model?: { readonly provider: string; readonly model: string | null };
  readonly maxRetries: number;
}

export interface AgentTurnOutput {
  readonly answer: AgentAnswer;
  /** Attempts at the request, this one and {@link AgentTurnInput.earlierAttempts} included. */
  readonly attempt: number;
  /** The attempt whose answer it is, where the agent says so: one that keeps its answers gives that of an earlier one. */
  readonly answersAttempt?: number;
  readonly latencyMs: number;
  /** Usage that the agent reports of model calls of its own; absent: it reports none. */
  readonly usage?: ReportedUsage;
  /** Place of the conversation at the agent, which nobody but its client reads; absent: it needs nothing. */
  readonly peer?: string;
  /** Requests that the gateway has passed through without recording them, such as embeddings; absent: none. */
  readonly passedThrough?: number;
}

/** Model calls that an agent has made by itself. */
export interface ReportedUsage extends Usage {
  readonly calls: number;
  /** USD; null: unknown. */
  readonly costUsd: number | null;
  readonly model?: string;
}

/** Place of a call: calls of an attempt before the last are refused. */
interface CallPlace {
  readonly request: number;
  /** Counts over all activities of the request, from 1. */
  readonly attempt: number;
}

/** Update `toolCall`. */
export interface ToolCallRequest extends CallPlace {
  readonly name: string;
  /** JSON text of an object. */
  readonly argumentsJson: string;
}

/** Reason why a call is not carried out; each is the agent's to handle, and none ends the worker. */
export type CallRefusal =
  /** A later attempt, or no request at all, is under way. */
  | 'stale'
  /** The episode has ended, or has no steps left. */
  | 'over'
  /** The agent is walked through the episode again and calls what it did not call before. */
  | 'diverged'
  /** The arguments are no JSON object, or the call is no tool's. */
  | 'invalid'
  /** The beginning of the model call's conversation is not known here: send it whole. */
  | 'transcript';

export interface Refused {
  readonly refused: CallRefusal;
  /** One sentence for the agent's author. */
  readonly message: string;
}

export interface ToolCallResult {
  readonly observation: string;
  /** True if the episode has ended with this call: the agent is not heard any more. */
  readonly done: boolean;
}

/** Update `modelCall`: a request of the agent to a model, whole but for key, address and `stream`. */
export interface ModelCallRequest extends CallPlace {
  readonly wire: WireName;
  /** sha256 of the request without `stream` and `stream_options`, lower-case hex. */
  readonly digest: string;
  readonly model: string;
  /** Part of the agent that calls, as it names itself; absent: the agent. */
  readonly role?: string;
  /**
   * The request's JSON as items: first the body without its messages (`messages`, `input`), then each message, all as the
   * content of user messages. A message that earlier calls of the thread began with is not sent again.
   */
  readonly transcript: TranscriptDelta;
}

/** The provider's answer as the agent gets it, never streamed. */
export interface ModelCallResult {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** Result of a call, as the agent gets it. */
export type CallResult = ToolCallResult | ModelCallResult;

/** Stands for a result that is in the history already, as that of an activity: its name for {@link EpisodeQueries}. */
export interface Recorded {
  readonly recorded: string;
}

/** Queries of an episode whose agent is a service, by workers that do not have what it has recorded; null: unknown. */
export interface EpisodeQueries {
  /** A call's result, by {@link Recorded.recorded}. */
  readonly callResult: CallResult | null;
  /** The whole conversation of a model call under way, by {@link ForwardInput.call}. */
  readonly callTranscript: TranscriptDelta | null;
}

export interface ForwardInput {
  /** Names the call within its episode, also when it is made again with the whole conversation: `agent 3`. */
  readonly call: string;
  readonly episode: EpisodeKey;
  readonly wire: WireName;
  readonly model: ModelSettings;
  /** Names the conversation without its items, which the call's Update has brought: {@link EpisodeQueries.callTranscript}. */
  readonly transcript: TranscriptDelta;
  readonly maxRetries: number;
  /** The run's own price of this model; absent: the price list has it. */
  readonly price?: ModelPrice;
  /** See `EvaluationConfig.responseCache`. */
  readonly cache?: string;
  /** Absent in a call's first activity. */
  readonly earlier?: EarlierAttempts;
}

export interface ForwardOutput extends ModelCallResult {
  readonly servedModel: string;
  readonly finishReason: string;
  readonly usage: Usage;
  /** USD, null when the model's price is unknown. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** See `CompleteOutput.attempt`. */
  readonly attempt: number;
  /** See `CompleteOutput.cached`. */
  readonly cached?: true;
  /** See `CompleteOutput.failedReplies`. */
  readonly failedReplies?: FailedReplies;
}
