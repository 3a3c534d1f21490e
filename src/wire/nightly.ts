/** What goes into a scheduled run, what comes out of it, and what its parts are called. */

import type { RunRef } from './config.ts';
import type { RunEnd, SweepInput } from './sweep.ts';

/** What a schedule's action asks for: a sweep without its id, which the time of the night gives. */
export interface NightlyInput {
  /** The schedule's name, which the run ids begin with. */
  readonly schedule: string;
  /** Absolute path of the folder that holds the run logs of all nights. */
  readonly logDir: string;
  readonly sweep: NightlySweep;
  readonly alerts: NightlyAlerts;
  /** See `WORKFLOW_VERSION`: of the nightly workflow itself; its sweep has that of the code which opens it. */
  readonly version?: number;
}

export type NightlySweep = Omit<SweepInput, 'run' | 'lane' | 'state' | 'version'>;

/** Who is told of what; absent: nobody. */
export interface NightlyAlerts {
  readonly regression?: AlertTarget;
  readonly unfinished?: AlertTarget;
}

export type AlertTarget =
  | { readonly kind: 'webhook'; readonly url: string }
  /** The address is in a variable of the worker's environment, so that a secret in it is in no history. */
  | { readonly kind: 'webhook_from_env'; readonly variable: string }
  /** For a shell, on a worker that allows it. */
  | { readonly kind: 'command'; readonly command: string };

export type Verdict = 'first' | 'regression' | 'improvement' | 'no_difference' | 'incomparable' | 'unfinished';

/** Work that a run was to do and has not done, in episodes. */
export interface UnfinishedWork {
  readonly infrastructureErrors: number;
  readonly cancelled: number;
  /** Never run, or without a readable record. */
  readonly missing: number;
}

export interface CompareRunsInput {
  readonly run: RunRef;
  readonly schedule: string;
  readonly end: RunEnd;
  /** Why the sweep ended early; null when it did not. */
  readonly problem: string | null;
  /** Episodes that the night was to have. */
  readonly planned: number;
}

/** What a comparison has come to: small enough for a history. */
export interface NightVerdict {
  readonly verdict: Verdict;
  readonly runId: string;
  /** The night compared with; null when there was none. */
  readonly baseline: string | null;
  /** Errors counted as failures; null when no episode has ended. */
  readonly averageReward: number | null;
  /** USD; null when a price is unknown. */
  readonly costUsd: number | null;
  /** Mean paired difference of the average reward; null without a comparison. */
  readonly delta: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Tasks that the difference is over. */
  readonly tasks: number;
  readonly unfinished: UnfinishedWork;
  /** One sentence for a person. */
  readonly sentence: string;
}

export interface AlertInput {
  readonly run: RunRef;
  readonly schedule: string;
  readonly target: AlertTarget;
  readonly verdict: NightVerdict;
}

/** What became of an alert. */
export type AlertOutcome =
  { readonly kind: 'none' } | { readonly kind: 'sent' } | { readonly kind: 'failed'; readonly message: string };

export interface NightlyResult extends NightVerdict {
  readonly alert: AlertOutcome;
}

/** `TauDelta` and its kin are the night's own; its sweep is found by this id. */
export function nightRunId(schedule: string, at: Date, count = 1): string {
  const stamp = at.toISOString().slice(0, 19).replaceAll(':', '');
  return `${schedule}-${stamp}Z${count === 1 ? '' : `-${count}`}`;
}

/** Length of what {@link nightRunId} adds to a name, with room for a count. */
export const NIGHT_SUFFIX_CHARS = 24;

export interface Night {
  readonly runId: string;
  /** ISO 8601, UTC, whole seconds. */
  readonly at: string;
  /** Above 1 where several runs are of one second. */
  readonly count: number;
}

/** The night that a run id names; null when it is no run of that schedule. */
export function nightOf(schedule: string, runId: string): Night | null {
  if (!runId.startsWith(`${schedule}-`)) return null;
  const match = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z(?:-([1-9]\d*))?$/.exec(runId.slice(schedule.length + 1));
  if (match === null) return null;
  const [, date = '', hour = '', minute = '', second = '', count = '1'] = match;
  return { runId, at: `${date}${hour}:${minute}:${second}Z`, count: Number(count) };
}

export function byNight(a: Night, b: Night): number {
  return a.at.localeCompare(b.at) || a.count - b.count;
}

/** Schedules of this program among those of a namespace. */
const SCHEDULE_PREFIX = 'tauflow/';

export function scheduleIdOf(name: string): string {
  return `${SCHEDULE_PREFIX}${name}`;
}

/** The name of a schedule of this program; null for the id of another one. */
export function scheduleNameOf(scheduleId: string): string | null {
  return scheduleId.startsWith(SCHEDULE_PREFIX) ? scheduleId.slice(SCHEDULE_PREFIX.length) : null;
}

/** The server adds the time of the night to it. */
export function nightlyWorkflowId(name: string): string {
  return `nightly/${name}`;
}

/** The schedule whose night a workflow is; null for any other workflow's id. */
export function scheduleOfNightly(workflowId: string): string | null {
  return /^nightly\/(.+)-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId)?.[1] ?? null;
}
