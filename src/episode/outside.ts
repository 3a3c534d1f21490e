/**
 * Messages between an episode and an outside harness, which steps the environment and answers for the user
 * (`--decisions stdio`): the episode sends an action and receives its observation.
 */

import { STOP_MARKER } from '../benchmarks/pure.ts';
import type { ActionWire } from './environment.ts';

/** An action without an observation yet. */
export interface OpenAction {
  /** Number of the step, from 1; 0 for the user's first message. */
  readonly number: number;
  /** The action; null for the user's first message. */
  readonly action: ActionWire | null;
}

/** An observation with the number of its action, so that a second observation of the same action is rejected. */
export interface OutsideObservation {
  readonly number: number;
  readonly observation: string;
  /** True if the episode has ended with this action. */
  readonly done: boolean;
}

/** Longest observation in characters: longer than any tool's, and below the size limit of a workflow's input. */
export const MAX_OBSERVATION_CHARS = 250_000;

/**
 * Checks an observation. @returns the reason for rejecting it, as a sentence without its full stop; null if it is
 * accepted
 */
export function findObservationProblem(given: OutsideObservation, open: OpenAction | null): string | null {
  if (!isObservation(given)) return 'an observation is the number of its action, a text, and true or false for done';
  const { number, observation, done } = given;
  if (open === null) return 'no action waits for an observation now: the agent works, or the episode has ended';
  if (number !== open.number) {
    return number < open.number
      ? `action ${number} has its observation already; action ${open.number} waits for one`
      : `action ${open.number} waits for an observation, not yet action ${number}`;
  }
  if (observation.length > MAX_OBSERVATION_CHARS) {
    return `an observation may have ${MAX_OBSERVATION_CHARS} characters, and this one has ${observation.length}`;
  }
  if (number > 0) return null;
  if (observation.trim() === '') return "the user's first message must have words";
  if (done || observation.includes(STOP_MARKER)) return 'the conversation has to be opened before it can end';
  return null;
}

/** Checks the form of an observation, because a client of any version may have sent it. */
function isObservation(value: unknown): value is OutsideObservation {
  if (typeof value !== 'object' || value === null) return false;
  const { number, observation, done } = value as Partial<Record<keyof OutsideObservation, unknown>>;
  return Number.isSafeInteger(number) && typeof observation === 'string' && typeof done === 'boolean';
}
