/** Steps in an episode's environment: actions in the form in which they cross Temporal, results and metrics. */

import type { Action, SentenceVerdict, StepResult, TrajectoryForm } from '../benchmarks/index.ts';
import type { PackRef } from '../benchmarks/packs/ref.ts';
import { dumpJson, isDict, parseJson } from '../benchmarks/python/index.ts';
import type { ConversationChanges, Interference } from '../conditions/index.ts';
import type { Outcome, TranscriptDelta } from '../evaluation/index.ts';

/**
 * An action in the form in which it crosses Temporal. Arguments are JSON text, which keeps the spelling of numbers and
 * the order of keys.
 */
export interface ActionWire {
  readonly name: string;
  /** Arguments, a JSON object in Python's spelling. */
  readonly kwargsJson: string;
  /** See `Action.requestor`. */
  readonly requestor?: 'user';
}

export function toActionWire(action: Action): ActionWire {
  const { name, kwargs, requestor } = action;
  return { name, kwargsJson: dumpJson(kwargs), ...(requestor === undefined ? {} : { requestor }) };
}

/** @throws Error when `kwargsJson` is not a JSON object, which happens only in a hand-made payload */
export function fromActionWire(wire: ActionWire): Action {
  const kwargs = parseJson(wire.kwargsJson);
  if (!isDict(kwargs)) throw new Error(`the arguments of action ${wire.name} are not a JSON object`);
  return { name: wire.name, kwargs, ...(wire.requestor === undefined ? {} : { requestor: wire.requestor }) };
}

export interface StepInput {
  readonly pack: PackRef;
  /** The episode's earlier actions that changed data, in order. */
  readonly writes: readonly ActionWire[];
  readonly action: ActionWire;
  /** The task, which determines the episode's initial state. @default the pack's state, in steps of older workflows */
  readonly task?: { readonly split: string; readonly taskId: number };
  /** Folder of the run log, for a note on the step while the episode is open. @default no note */
  readonly logDir?: string;
  /** Life of an environment service whose calls cannot be repeated. */
  readonly life?: string;
  /** Number of retries after outages of an environment service. */
  readonly maxRetries?: number;
}

export interface StepOutput extends StepResult {
  /** True if the action changed data, so that it is among the writes of later steps. */
  readonly changed: boolean;
}

export interface GradeInput {
  readonly pack: PackRef;
  readonly split: string;
  readonly taskId: number;
  /** The episode's trajectory, from which its actions are derived. */
  readonly trajectory: TranscriptDelta;
  /** Form of the actions. @default 'tools' */
  readonly form?: TrajectoryForm;
  /** Differences from the benchmark's own conversation, which is graded. @default none */
  readonly altered?: ConversationChanges;
  /** Facts that an environment service needs for grading; absent for other packs. */
  readonly service?: ServiceGradeInput;
}

export interface ServiceGradeInput extends Pick<StepInput, 'writes' | 'life' | 'maxRetries'> {
  /** Kind of the episode's outcome. */
  readonly endedBy: Outcome['kind'];
  /** The judge's decisions, in a second request for a grade with sentences. */
  readonly verdicts?: readonly SentenceVerdict[];
}

/** The task of an environment service whose episode begins. */
export interface StartInput extends Pick<StepInput, 'pack' | 'maxRetries'> {
  readonly task: NonNullable<StepInput['task']>;
}

export interface StartOutput extends Pick<StepInput, 'life'> {
  /** Text that opens the conversation, from the agent or the user by the rules. @default the rules' own */
  readonly firstMessage?: string;
}

/** One environment step, without its texts. */
export interface StepMetric {
  /** Number of the step, from 1. */
  readonly index: number;
  readonly name: string;
  /** True if the environment's data changed. */
  readonly changed: boolean;
  /** Set if the episode's condition changed the call. */
  readonly interference?: Interference;
  /** Milliseconds of workflow time from the step's start to its result. */
  readonly durationMs: number;
  /** Milliseconds from the end of the previous step, or from the user's first message, to the start of this step. */
  readonly thinkMs: number;
  /** Number of the agent's model calls since the previous step; the other fields are their usage. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Cost of these calls in USD; null if one has no known price. */
  readonly costUsd: number | null;
}
