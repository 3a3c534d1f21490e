/** A conversation with a person in the place of the simulated user: what an episode tells of it, and what it takes. */

import { STOP_MARKER } from '../benchmark/index.ts';

/** What one side has said; the agent's null is a reply without words. */
export interface SpokenLine {
  readonly who: 'agent' | 'customer';
  readonly text: string | null;
}

/** What a person is waited for. */
export interface OpenQuestion {
  /** Counts from 1, which is the opening. */
  readonly number: number;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
}

export interface Conversation {
  readonly lines: readonly SpokenLine[];
  /** Null while the agent works, and when the episode has ended. */
  readonly question: OpenQuestion | null;
}

/** Names the question it answers, so that of two people who answer the same one the second is told. */
export interface Answer {
  readonly question: number;
  readonly text: string;
}

/** Characters of an answer: pages of text, and far from what a workflow's input may have. */
export const MAX_ANSWER_CHARS = 10_000;

/** Why an answer is refused, as a sentence without its full stop; null when it is taken. */
export function answerProblem(answer: Answer, open: OpenQuestion | null): string | null {
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
  // The reference looks for the marker in replies only, and its agent would be shown it.
  if (open.number === 1 && text.includes(STOP_MARKER)) {
    return `the conversation has to be opened before ${STOP_MARKER} can end it`;
  }
  return null;
}

/** What comes over the wire is what a client of any version has sent. */
function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null) return false;
  const { question, text } = value as Partial<Record<keyof Answer, unknown>>;
  return Number.isSafeInteger(question) && typeof text === 'string';
}
