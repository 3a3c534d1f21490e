/** Types of the grading of a benchmark's episodes. */

import type { Grade } from './grade.ts';
import type { Overlay } from './overlay.ts';
import type { RewardInfo } from './tau-bench/reward-info.ts';
import type { ActingMessage } from './trajectory.ts';
import type { Action, SentenceVerdict, Task } from './types.ts';

/** An episode's conversation in the two forms that benchmarks grade, each created on demand. */
export interface GradedConversation {
  /** The agent's actions, one for each of its messages. */
  readonly actions: () => readonly Action[];
  /** The messages, with the actions as tool calls. */
  readonly messages: () => readonly ActingMessage[];
}

export interface GradeDeps {
  /** Returns the benchmark's hash of a state. The reference's hash of the ground truth comes from it as well. */
  readonly hash: (state: Overlay) => string;
}

/** Puts sentences of a task to a judge model, and reads its reply. */
export interface SentenceJudging {
  /** Returns the task's sentences that its reward depends on. */
  readonly listSentences: (task: Task) => readonly string[];
  readonly prompt: (
    messages: readonly ActingMessage[],
    sentences: readonly string[],
  ) => { readonly system: string; readonly user: string };
  /** Returns true if a request's system prompt is this judge's. */
  readonly isPrompt: (system: string) => boolean;
  /** @returns a verdict on each sentence; null if the reply has none */
  readonly readReply: (reply: string | null, sentences: readonly string[]) => readonly SentenceVerdict[] | null;
}

/** Conversion of a benchmark's grades to their recorded form, and back. */
export interface Grading {
  /** Returns a grade in the form in which it crosses Temporal and is recorded. */
  readonly toInfo: (grade: Grade) => RewardInfo;
  /** Returns a grade from its recorded form, which lacks the names of calls and assertions. */
  readonly fromInfo: (info: RewardInfo) => Grade;
  /** Judging of sentences. @default no task has sentences for a judge */
  readonly judging?: SentenceJudging;
}
