/** Scheduled runs: input and result of the `scheduled-run` workflow, alerts, and the names of runs and schedules. */

import type { RunRef } from './workflow-input.ts';
import type { RunEnd, SweepInput } from './sweep.ts';

/** Input of the `scheduled-run` workflow: a sweep without its run id, which is derived from the scheduled time. */
export interface ScheduledRunInput {
  /** Name of the schedule, with which the run ids begin. */
  readonly schedule: string;
  /** Folder of the run logs of all scheduled runs: an absolute path, or the address of a store. */
  readonly logDir: string;
  readonly sweep: ScheduledSweep;
  readonly alerts: ScheduleAlerts;
  /** Gates of each run, as the user wrote them. @default none */
  readonly gates?: readonly string[];
  /** Version of this workflow itself, see `WORKFLOW_VERSION`; its sweep has the version of the code that starts it. */
  readonly version?: number;
}

type ScheduledSweep = Omit<SweepInput, 'run' | 'lane' | 'state' | 'version'>;

/** Targets of alerts by event; absent: no alerts. */
export interface ScheduleAlerts {
  readonly regression?: AlertTarget;
  readonly unfinished?: AlertTarget;
}

export type AlertTarget =
  | { readonly kind: 'webhook'; readonly url: string }
  /** Name of a variable in the worker's environment that has the address, so that no history contains a secret. */
  | { readonly kind: 'webhook_from_env'; readonly variable: string }
  /** Command for a shell, on a worker that allows it. */
  | { readonly kind: 'command'; readonly command: string };

export type RegressionVerdict =
  'first' | 'regression' | 'improvement' | 'no_difference' | 'incomparable' | 'unfinished';

/** Numbers of planned episodes that were not done. */
export interface UnfinishedWork {
  readonly infrastructureErrors: number;
  readonly cancelled: number;
  /** Number of episodes that never ran, or have no readable record. */
  readonly missing: number;
}

export interface CompareRunsInput {
  readonly run: RunRef;
  readonly schedule: string;
  readonly end: RunEnd;
  /** Reason why the sweep ended early; null if it did not end early. */
  readonly problem: string | null;
  /** Planned number of episodes. */
  readonly planned: number;
  /** Gates of the run. @default none */
  readonly gates?: readonly string[];
}

/** Comparison of a scheduled run with its baseline, small enough for a workflow's history. */
export interface RunComparison {
  readonly verdict: RegressionVerdict;
  readonly runId: string;
  /** Run id of the baseline; null if there was none. */
  readonly baseline: string | null;
  /** Average reward, with errors as failures; null if no episode has ended. */
  readonly averageReward: number | null;
  /** Cost in USD; null if a price is unknown. */
  readonly costUsd: number | null;
  /** Mean paired difference of the average reward; null without a comparison. */
  readonly delta: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Number of tasks in the comparison. */
  readonly tasks: number;
  readonly unfinished: UnfinishedWork;
  /** Result of the comparison, in one sentence. */
  readonly sentence: string;
  /** True if a gate failed. @default false */
  readonly failsGate?: boolean;
}

export interface AlertInput {
  readonly run: RunRef;
  readonly schedule: string;
  readonly target: AlertTarget;
  readonly verdict: RunComparison;
}

/** Result of an alert. */
export type AlertOutcome =
  { readonly kind: 'none' } | { readonly kind: 'sent' } | { readonly kind: 'failed'; readonly message: string };

/** Returns the id of a scheduled run: the schedule's name, the time in UTC, and a number if that id is taken. */
export function scheduledRunId(schedule: string, at: Date, count = 1): string {
  const stamp = at.toISOString().slice(0, 19).replaceAll(':', '');
  return `${schedule}-${stamp}Z${count === 1 ? '' : `-${count}`}`;
}

export interface ScheduledRun {
  readonly runId: string;
  /** Scheduled time of the run, ISO 8601, UTC, in whole seconds. */
  readonly at: string;
  /** Number of the run among those of the same second, from 1. */
  readonly count: number;
}

/** Parses an id from {@link scheduledRunId}; null for a run of another schedule. */
export function parseScheduledRunId(schedule: string, runId: string): ScheduledRun | null {
  if (!runId.startsWith(`${schedule}-`)) return null;
  const match = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z(?:-([1-9]\d*))?$/.exec(runId.slice(schedule.length + 1));
  if (match === null) return null;
  const [, date = '', hour = '', minute = '', second = '', count = '1'] = match;
  return { runId, at: `${date}${hour}:${minute}:${second}Z`, count: Number(count) };
}

export function byScheduledTime(a: ScheduledRun, b: ScheduledRun): number {
  return a.at.localeCompare(b.at) || a.count - b.count;
}

/**
 * Overlap policies: Tauflow's name of each, and Temporal's. They apply if a run is due while an earlier one is in
 * progress.
 */
export const OVERLAPS = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'buffer-all': 'BUFFER_ALL',
  'cancel-other': 'CANCEL_OTHER',
  'terminate-other': 'TERMINATE_OTHER',
  'allow-all': 'ALLOW_ALL',
} as const;
export type Overlap = keyof typeof OVERLAPS;
