/** The gateway's port: a request to an agent that is under way, to which the token in a URL leads. */

import type { ModelCallRequest, ModelCallResult, Refused, ToolCallRequest, ToolCallResult } from '../payloads.ts';

interface ServedModel {
  readonly provider: string;
  /** null: the one that is asked for. */
  readonly model: string | null;
}

/** Policy and tools of an episode, as MCP serves them. */
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

/** The episode's side of a request: in the product Updates of its workflow, in tests plain functions. */
export interface TurnBinding {
  /** The episode among all, for limits and transcripts: `workflowId/runId`. */
  readonly episode: string;
  readonly request: number;
  readonly attempt: number;
  /** Provider of the agent's model calls, and the model that answers them; absent: the run names none. */
  readonly model?: ServedModel;
  /** Policy and tools for MCP; absent: none. */
  readonly offer?: EpisodeOffer;
  readonly toolCall: (call: ToolCallRequest) => Promise<ToolCallResult | Refused>;
  readonly modelCall: (call: ModelCallRequest) => Promise<ModelCallResult | Refused>;
}

/** Addresses of an open binding, and how it has gone. */
export interface OpenTurn {
  /** `POST`: one tool call. */
  readonly toolsUrl: string;
  /** Base URL of an OpenAI-compatible API: `…/openai/v1`. */
  readonly openaiUrl: string;
  /** Base URL of an Anthropic-compatible API, without `/v1`. */
  readonly anthropicUrl: string;
  /** The tools and the policy over MCP; followed by `WITH_USER`, with a tool that speaks to the user. */
  readonly mcpUrl: string;
  /** Settles when the answer to a call is that the episode is over. */
  readonly over: Promise<void>;
  /** Waits for calls under way, and refuses all further ones. */
  close(): Promise<ClosedCalls>;
}

/** Calls of a request to an agent that has ended. */
export interface ClosedCalls {
  /** Requests that were passed through. */
  readonly passedThrough: number;
  /** Calls that were under way when it ended. */
  readonly open: number;
  /** A call was not carried out, for a reason that is not the agent's. Absent: none. */
  readonly isDisturbed?: true;
}

export interface Gateway {
  readonly open: (binding: TurnBinding) => OpenTurn;
  readonly close: () => Promise<void>;
}
