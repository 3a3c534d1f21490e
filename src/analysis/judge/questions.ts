/**
 * What a judge is asked of a failed episode. The answers are those of tau-bench's `auto_error_identification.py`, and
 * one that its README names and its code does not have (`took_unintended_action`); the wording is this project's.
 */

import type { FaultType } from '../types.ts';

/** Raised when prompts change: verdicts that were given with others are given anew. */
export const PROMPT_VERSION = 1;

export type JudgedAuthor = 'user' | 'agent' | 'environment';
export type Choice = JudgedAuthor | FaultType;

export interface Question {
  readonly text: string;
  /** In the order of their letters. */
  readonly options: readonly { readonly choice: Choice; readonly text: string }[];
}

export const QUESTIONS = {
  author: {
    text: 'Whose fault was it first that the goal was not reached?',
    options: [
      {
        choice: 'user',
        text:
          'the customer: it said or asked for something that its instruction does not give, held back or changed ' +
          'what the instruction gives, or ended the conversation too early, and the agent did what followed from that',
      },
      {
        choice: 'agent',
        text:
          'the agent: it had or could have had what it needed, and made a wrong call, a call with wrong arguments, ' +
          'one call too many, or left out something that it had to do or to tell',
      },
      {
        choice: 'environment',
        text: 'neither of them: a tool answered wrongly, or the right calls given above are wrong themselves',
      },
    ],
  },
  fault: {
    text: "What was the agent's first fault?",
    options: [
      { choice: 'called_wrong_tool', text: 'it called another tool than the right one' },
      { choice: 'used_wrong_tool_argument', text: 'it called the right tool with a wrong argument' },
      {
        choice: 'goal_partially_completed',
        text: 'what it did was right, but it left out a part of what had to be done or told',
      },
      { choice: 'took_unintended_action', text: 'it changed something that nobody had asked it to change' },
      { choice: 'other', text: 'something else' },
    ],
  },
} as const satisfies Readonly<Record<string, Question>>;

export type QuestionName = keyof typeof QUESTIONS;

/** `A` for the first. */
export function letterAt(position: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + position);
}
