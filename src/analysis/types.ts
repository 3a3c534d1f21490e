/** The analysis of an episode: why it failed, where its data deviate, and how its simulated user behaved. */

import type { Action, Task } from '../benchmarks/index.ts';

/** An episode as it is analysed; what made it (a record, another tool's results file) does not matter. */
export interface AnalyzedEpisode {
  readonly task: Task;
  /** The user's opening message; null where the recording does not say. */
  readonly opening: string | null;
  /** Steps in order, `respond` included; see {@link isOrdered}. */
  readonly steps: readonly AnalyzedStep[];
  readonly outcome: string;
  readonly reward: number;
  /** Reason why the message after the last step is no action; null where there is none. */
  readonly unreadable: string | null;
  /**
   * false: when a call was made between the replies is not known; the steps are the calls, and then the replies. What
   * depends on it is not looked at, and a reply has no step that could be named.
   * @default true
   */
  readonly isOrdered?: boolean;
  /** The error that ended it; null where nothing did. */
  readonly error: EpisodeError | null;
}

interface EpisodeError {
  /** The record's name for it; null where a file of another tool does not say. */
  readonly kind: string | null;
  readonly message: string;
}

interface AnalyzedCall {
  readonly action: Action;
  /** Reply of the environment or, to `respond`, of the user; null if the recording has none. */
  readonly observation: string | null;
}

export interface AnalyzedStep extends AnalyzedCall {
  /** Calls of tools of their own that the user has made before answering. @default none */
  readonly userCalls?: readonly AnalyzedCall[];
}

/** Kinds of faults, each with its title in reports. */
export const FAULT_KINDS = {
  missing_write: 'a change was not made',
  extra_write: 'a change was made that nobody asked for',
  wrong_tool: 'another tool was called than was right',
  wrong_argument: 'the right tool was called with a wrong argument',
  wrong_order: 'the right changes were made in an order that matters',
  missing_output: 'a required output was not given',
  said_not_done: 'something was said to be done that was not',
  transferred_early: 'the user was transferred before the work was done',
  out_of_steps: 'the steps ran out',
  number_spelling: 'only the spelling of a number differs',
  unreadable_call: 'a call could not be read',
  infrastructure: 'the infrastructure failed',
  other: 'none of these',
} as const satisfies Readonly<Record<string, string>>;
export type FaultKind = keyof typeof FAULT_KINDS;

/** Those of tau-bench's `auto_error_identification.py`, and `took_unintended_action`, which it does not have. */
export const FAULT_TYPES = [
  'called_wrong_tool',
  'used_wrong_tool_argument',
  'goal_partially_completed',
  'other',
  'took_unintended_action',
] as const;
export type FaultType = (typeof FAULT_TYPES)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** null for what is not the agent's fault. */
  readonly faultType: FaultType | null;
  /**
   * 1-based; for what was left out, the step by which it should have been done. One more than there are steps for a
   * message after the last one that is no action; null where no step can be named.
   */
  readonly step: number | null;
  readonly tool: string | null;
  /** The argument's name, with a path inside it where it is a list or an object. */
  readonly argument: string | null;
  /** JSON, numbers spelt as the benchmark spells them; null where there is none. */
  readonly expected: string | null;
  readonly given: string | null;
  /** The fault in a sentence. */
  readonly sentence: string;
}

/** A field that the agent left other than the ground truth has it. */
export interface DataDifference {
  readonly table: string;
  readonly id: string;
  /** Keys, and positions in lists; empty when the record as a whole is in one state only. */
  readonly path: readonly (string | number)[];
  /** The last step that changed the field, 1-based; null when no step did. */
  readonly step: number | null;
  /** JSON, numbers spelt as the benchmark spells them; null where the field is not there. */
  readonly agent: string | null;
  readonly wanted: string | null;
}

/** Faults of a simulated user, each with its title in reports. */
export const USER_FAULT_KINDS = {
  invented_fact: 'states what is not in its instruction',
  invented_id: 'names an id that it cannot know',
  gave_solution: 'gives the solution unasked',
  stopped_early: 'ends the conversation before its request is met',
  never_stopped: 'does not end the conversation',
  recited_instruction: 'repeats its instruction',
  spoke_as_agent: 'speaks as the agent',
  leaked_thought: 'shows its own thoughts',
  never_stated_task: 'never states its task',
  repeated_itself: 'repeats itself within a message',
  denied_id: 'denies having what its instruction gives',
} as const satisfies Readonly<Record<string, string>>;
export type UserFaultKind = keyof typeof USER_FAULT_KINDS;

export interface UserFault {
  readonly kind: UserFaultKind;
  /** `suspect` marks the episode; a `remark` is worth reading and marks nothing. */
  readonly severity: 'suspect' | 'remark';
  /** The step whose answer it is, 1-based; 0: the opening. null where no place can be named. */
  readonly step: number | null;
  /** The user's words; empty where it is their absence. */
  readonly quote: string;
  readonly sentence: string;
}

export interface EpisodeAnalysis {
  /** The first is the one that came first; empty for an episode that was solved. */
  readonly faults: readonly Fault[];
  readonly differences: readonly DataDifference[];
  readonly user: readonly UserFault[];
}

/** @returns true if the episode's user is suspect */
export function isSuspect({ user }: { readonly user: readonly Pick<UserFault, 'severity'>[] }): boolean {
  return user.some(({ severity }) => severity === 'suspect');
}

/** tau-bench's fault type of each kind; docs/failures.md gives the reasons. */
export const FAULT_TYPE_OF: Readonly<Record<FaultKind, FaultType | null>> = {
  missing_write: 'goal_partially_completed',
  extra_write: 'took_unintended_action',
  wrong_tool: 'called_wrong_tool',
  wrong_argument: 'used_wrong_tool_argument',
  wrong_order: 'other',
  missing_output: 'goal_partially_completed',
  said_not_done: 'goal_partially_completed',
  transferred_early: 'goal_partially_completed',
  out_of_steps: 'goal_partially_completed',
  number_spelling: 'used_wrong_tool_argument',
  unreadable_call: 'other',
  infrastructure: null,
  other: 'other',
};
