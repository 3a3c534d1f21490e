/** Ports of an episode: workflow code has Temporal behind them, a test plain objects. */

import type { Completion, CompletionRequest } from '../agents/index.ts';
import type { GradeOutput } from '../benchmarks/index.ts';
import type { AgentTurnInput, AgentTurnOutput, ForwardInput, ForwardOutput } from '../agent-service/pure.ts';
import type { CompleteOutput, HeldCall } from '../evaluation/index.ts';
import type { CompleteInput } from './completion.ts';
import type { GradeInput, StartInput, StartOutput, StepInput, StepOutput } from './environment.ts';
import type { FailedActivity } from './failures.ts';
import type { RecordInput, RecordOutput } from './record.ts';

export interface Display {
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Shows Markdown to people who watch the open episode in Temporal UI. */
  readonly show: (markdown: string) => void;
}

export interface WaitingDisplay extends Display {
  /** Waits with the deadline's clock stopped. */
  readonly until: (isMet: () => boolean) => Promise<void>;
}

export type ModelCall = (request: CompletionRequest) => Promise<Completion>;

/** The activities of an episode. Each call has a summary for people. */
export interface EpisodeActivities {
  complete(summary: string, input: CompleteInput): Promise<CompleteOutput>;
  /** Makes a model call of an agent that is a service. */
  forward(summary: string, input: ForwardInput): Promise<ForwardOutput>;
  /** Sends a request to an agent that is a service. */
  agentTurn(summary: string, input: AgentTurnInput): Promise<AgentTurnOutput>;
  /** Begins an episode on an environment service. */
  start(summary: string, input: StartInput): Promise<StartOutput>;
  step(summary: string, input: StepInput): Promise<StepOutput>;
  grade(summary: string, input: GradeInput): Promise<GradeOutput>;
  record(summary: string, input: RecordInput): Promise<RecordOutput>;
}

/** A scope of work that can be canceled. */
export interface Scope {
  run<T>(work: () => Promise<T>): Promise<T>;
  cancel(): void;
}

/** The clock of an episode's deadline. */
export interface Clock extends Pick<Display, 'now'>, Pick<WaitingDisplay, 'until'> {
  readonly sleep: (ms: number) => Promise<void>;
  readonly openScope: () => Scope;
  readonly isCancellation: (error: unknown) => boolean;
}

export interface EpisodePorts {
  readonly activities: EpisodeActivities;
  readonly display: Display;
  /** Reads the failure behind an error; undefined for an error that is neither an activity's nor a cancellation. */
  readonly readFailure: (error: unknown) => FailedActivity | undefined;
  readonly openScope: () => Scope;
  readonly uuid: () => string;
  /** Waits with the deadline's clock stopped. */
  readonly wait: (ms: number) => Promise<void>;
}

/** The sweep of an episode. Both methods return false if the sweep no longer exists. */
export interface SweepPort {
  reportHeld(call: HeldCall): Promise<boolean>;
  reportAnswered(call: Pick<HeldCall, 'episode' | 'call' | 'provider'>): Promise<boolean>;
}
