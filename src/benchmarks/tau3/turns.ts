/**
 * The order of turns in a τ³-bench episode: who is next after a message or after tool results, and when and why an
 * episode ends. A step is a message of agent or user, or the results of its tool calls.
 */

import { strip } from '../python/index.ts';
import type { Requestor } from './tool.ts';

const MAX_STEPS = 200;
const MAX_ERRORS = 10;

/** The reason for an episode's end, in the reference's words. An empty message ends the reference's run with an exception. */
export type Termination =
  'agent_stop' | 'user_stop' | 'max_steps' | 'too_many_errors' | 'agent_error' | 'user_error' | 'infrastructure_error';

/** A point between two steps. */
export interface Turn {
  /** The participant who acts next, or whose tool calls are carried out next. */
  readonly next: Requestor;
  /** True if the participant's tool calls wait to be carried out. */
  readonly isCalling: boolean;
  readonly steps: number;
  /** Tool calls that failed, of both sides. */
  readonly errors: number;
  readonly termination?: Termination;
}

interface TurnLimits {
  readonly maxSteps?: number;
  readonly maxErrors?: number;
  /** Ends an episode at a message that has both a text and tool calls; else its calls are carried out. @default false */
  readonly isStrict?: boolean;
}

/** A message of agent or user; without tool calls, the list is absent. */
export interface TurnMessage {
  readonly text: string | null;
  readonly toolCalls?: readonly unknown[];
}

/** The turn after the agent's first message, which is not a step. */
export const FIRST_TURN: Turn = { next: 'user', isCalling: false, steps: 0, errors: 0 };

/** Each of them, in the words of a simulated user, ends the episode. */
export const STOP_MARKERS = ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'] as const;

/** Returns true if a message of the user's ends the episode: tool calls with a marker beside them do not. */
export function isUserStop({ text, toolCalls }: TurnMessage): boolean {
  return toolCalls === undefined && STOP_MARKERS.some((marker) => text?.includes(marker) === true);
}

/** The turn after the message of the participant who was next. */
export function afterMessage(turn: Turn, message: TurnMessage, limits: TurnLimits = {}): Turn {
  requireOpen(turn, false);
  const speaker = turn.next;
  const hasText = strip(message.text ?? '') !== '';
  const isCalling = message.toolCalls !== undefined;
  if (!hasText && !isCalling) return { ...turn, termination: 'infrastructure_error' };
  const next = isCalling ? speaker : other(speaker);
  const steps = turn.steps + 1;
  const reached: Turn = { ...turn, next, isCalling, steps };
  if (limits.isStrict === true && hasText && isCalling) {
    return { ...reached, termination: speaker === 'user' ? 'user_error' : 'agent_error' };
  }
  const stopped = speaker === 'user' && isUserStop(message);
  return limited(stopped ? { ...reached, termination: 'user_stop' } : reached, limits);
}

/** The turn after the tool calls of a message. @param failed the number of those that failed */
export function afterToolResults(turn: Turn, failed: number, limits: TurnLimits = {}): Turn {
  requireOpen(turn, true);
  return limited({ ...turn, isCalling: false, steps: turn.steps + 1, errors: turn.errors + failed }, limits);
}

/** The limits count where a participant is next, not while calls wait; they prevail over a stop in the same step. */
function limited(turn: Turn, { maxSteps = MAX_STEPS, maxErrors = MAX_ERRORS }: TurnLimits): Turn {
  if (turn.isCalling) return turn;
  if (turn.errors >= maxErrors) return { ...turn, termination: 'too_many_errors' };
  return turn.steps >= maxSteps ? { ...turn, termination: 'max_steps' } : turn;
}

function other(participant: Requestor): Requestor {
  return participant === 'user' ? 'assistant' : 'user';
}

function requireOpen(turn: Turn, isCalling: boolean): void {
  if (turn.termination !== undefined) throw new Error(`the episode has ended: ${turn.termination}`);
  if (turn.isCalling !== isCalling) {
    throw new Error(isCalling ? 'no tool calls wait to be carried out' : 'tool calls wait to be carried out');
  }
}
