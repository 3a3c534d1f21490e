/**
 * Turns of a τ³-bench episode: the next participant after a message or tool results, and when an episode ends. A step
 * is a message of agent or user, or the results of its tool calls.
 */

import { strip } from '../python/index.ts';
import type { Requestor } from './tool.ts';

const MAX_STEPS = 200;
const MAX_ERRORS = 10;

/** The reference's names of the reasons for an end. In the reference, an empty message is an exception. */
export type Termination =
  'agent_stop' | 'user_stop' | 'max_steps' | 'too_many_errors' | 'agent_error' | 'user_error' | 'infrastructure_error';

/** State between two steps. */
export interface TurnState {
  /** The participant who acts next, or whose tool calls run next. */
  readonly next: Requestor;
  /** True if the participant's tool calls have to be run. */
  readonly isCalling: boolean;
  readonly steps: number;
  /** Number of failed tool calls of both sides. */
  readonly errors: number;
  readonly termination?: Termination;
}

interface TurnLimits {
  readonly maxSteps?: number;
  readonly maxErrors?: number;
  /**
   * True to end an episode at a message with both a text and tool calls; otherwise its calls are run. @default false
   */
  readonly isStrict?: boolean;
}

/** A message of agent or user; without tool calls, the list is absent. */
interface TurnMessage {
  readonly text: string | null;
  readonly toolCalls?: readonly unknown[];
}

/** The turn after the agent's first message, which is not a step. */
export const FIRST_TURN: TurnState = { next: 'user', isCalling: false, steps: 0, errors: 0 };

/** Markers in a simulated user's text that end the episode. */
export const STOP_MARKERS = ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'] as const;

/** True if a user message ends the episode; a marker beside tool calls does not. */
export function isUserStop({ text, toolCalls }: TurnMessage): boolean {
  return toolCalls === undefined && STOP_MARKERS.some((marker) => text?.includes(marker) === true);
}

/** Computes the turn after the message of the next participant. */
export function afterMessage(turn: TurnState, message: TurnMessage, limits: TurnLimits = {}): TurnState {
  requireOpen(turn, false);
  const speaker = turn.next;
  const hasText = strip(message.text ?? '') !== '';
  const isCalling = message.toolCalls !== undefined;
  if (!hasText && !isCalling) return { ...turn, termination: 'infrastructure_error' };
  const next = isCalling ? speaker : otherParticipant(speaker);
  const steps = turn.steps + 1;
  const reached: TurnState = { ...turn, next, isCalling, steps };
  if (limits.isStrict === true && hasText && isCalling) {
    return { ...reached, termination: speaker === 'user' ? 'user_error' : 'agent_error' };
  }
  const stopped = speaker === 'user' && isUserStop(message);
  return limitTurn(stopped ? { ...reached, termination: 'user_stop' } : reached, limits);
}

/** Computes the turn after a message's tool calls. @param failed number of failed calls */
export function afterToolResults(turn: TurnState, failed: number, limits: TurnLimits = {}): TurnState {
  requireOpen(turn, true);
  return limitTurn({ ...turn, isCalling: false, steps: turn.steps + 1, errors: turn.errors + failed }, limits);
}

/** Applies the limits. They apply only when a participant is next, and take precedence over a stop in the same step. */
function limitTurn(turn: TurnState, { maxSteps = MAX_STEPS, maxErrors = MAX_ERRORS }: TurnLimits): TurnState {
  if (turn.isCalling) return turn;
  if (turn.errors >= maxErrors) return { ...turn, termination: 'too_many_errors' };
  return turn.steps >= maxSteps ? { ...turn, termination: 'max_steps' } : turn;
}

function otherParticipant(participant: Requestor): Requestor {
  return participant === 'user' ? 'assistant' : 'user';
}

function requireOpen(turn: TurnState, isCalling: boolean): void {
  if (turn.termination !== undefined) throw new Error(`the episode has ended: ${turn.termination}`);
  if (turn.isCalling !== isCalling) {
    throw new Error(isCalling ? 'no tool calls wait to be carried out' : 'tool calls wait to be carried out');
  }
}
