/**
 * Payloads of requests to agent services, and of the agents' calls.
 *
 * A request is one activity, `agentTurn`. While it runs, the worker's gateway passes on the agent's calls of tools and
 * models, each as an update of the episode. Results of an attempt answer the same calls of the next attempt, so a
 * repeated request neither pays nor takes a step twice.
 */

import type { AgentAnswer, Usage, WireName } from '../agents/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import type { RunCondition } from '../conditions/index.ts';
import type {
  EarlierAttempts,
  EpisodeKey,
  EvaluationConfig,
  FailedReplies,
  ModelPrice,
  ModelSettings,
  TranscriptDelta,
} from '../evaluation/index.ts';

/** A request to the agent: the user's message, or results of tools that its last answer called. */
export interface AgentTurnInput {
  readonly pack: PackRef;
  /** The task of an environment service, which may have tools and a policy of its own; absent for other packs. */
  readonly task?: { readonly split: string; readonly taskId: number } | undefined;
  /** Condition of the episode; absent: `base`. */
  readonly condition?: RunCondition;
  readonly strategyOptions: EvaluationConfig['strategyOptions'];
  /** The agent's name of the episode, which does not reveal task, trial or run. */
  readonly session: string;
  /** Number of the user's message, from 1. */
  readonly turn: number;
  /** Number of the request within the episode, from 1. */
  readonly request: number;
  /** The conversation, without a system message; the last {@link fresh} messages are new to the agent. */
  readonly conversation: TranscriptDelta;
  readonly fresh: number;
  /** True if the agent has answered this request before, but has lost the episode. */
  readonly isReplay?: true;
  /** Number of attempts at this request by earlier activities. */
  readonly earlierAttempts: number;
  /** {@link AgentTurnOutput.peer} of the previous request; absent at the beginning, or if the agent gave none. */
  readonly peer?: string;
  /** True if an earlier activity may have sent the request in the same conversation. Absent without a {@link peer}. */
  readonly isRepeated?: true;
  /**
   * Provider of the agent's model calls, and the model that answers them (null: the requested one); absent: the run
   * names none.
   */
  readonly model?: { readonly provider: string; readonly model: string | null };
  readonly maxRetries: number;
}

export interface AgentTurnOutput {
  readonly answer: AgentAnswer;
  /** Number of attempts at the request, including this one and {@link AgentTurnInput.earlierAttempts}. */
  readonly attempt: number;
  /** The attempt to which the answer belongs, if the agent names it; it may repeat an earlier attempt's answer. */
  readonly answersAttempt?: number;
  readonly latencyMs: number;
  /** Usage that the agent reports of its own model calls; absent: none reported. */
  readonly usage?: ReportedUsage;
  /** The A2A client's state of the conversation; absent: none. */
  readonly peer?: string;
  /** Number of requests that the gateway forwarded without recording them, such as embeddings; absent: none. */
  readonly passedThrough?: number;
}

/** Usage of model calls that the agent made by itself. */
export interface ReportedUsage extends Usage {
  readonly calls: number;
  /** USD; null: unknown. */
  readonly costUsd: number | null;
  readonly model?: string;
}

/** The attempt that makes a call; calls of earlier attempts are refused. */
interface RequestPlace {
  readonly request: number;
  /** Number of the attempt, from 1, over all activities of the request. */
  readonly attempt: number;
}

/** Update `toolCall`. */
export interface ToolCallRequest extends RequestPlace {
  readonly name: string;
  /** JSON text of an object. */
  readonly argumentsJson: string;
}

/** Reason why a call is refused; the agent handles it. */
export type CallRefusal =
  /** A later attempt, or no request, is in progress. */
  | 'stale'
  /** The episode has ended, or has no steps left. */
  | 'over'
  /** The agent repeats the episode and makes a call that it did not make before. */
  | 'diverged'
  /** The arguments are not a JSON object, or there is no such tool. */
  | 'invalid'
  /** The beginning of the model call's conversation is unknown; the whole has to be sent. */
  | 'transcript';

export interface RefusedCall {
  readonly refused: CallRefusal;
  /** One sentence for the agent's author. */
  readonly message: string;
}

export interface ToolCallResult {
  readonly observation: string;
  /** True if the call ended the episode; later calls are refused. */
  readonly done: boolean;
}

/** Update `modelCall`: an agent's request to a model without key, address and `stream`. */
export interface ModelCallRequest extends RequestPlace {
  readonly wire: WireName;
  /** sha256 of the request without `stream` and `stream_options`, in lower-case hex. */
  readonly digest: string;
  readonly model: string;
  /** The agent's name for the part of it that makes the call; absent: the agent. */
  readonly role?: string;
  /**
   * The request's JSON as items: first the body without its messages (`messages`, `input`), then each message, all as
   * the content of user messages. Messages of earlier calls of the thread are not sent again.
   */
  readonly transcript: TranscriptDelta;
}

/** The provider's answer, never streamed. */
export interface ModelCallResult {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

export type CallResult = ToolCallResult | ModelCallResult;

/** Reference to a result that an activity has written to the history: its name for {@link EpisodeQueries}. */
export interface RecordedResult {
  readonly recorded: string;
}

/**
 * Queries of an episode whose agent is a service, for workers that lack its data. A result is null if it is unknown.
 */
export interface EpisodeQueries {
  /** A call's result, by {@link RecordedResult.recorded}. */
  readonly callResult: CallResult | null;
  /** The whole conversation of a model call in progress, by {@link ForwardInput.call}. */
  readonly callTranscript: TranscriptDelta | null;
}

export interface ForwardInput {
  /** Name of the call within its episode, such as `agent 3`; kept when the call is repeated. */
  readonly call: string;
  readonly episode: EpisodeKey;
  readonly wire: WireName;
  readonly model: ModelSettings;
  /**
   * The conversation without its items, which the call's Update has brought; see {@link EpisodeQueries.callTranscript}.
   */
  readonly transcript: TranscriptDelta;
  readonly maxRetries: number;
  /** The run's own price of the model. @default the price list's */
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
  /** USD; null when the price is unknown. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** See `CompleteOutput.attempt`. */
  readonly attempt: number;
  /** See `CompleteOutput.cached`. */
  readonly cached?: true;
  /** See `CompleteOutput.failedReplies`. */
  readonly failedReplies?: FailedReplies;
}
