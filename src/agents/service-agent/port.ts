/** The port of an agent that is a service: it gets requests, and calls back while it works. */

import type { Action, StepResult } from '../../benchmarks/index.ts';
import type { Completion } from '../messages.ts';

/** The tool that speaks to the user, for agents that have no turn of their own. */
export const RESPOND_TO_USER = 'respond_to_user';

/** A tool call in an agent's answer; the arguments are JSON text. */
export interface AgentToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export type AgentAnswer =
  /** Words to the user. */
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'tool_calls'; readonly calls: readonly AgentToolCall[] }
  /** The agent ends the conversation itself. */
  | { readonly kind: 'end' }
  /** A tool call has ended the episode, or used up its steps: the agent's answer is of no use any more. */
  | { readonly kind: 'over' };

export interface ServiceRequest {
  /** Number of the user's message, from 1. */
  readonly turn: number;
  /** Number of messages at the trajectory's end that are new to the agent. */
  readonly fresh: number;
}

/** Calls of the service while it works on a request. */
export interface ServiceCalls {
  /** Takes an action of the agent's, and enters it in the trajectory. Called once at a time. */
  take(action: Action): Promise<StepResult>;
  /** Called with each model call that the episode has made for the agent. */
  readonly spend?: (completion: Pick<Completion, 'usage' | 'costUsd'>) => void;
  /** Called after steps were undone. @param steps number of remaining steps */
  readonly wentBack?: (steps: number) => void;
}

export interface ServicePort {
  /**
   * Asks the agent. An attempt that was lost is made again; what it had completed answers the next one's same calls.
   * @throws AgentError for what the agent did wrong
   */
  ask(request: ServiceRequest, calls: ServiceCalls): Promise<AgentAnswer>;
}
