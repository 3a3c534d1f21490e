/** The port of an agent service, which receives requests, and makes calls while it works. */

import type { Action, StepResult } from '../../benchmarks/index.ts';
import type { Completion } from '../messages.ts';

/** Tool that speaks to the user, for agents without turns of their own. */
export const RESPOND_TO_USER = 'respond_to_user';

/** A tool call in an agent's answer; the arguments are JSON text. */
export interface AgentToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export type AgentAnswer =
  /** A message to the user. */
  | { readonly kind: 'message'; readonly content: string }
  | { readonly kind: 'tool_calls'; readonly calls: readonly AgentToolCall[] }
  /** The agent ends the conversation itself. */
  | { readonly kind: 'end' }
  /** A tool call has ended the episode or used its last step, so the agent's answer is ignored. */
  | { readonly kind: 'over' };

export interface ServiceRequest {
  /** Number of the user's message, from 1. */
  readonly turn: number;
  /** Number of messages at the trajectory's end that are new to the agent. */
  readonly fresh: number;
}

/** Calls of the service while it works on a request. */
export interface ServiceCalls {
  /** Takes an action of the agent and adds it to the trajectory. Calls must not overlap. */
  take(action: Action): Promise<StepResult>;
  /** Called for each model call that the episode has made for the agent. */
  readonly spend?: (completion: Pick<Completion, 'usage' | 'costUsd'>) => void;
  /** Called after steps were undone. @param steps number of remaining steps */
  readonly wentBack?: (steps: number) => void;
}

export interface ServicePort {
  /**
   * Sends a request to the agent. A lost attempt is repeated, and its completed calls answer the same calls of the next
   * attempt.
   * @throws AgentError for an error of the agent
   */
  ask(request: ServiceRequest, calls: ServiceCalls): Promise<AgentAnswer>;
}
