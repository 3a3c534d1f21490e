/** The client side of this program's schedules. Errors describe the user's mistake in one sentence. */

import { setTimeout as delay } from 'node:timers/promises';
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type Client,
  type ScheduleDescription,
  type ScheduleHandle,
  type ScheduleSpec,
} from '@temporalio/client';
import {
  TauCostUsd,
  TauDelta,
  TauReward,
  TauVerdict,
  TemporalScheduledStartTime,
  type scheduledRun,
} from '../../../workflows/client.ts';
import {
  OVERLAPS,
  WORKFLOW_VERSION,
  modelName,
  summarizeAgent,
  scheduledRunId,
  type AlertOutcome,
  type ScheduledRunInput,
  type Overlap,
  type RunComparison,
} from '../../evaluation/index.ts';
import { ServerError } from '../errors.ts';
import { listingClient, scheduleWorkflowId } from './visibility.ts';

export interface RunSchedule {
  readonly cron: string;
  /** IANA name of the time zone. @default the server's: UTC */
  readonly timezone?: string;
  readonly overlap: Overlap;
  /** Time after which a missed scheduled run is no longer started, in milliseconds. */
  readonly catchUpMs: number;
  /** Longest random delay of a scheduled run, in milliseconds. */
  readonly jitterMs: number;
  readonly input: ScheduledRunInput;
}

export interface ScheduleState extends RunSchedule {
  readonly name: string;
  readonly paused: boolean;
  /** Reason of the last pause or unpause; empty if none was given. */
  readonly note: string;
  /** The next times, ISO 8601; none while the schedule is paused. */
  readonly next: readonly string[];
  /**
   * Numbers of started runs, of runs skipped because an earlier one was in progress, and of runs missed because the
   * server was down too long.
   */
  readonly started: number;
  readonly skipped: number;
  readonly missed: number;
  /** Number of runs that wait for the end of the run in progress. */
  readonly waiting: number;
  /** The latest started runs, the newest last. */
  readonly recent: readonly StartedRun[];
}

export interface StartedRun {
  readonly workflowId: string;
  readonly workflowRunId: string;
  readonly runId: string;
}

/**
 * @param replace true if an existing schedule of that name may be changed; it keeps its history, and stays paused if it
 *   was
 * @returns true if a schedule was replaced
 * @throws ServerError `schedule-exists`, `schedule-refused`
 */
export async function putSchedule(client: Client, schedule: RunSchedule, replace: boolean): Promise<boolean> {
  const { schedule: name } = schedule.input;
  const options = toScheduleOptions(schedule);
  try {
    await withRefusals(name, () =>
      client.schedule.create<typeof scheduledRun>({ scheduleId: toScheduleId(name), ...options }),
    );
    return false;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  if (!replace) {
    throw new ServerError(
      'schedule-exists',
      `there is a schedule ${name} already; --replace changes it, \`tauflow schedule delete ${name}\` takes it away`,
    );
  }
  const before = await describe(client, name);
  await withRefusals(name, () =>
    getScheduleHandle(client, name).update<typeof scheduledRun>(({ state }) => ({ ...options, state })),
  );
  const since = before.info.lastUpdatedAt?.getTime();
  await awaitSettled(client, name, ({ info }) => info.lastUpdatedAt?.getTime() !== since);
  return true;
}

export async function listSchedules(client: Client): Promise<ScheduleState[]> {
  const names: string[] = [];
  for await (const { scheduleId, action } of client.schedule.list()) {
    const name = parseScheduleId(scheduleId);
    if (name !== null && action?.workflowType === 'scheduled-run') names.push(name);
  }
  return Promise.all(names.sort().map((name) => readSchedule(client, name)));
}

/** @throws ServerError `schedule-missing` */
export async function readSchedule(client: Client, name: string): Promise<ScheduleState> {
  const { spec, policies, state, info, action, memo, raw } = await describe(client, name);
  const [input] = action.args as unknown as [ScheduledRunInput];
  const { cron } = { ...memo, ...action.memo };
  const overlap = (Object.keys(OVERLAPS) as Overlap[]).find((key) => OVERLAPS[key] === policies.overlap) ?? 'skip';
  return {
    name,
    cron: typeof cron === 'string' ? cron : '',
    ...(spec.timezone === undefined || spec.timezone === '' ? {} : { timezone: spec.timezone }),
    overlap,
    catchUpMs: policies.catchupWindow,
    jitterMs: spec.jitter ?? 0,
    input,
    paused: state.paused,
    note: state.note ?? '',
    next: info.nextActionTimes.map((time) => time.toISOString()),
    started: info.numActionsTaken,
    skipped: info.numActionsSkippedOverlap,
    missed: info.numActionsMissedCatchupWindow,
    waiting: Number(raw.info?.bufferSize ?? 0),
    recent: info.recentActions.map(({ action: { workflow }, scheduledAt }) => ({
      workflowId: workflow.workflowId,
      workflowRunId: workflow.firstExecutionRunId,
      runId: scheduledRunId(name, dueTime(workflow.workflowId) ?? scheduledAt),
    })),
  };
}

/** Reads the scheduled time, without jitter, from the workflow id of a scheduled run, where the server puts it. */
function dueTime(workflowId: string): Date | null {
  const [time] = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId) ?? [];
  return time === undefined ? null : new Date(time);
}

/** Longest time until the server shows a change, in ms. */
const START_MS = 5_000;
const LOOK_MS = 100;

/** Result of a trigger. `waiting`: the server starts the scheduled run when the run in progress has ended. */
type TriggerResult = { readonly kind: 'started'; readonly run: StartedRun } | { readonly kind: 'skipped' | 'waiting' };

/**
 * Starts a scheduled run now, if the schedule's overlap policy allows it.
 * @throws ServerError `schedule-missing`; `schedule-refused` when the server starts nothing
 */
export async function triggerSchedule(client: Client, name: string): Promise<TriggerResult> {
  // The server names runs by the second, and silently drops the second run of one second, which is then triggered
  // again.
  for (let tries = 0; tries < 3; tries++) {
    const before = await readSchedule(client, name);
    const known = new Set(before.recent.map(({ workflowRunId }) => workflowRunId));
    // Given explicitly, because the default would start a run beside those in progress.
    await orNoSuchSchedule(name, () => getScheduleHandle(client, name).trigger(OVERLAPS[before.overlap]));
    let now = before;
    for (const deadline = performance.now() + START_MS; performance.now() < deadline; await delay(LOOK_MS)) {
      now = await readSchedule(client, name);
      const run = now.recent.findLast(({ workflowRunId }) => !known.has(workflowRunId));
      if (run !== undefined) return { kind: 'started', run };
      if (now.skipped > before.skipped) return { kind: 'skipped' };
    }
    // Another trigger would make it wait twice.
    if (now.waiting > before.waiting) return { kind: 'waiting' };
  }
  throw new ServerError(
    'schedule-refused',
    `the server has not started a run of ${name}; \`tauflow schedule show ${name}\` shows the runs in progress`,
  );
}

/**
 * @param note the reason, not empty, because the server ignores an empty note
 * @throws ServerError `schedule-missing`
 */
export async function pauseSchedule(client: Client, name: string, note: string): Promise<void> {
  await orNoSuchSchedule(name, () => getScheduleHandle(client, name).pause(note));
  await awaitSettled(client, name, ({ state }) => state.paused);
}

export async function unpauseSchedule(client: Client, name: string, note: string): Promise<void> {
  await orNoSuchSchedule(name, () => getScheduleHandle(client, name).unpause(note));
  await awaitSettled(client, name, ({ state }) => !state.paused);
}

/** Deletes a schedule; its runs in progress continue. */
export async function deleteSchedule(client: Client, name: string): Promise<void> {
  await orNoSuchSchedule(name, () => getScheduleHandle(client, name).delete());
}

function toScheduleOptions({ cron, timezone, overlap, catchUpMs, jitterMs, input }: RunSchedule) {
  const { schedule, sweep } = input;
  const { config, plan } = sweep;
  const spec: ScheduleSpec = {
    cronExpressions: [cron],
    ...(timezone === undefined ? {} : { timezone }),
    ...(jitterMs === 0 ? {} : { jitter: jitterMs }),
  };
  return {
    spec,
    policies: { overlap: OVERLAPS[overlap], catchupWindow: catchUpMs, pauseOnFailure: false },
    action: {
      type: 'startWorkflow',
      workflowType: 'scheduled-run',
      workflowId: scheduleWorkflowId(schedule),
      taskQueue: sweep.queues.main,
      args: [{ version: WORKFLOW_VERSION, ...input }] as [ScheduledRunInput],
      staticSummary: `${schedule}: ${summarizeAgent(config)}`,
      // The original words are kept here, because the server returns times only as it has interpreted them.
      memo: {
        cron,
        strategy: config.strategy,
        agent: modelName(config.agentModel),
        user: modelName(config.userModel),
        pack: `${config.pack.name} ${config.pack.digest}`,
        tasks: plan.taskIds.length,
        trials: plan.numTrials,
      },
    },
  } as const;
}

function getScheduleHandle(client: Client, name: string): ScheduleHandle {
  return client.schedule.getHandle(toScheduleId(name));
}

function describe(client: Client, name: string): Promise<ScheduleDescription> {
  return orNoSuchSchedule(name, () => getScheduleHandle(client, name).describe());
}

/** Waits until the server shows a change, or another user's change replaces it. */
async function awaitSettled(
  client: Client,
  name: string,
  isShown: (seen: ScheduleDescription) => boolean,
): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!isShown(await describe(client, name)) && performance.now() < deadline) await delay(LOOK_MS);
}

async function orNoSuchSchedule<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    throw new ServerError(
      'schedule-missing',
      `there is no schedule ${name}; \`tauflow schedule list\` shows those there are`,
    );
  }
}

/** Converts the TypeError that the SDK throws for an invalid cron string or time zone. */
async function withRefusals<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ServerError(
      'schedule-refused',
      `the server refuses the times of ${name}: ${error.message}; correct --cron or --timezone`,
    );
  }
}

/** A scheduled run on the server. Its run id is the one that it tried first; `openSweep` may have added a number. */
export interface SeenScheduledRun extends StartedRun, Pick<RunComparison, 'averageReward' | 'delta' | 'costUsd'> {
  /** Status in lower case: `running`, `completed`, `failed`, … */
  readonly status: string;
  readonly verdict: string | null;
}

/** Lists a schedule's runs on the server, the newest first. @param most largest number of runs */
export async function listSeenScheduledRuns(
  client: Client,
  schedule: string,
  most: number,
): Promise<SeenScheduledRun[]> {
  const runs: SeenScheduledRun[] = [];
  // The name contains no quotes, because it may begin a run id.
  const query = `WorkflowType = 'scheduled-run' AND TemporalScheduledById = '${toScheduleId(schedule)}'`;
  for await (const { workflowId, runId, status, startTime, typedSearchAttributes } of listingClient(
    client,
  ).workflow.list({ query })) {
    runs.push({
      runId: scheduledRunId(schedule, typedSearchAttributes.get(TemporalScheduledStartTime) ?? startTime),
      status: status.name.toLowerCase(),
      verdict: typedSearchAttributes.get(TauVerdict) ?? null,
      averageReward: typedSearchAttributes.get(TauReward) ?? null,
      delta: typedSearchAttributes.get(TauDelta) ?? null,
      costUsd: typedSearchAttributes.get(TauCostUsd) ?? null,
      workflowId,
      workflowRunId: runId,
    });
    if (runs.length >= most) break;
  }
  return runs;
}

/** Reads the result of a scheduled run's alert; null while the run is in progress, or if it ended without a result. */
export async function readAlert(
  client: Client,
  { workflowId, workflowRunId, status }: SeenScheduledRun,
): Promise<AlertOutcome | null> {
  if (status !== 'completed') return null;
  const { alert } = await client.workflow.getHandle<typeof scheduledRun>(workflowId, workflowRunId).result();
  return alert;
}

/** Prefix of the ids of this program's schedules in a namespace. */
const SCHEDULE_PREFIX = 'tauflow/';

function toScheduleId(name: string): string {
  return `${SCHEDULE_PREFIX}${name}`;
}

/** Returns the name of this program's schedule; null for another id. */
function parseScheduleId(scheduleId: string): string | null {
  return scheduleId.startsWith(SCHEDULE_PREFIX) ? scheduleId.slice(SCHEDULE_PREFIX.length) : null;
}
