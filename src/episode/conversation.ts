/** The conversation with a human user. */

import { STOP_MARKER } from '../benchmarks/pure.ts';

/** A message of a conversation with a human user; null: a reply of the agent without text. */
export interface SpokenLine {
  readonly who: 'agent' | 'user';
  readonly text: string | null;
}

/** The question that waits for the human user's answer. */
export interface OpenQuestion {
  /** Number of the question, from 1, which is the opening. */
  readonly number: number;
  /** Time of the question, ISO 8601, UTC. */
  readonly askedAt: string;
}

export interface SpokenConversation {
  readonly lines: readonly SpokenLine[];
  /** Question for the user; null while the agent works, and after the episode's end. */
  readonly question: OpenQuestion | null;
}

/** An answer with the number of its question, so that a second answer to the same question is rejected. */
export interface HumanAnswer {
  readonly question: number;
  readonly text: string;
}

/** Longest answer in characters: pages of text, and far below the size limit of a workflow's input. */
export const MAX_ANSWER_CHARS = 10_000;

/**
 * Checks an answer. @returns the reason for rejecting it, as a sentence without its full stop; null if it is accepted
 */
export function findAnswerProblem(answer: HumanAnswer, open: OpenQuestion | null): string | null {
  if (!isAnswer(answer)) return 'an answer is the number of its question and a text';
  const { question, text } = answer;
  if (open === null) return 'nobody is asked now: the agent works, or the conversation has ended';
  if (question !== open.number) {
    return question < open.number
      ? `question ${question} has been answered; the conversation is at question ${open.number}`
      : `the conversation is at question ${open.number}, not yet at ${question}`;
  }
  if (text.trim() === '') return 'an answer must have words';
  if (text.length > MAX_ANSWER_CHARS) {
    return `an answer may have ${MAX_ANSWER_CHARS} characters, and this one has ${text.length}`;
  }
  // The reference looks for the marker in replies only, so its agent would see it.
  if (open.number === 1 && text.includes(STOP_MARKER)) {
    return `the conversation has to be opened before ${STOP_MARKER} can end it`;
  }
  return null;
}

/** Checks the form of an answer, because a client of any version may have sent it. */
function isAnswer(value: unknown): value is HumanAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { question, text } = value as Partial<Record<keyof HumanAnswer, unknown>>;
  return Number.isSafeInteger(question) && typeof text === 'string';
}
