/** The gateway's port: a request to an agent in progress, which the token in a URL identifies. */

import type { ModelCallRequest, ModelCallResult, RefusedCall, ToolCallRequest, ToolCallResult } from '../payloads.ts';

interface GatewayModel {
  readonly provider: string;
  /** Name of the model; null: the one that each request names. */
  readonly model: string | null;
}

/** Policy and tools of an episode for MCP. */
export interface EpisodeOffer {
  readonly policy: string;
  /** The tools in the form of OpenAI. */
  readonly tools: readonly {
    readonly function: {
      readonly name: string;
      readonly description?: string | undefined;
      /** JSON Schema of an object. */
      readonly parameters?: Readonly<Record<string, unknown>> | undefined;
    };
  }[];
  /** Names of the tools that change data. */
  readonly writes: readonly string[];
}

/** The episode's side of a request: updates of its workflow in a run, plain functions in tests. */
export interface TurnBinding {
  /** Unique name of the episode, for limits and transcripts: `workflowId/runId`. */
  readonly episode: string;
  readonly request: number;
  readonly attempt: number;
  /** Provider of the agent's model calls, and the model that answers them; absent if the run names none. */
  readonly model?: GatewayModel;
  /** Policy and tools for MCP; absent: none. */
  readonly offer?: EpisodeOffer;
  readonly toolCall: (call: ToolCallRequest) => Promise<ToolCallResult | RefusedCall>;
  readonly modelCall: (call: ModelCallRequest) => Promise<ModelCallResult | RefusedCall>;
}

/** Addresses of an open binding, and its end. */
export interface OpenTurn {
  /** `POST`: one tool call. */
  readonly toolsUrl: string;
  /** Base URL of an OpenAI-compatible API: `…/openai/v1`. */
  readonly openaiUrl: string;
  /** Base URL of an Anthropic-compatible API, without `/v1`. */
  readonly anthropicUrl: string;
  /** The tools and the policy over MCP; followed by `WITH_USER`, with a tool that speaks to the user. */
  readonly mcpUrl: string;
  /** Settles when a call has received the answer that the episode is over. */
  readonly over: Promise<void>;
  /** Waits for calls in progress, and refuses all further ones. */
  close(): Promise<ClosedCalls>;
}

/** Calls of a request to an agent, after its end. */
export interface ClosedCalls {
  /** Number of requests that were passed through. */
  readonly passedThrough: number;
  /** Number of calls in progress at the end. */
  readonly open: number;
  /** True if a call was not carried out for a reason that is not the agent's. */
  readonly isDisturbed?: true;
}

export interface Gateway {
  readonly open: (binding: TurnBinding) => OpenTurn;
  readonly close: () => Promise<void>;
}
