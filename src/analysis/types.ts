/** The analysis of an episode: why it failed, where its data differ, and the faults of its simulated user. */

import { RESPOND, type Action, type Grade, type Task } from '../benchmarks/index.ts';

/** An episode of a record or a results file, in the form for the analysis. */
export interface AnalyzedEpisode {
  readonly task: Task;
  /** The user's opening message; null if the recording lacks it. */
  readonly opening: string | null;
  /** False if the episode has no user, and the task opens the conversation. @default true */
  readonly hasUser?: boolean;
  /** Steps in order, `respond` included; see {@link isOrdered}. */
  readonly steps: readonly AnalyzedStep[];
  readonly outcome: string;
  readonly reward: number;
  /** Reason why the message after the last step is not an action; null if there is no such message. */
  readonly unreadable: string | null;
  /** False if the order of calls and replies is unknown: `steps` then has the calls before the replies. @default true */
  readonly isOrdered?: boolean;
  /** The error that ended the episode; null if there was none. */
  readonly error: AnalyzedError | null;
  /** The benchmark's grade; null if the episode was not graded. @default unknown */
  readonly grade?: Grade | null;
}

interface AnalyzedError {
  /** Name of the error in the record; null in another tool's file. */
  readonly kind: string | null;
  readonly message: string;
}

interface AnalyzedCall {
  readonly action: Action;
  /** Reply of the environment or, to `respond`, of the user; null if the recording has none. */
  readonly observation: string | null;
}

export interface AnalyzedStep extends AnalyzedCall {
  /** True if the environment reported that the call changed its state. @default unknown */
  readonly changed?: boolean;
  /** Calls of the user's own tools before its answer. @default none */
  readonly userCalls?: readonly AnalyzedCall[];
}

/** Returns the agent's message to the user; empty for another action, and for content that is not a text. */
export function readReplyText({ action: { name, kwargs } }: AnalyzedStep): string {
  const content = name === RESPOND ? kwargs.get('content') : undefined;
  return typeof content === 'string' ? content : '';
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

/** tau-bench's fault types (`auto_error_identification.py`) and `took_unintended_action`. */
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
  /** tau-bench's fault type; null if the agent is not at fault. */
  readonly faultType: FaultType | null;
  /**
   * Step of the fault, from 1, or the step by which an omitted action was due; null if unknown. It may be the step
   * after the last one.
   */
  readonly step: number | null;
  readonly tool: string | null;
  /** Name of the argument, with a path into a list or an object. */
  readonly argument: string | null;
  /** Right value as JSON, with the benchmark's spelling of numbers; null if there is none. */
  readonly expected: string | null;
  readonly given: string | null;
  readonly sentence: string;
}

/** A field whose final value differs from the ground truth's. */
export interface DataDifference {
  readonly table: string;
  readonly id: string;
  /** Path of keys and list positions; empty if only one state has the record. */
  readonly path: readonly (string | number)[];
  /** Number of the last step that changed the field, from 1; null if none did. */
  readonly step: number | null;
  /** The agent's value as JSON, with the benchmark's spelling of numbers; null if the field is missing. */
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
  /** Severity of the fault; `suspect` makes the episode suspect, `remark` does not. */
  readonly severity: 'suspect' | 'remark';
  /** Number of the step that the user answered, from 1; 0: the opening; null: unknown. */
  readonly step: number | null;
  /** Quote of the user; empty if the fault is a missing text. */
  readonly quote: string;
  readonly sentence: string;
}

export interface EpisodeAnalysis {
  /** Faults in order; empty for a solved episode. */
  readonly faults: readonly Fault[];
  readonly differences: readonly DataDifference[];
  readonly user: readonly UserFault[];
}

export function isSuspect({ user }: { readonly user: readonly Pick<UserFault, 'severity'>[] }): boolean {
  return user.some(({ severity }) => severity === 'suspect');
}

/** Fault type of each kind; see docs/failures.md. */
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
