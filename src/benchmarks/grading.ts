/** The grading of a benchmark's episodes: pure functions of the pack, the task and the conversation. */

import type { EnvData, Overlay } from './overlay.ts';
import type { Tau3Parts } from './tau3/judged.ts';
import type { TrajectoryMessage } from './trajectory.ts';
import type { Action, SentenceVerdict, Task } from './types.ts';

/** tau-bench's `reward_info.info`, in the two shapes that it has. */
export type RewardDetail =
  | { readonly kind: 'actions'; readonly rActions: boolean; readonly gtDataHash: string }
  | {
      readonly kind: 'outputs';
      readonly rOutputs: boolean;
      /** Outputs in the task's order. */
      readonly outputs: readonly (readonly [output: string, told: boolean])[];
    };

export interface RewardInfo {
  readonly reward: 0 | 1;
  readonly detail: RewardDetail;
  /** Diagnostics that the reference does not have. */
  readonly dataMatches: boolean;
  /** True when the data differ only in how numbers are spelt (`131` against `131.0`). */
  readonly numberSpellingOnly: boolean;
  /** Outputs found as whole words; equals the standard check when the task has none. */
  readonly strictOutputs: boolean;
  /** The parts of a grade of τ³-bench; absent: one of tau-bench. */
  readonly tau3?: Tau3Parts;
}

/** `raised`: the reference's grading raises for these actions, and its episode ends in error with reward 0. */
export type GradeOutput =
  { readonly kind: 'graded'; readonly info: RewardInfo } | { readonly kind: 'raised'; readonly message: string };

/** An episode's conversation in the two forms that benchmarks grade; each is made when it is asked for. */
export interface GradedConversation {
  /** The agent's actions, one for each of its messages. */
  readonly actions: () => readonly Action[];
  /** The messages, with the actions as tool calls. */
  readonly messages: () => readonly TrajectoryMessage[];
}

export interface GradeDeps {
  /** The benchmark's hash of a state, asked for that of the ground truth where the reference reports it. */
  readonly hash: (state: Overlay) => string;
}

/** Sentences of a task that only a judge model can decide on: each must be met. */
export interface SentenceJudging {
  /** The task's sentences that count for its reward. */
  readonly sentencesOf: (task: Task) => readonly string[];
  /** Sentences that count and that no judge has decided on: the grade is without them. */
  readonly undecided: (grade: RewardInfo) => readonly string[];
  readonly prompt: (
    messages: readonly TrajectoryMessage[],
    sentences: readonly string[],
  ) => { readonly system: string; readonly user: string };
  /** Returns true if a request's system prompt is this judge's. */
  readonly isPrompt: (system: string) => boolean;
  /** @returns a verdict on each sentence; null where the reply has none */
  readonly readReply: (reply: string | null, sentences: readonly string[]) => readonly SentenceVerdict[] | null;
  /** The grade with the verdicts counted. */
  readonly withVerdicts: (grade: RewardInfo, verdicts: readonly SentenceVerdict[]) => RewardInfo;
  /** The grade as it was, with the reason why it has no verdicts, one sentence. */
  readonly withProblem: (grade: RewardInfo, problem: string) => RewardInfo;
}

export interface Grading {
  /** Grades a conversation as one that agent or user has ended; sentences that need a judge are left out. */
  readonly grade: (data: EnvData, task: Task, conversation: GradedConversation, deps: GradeDeps) => GradeOutput;
  /** Absent: no task has sentences for a judge. */
  readonly judging?: SentenceJudging;
}
