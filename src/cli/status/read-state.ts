/** Reads the state of a run from its log, the server and its workers. */

import type { CliContext } from '../context.ts';
import type { RunUnderWay, RunAtRest } from '../find-run.ts';
import {
  readSweepInput,
  countExecutions,
  findPaces,
  findPollers,
  isCancelRequested,
  listEpisodes,
  readSteering,
  stuckReason,
  waitingReason,
  type ExecutionCounts,
  type ProviderPace,
  type QueuePollers,
  type SeenEpisode,
} from '../../temporal/client/index.ts';
import {
  sweepWorkflowId,
  episodeName,
  listCalledProviders,
  workflowIdOfEpisode,
  type SweepProgress,
} from '../../evaluation/index.ts';
import type { RunManifest } from '../../run-log/index.ts';
import { listedFigures, metricsToJson, readRows, reportOfRows, type Report } from '../../results/report/index.ts';
import { summarizeCosts, summarizeArchived } from '../../results/metrics/index.ts';
import { askProgress } from '../steer/update.ts';
import { formatResumeCommand } from '../run-log.ts';
import { describeAtRest, describeUnderWay } from './state.ts';
import { countEpisodes } from '../../benchmarks/index.ts';

interface ListedFailure {
  /** Name of the episode: `task-17.trial-0`. */
  readonly episode: string;
  /** Name of the task, if an environment service gives it one. */
  readonly task?: string | undefined;
  readonly outcome: string;
  readonly error: string | null;
}

/** The shown state of a run; unknown facts are null. */
export interface ShownState {
  readonly runId: string;
  readonly status: string;
  /** True if a worker has answered; null: there was no query. */
  readonly answered: boolean | null;
  readonly paused: boolean | null;
  /** Reason why the run paused itself, or null. */
  readonly pausedFor: string | null;
  /** Reason why the run does not continue, and the command to continue it; null if it is in progress or finished. */
  readonly reason: string | null;
  readonly command: string | null;
  /** True if cancellation of the run was requested; a worker has to carry it out. */
  readonly cancelRequested: boolean;
  readonly planned: number | null;
  /** Number of recorded episodes; null if the log is in another folder. */
  readonly recorded: number | null;
  /** Names of open episodes. */
  readonly open: readonly string[] | null;
  /** Names of tasks by number. @default none has a name */
  readonly taskNames: RunManifest['taskNames'];
  /** Number of planned episodes that were neither opened nor recorded. */
  readonly pending: number | null;
  /** Episodes that ended in an infrastructure error or were cancelled, and run again when the run is resumed. */
  readonly failed: readonly ListedFailure[];
  /** Number of workflow executions of episodes by status; a rerun is another execution. */
  readonly executions: ExecutionCounts | null;
  /** Average reward of a run that is not in progress, with errors as failures. */
  readonly averageReward: number | null;
  readonly passHat1: number | null;
  /** Average reward by condition, without `base`. @default the run has no conditions, or is in progress */
  readonly conditions?: Readonly<Record<string, number | null>>;
  /** Cost so far of calls with a known price, in USD. */
  readonly knownCostUsd: number | null;
  /** Number of episodes with calls of unknown price. */
  readonly unpriced: number;
  /** Upper bound of the cost in USD; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly maxConcurrency: number | null;
  /** Task queues with the workers that poll them; empty for a run that is not in progress. */
  readonly taskQueues: readonly QueuePollers[];
  /** Lowered limits of the workers' calls to providers that answer 429. */
  readonly paces: readonly ProviderPace[];
  /** The condition that the run waits for if no worker polls. */
  readonly waiting: string | null;
  readonly warnings: readonly string[];
  readonly progress: SweepProgress | null;
  /** Metrics in the form of `metrics.json`. */
  readonly metrics: object | null;
}

/** Facts from the run log. */
interface LogState extends Pick<ShownState, 'averageReward' | 'passHat1' | 'conditions'> {
  readonly names: ReadonlySet<string>;
  readonly failed: readonly ListedFailure[];
  readonly knownCostUsd: number;
  readonly unpriced: number;
  readonly problems: readonly string[];
  /** Metrics in the form of `metrics.json`; null unless requested. */
  readonly metrics: object | null;
}

interface StateOptions {
  /** True to compute metrics, which takes longer than everything else. @default false */
  readonly metrics?: boolean;
}

/** Returns the state of a run in progress. Without a worker it uses only the server. */
export async function stateUnderWay(run: RunUnderWay, options: StateOptions = {}): Promise<ShownState> {
  const { runId, temporal } = run;
  const { client } = temporal;
  const workflowId = sweepWorkflowId(runId);
  const input = await readSweepInput(client, workflowId);
  const taskQueues = await findPollers(client, input.queues, listCalledProviders(input.config));
  const [executions, seen, logged] = [
    await countExecutions(client, runId),
    await listEpisodes(client, runId, { openOnly: run.manifest !== null }),
    await readLog(run, options),
  ];
  const progress = (taskQueues[0]?.workers.length ?? 0) === 0 ? null : await askProgress(run);
  const steering = progress ?? (await readSteering(client, workflowId, input));
  const open = openNames(seen);
  const stuck = await stuckReason(client, [
    workflowId,
    ...(open ?? []).slice(0, 2).map((name) => workflowIdOfEpisode(runId, name)),
  ]);
  const planned = countEpisodes({ ...input.plan, numTrials: steering.numTrials });
  const { reason, command } = describeUnderWay(steering, runId);
  return {
    runId,
    status: 'running',
    ...{ answered: progress !== null, paused: steering.paused },
    pausedFor: steering.pausedFor ?? null,
    ...{ reason, command },
    cancelRequested: await isCancelRequested(client, workflowId),
    planned,
    taskNames: run.manifest?.taskNames,
    ...countByState(planned, open, seen, logged),
    executions,
    ...{ averageReward: null, passHat1: null },
    knownCostUsd: progress?.knownCostUsd ?? logged?.knownCostUsd ?? sumSeenCosts(seen),
    unpriced: progress?.unpriced ?? logged?.unpriced ?? 0,
    maxCostUsd: steering.maxCostUsd ?? null,
    maxConcurrency: steering.maxConcurrency,
    taskQueues,
    paces: await findPaces(
      client,
      (open ?? progress?.open ?? []).map((name) => workflowIdOfEpisode(runId, name)),
    ),
    waiting: waitingReason(taskQueues),
    warnings: [...(stuck === null ? [] : [stuck]), ...(logged?.problems ?? [])],
    progress,
    metrics: logged?.metrics ?? null,
  };
}

export async function stateAtRest(
  run: RunAtRest,
  context: CliContext,
  options: StateOptions = {},
): Promise<ShownState> {
  const { runId, status, manifest, temporal } = run;
  const isSeen = temporal !== null && run.sweep !== null;
  const executions = isSeen ? await countExecutions(temporal.client, runId) : null;
  const seen = isSeen ? await listEpisodes(temporal.client, runId, { openOnly: manifest !== null }) : null;
  const logged = await readLog(run, { metrics: true });
  const planned = manifest === null ? null : countEpisodes(manifest.plan);
  const { reason, command } = describeAtRest(run, formatResumeCommand(run.log, context));
  return {
    runId,
    status,
    ...{ answered: null, paused: null, pausedFor: null },
    ...{ reason, command },
    cancelRequested: false,
    planned,
    taskNames: manifest?.taskNames,
    ...countByState(planned, openNames(seen), seen, logged),
    executions,
    ...{ averageReward: logged?.averageReward ?? null, passHat1: logged?.passHat1 ?? null },
    conditions: logged?.conditions,
    knownCostUsd: logged?.knownCostUsd ?? sumSeenCosts(seen),
    unpriced: logged?.unpriced ?? 0,
    maxCostUsd: manifest?.maxCostUsd ?? null,
    maxConcurrency: manifest?.maxConcurrency ?? null,
    taskQueues: [],
    paces: [],
    waiting: null,
    warnings: logged?.problems ?? [],
    progress: null,
    metrics: options.metrics === true ? (logged?.metrics ?? null) : null,
  };
}

async function readLog(
  { access, manifest }: RunUnderWay | RunAtRest,
  { metrics = false }: StateOptions,
): Promise<LogState | null> {
  if (manifest === null) return null;
  const log = await access.read();
  const logged = await readRows(log);
  const { rows, archived } = logged;
  // These are the problems of the records, and of the other files that a report reads.
  const report = metrics ? await reportOfRows(log, manifest, logged) : null;
  const figures = report === null || rows.length === 0 ? null : listedFigures(report.metrics);
  return {
    names: new Set(rows.map(episodeName)),
    failed: rows
      .filter(({ outcome }) => outcome === 'infrastructure_error' || outcome === 'cancelled')
      .map((row) => ({
        ...{ episode: episodeName(row), task: row.taskName },
        ...{ outcome: row.outcome, error: row.error },
      })),
    knownCostUsd: summarizeCosts(rows).knownUsd + summarizeArchived(archived).knownUsd,
    unpriced: summarizeCosts(rows).unpriced,
    problems: report?.problems ?? logged.problems,
    metrics: report === null ? null : metricsToJson(report),
    averageReward: figures?.averageReward ?? null,
    passHat1: figures?.passHatK[0] ?? null,
    conditions: figures === null ? undefined : averageByCondition(report?.conditions ?? []),
  };
}

function averageByCondition(conditions: Report['conditions']): LogState['conditions'] {
  if (conditions.length === 0) return undefined;
  return Object.fromEntries(conditions.map(({ name, metrics }) => [name, metrics.errorsAsFailures.averageReward]));
}

function countByState(
  planned: number | null,
  open: readonly string[] | null,
  seen: readonly SeenEpisode[] | null,
  logged: LogState | null,
): Pick<ShownState, 'open' | 'recorded' | 'pending' | 'failed'> {
  const isOpen = new Set(open);
  const begun = new Set([...(logged?.names ?? []), ...(seen ?? []).map(({ name }) => name)]);
  const failed = logged?.failed ?? listFailed(seen);
  return {
    open,
    recorded: logged === null ? null : logged.names.size,
    pending: planned === null || (logged === null && seen === null) ? null : Math.max(0, planned - begun.size),
    failed: failed.filter(({ episode }) => !isOpen.has(episode)),
  };
}

function openNames(seen: readonly SeenEpisode[] | null): readonly string[] | null {
  return seen === null ? null : seen.filter(({ status }) => status === 'running').map(({ name }) => name);
}

/** Returns the failed episodes that the server lists; their messages are in the records. */
function listFailed(seen: readonly SeenEpisode[] | null): ListedFailure[] {
  return (seen ?? [])
    .filter(({ status }) => status !== 'running' && status !== 'completed')
    .map(({ name, status, outcome }) => ({ episode: name, outcome: outcome ?? status, error: null }));
}

function sumSeenCosts(seen: readonly SeenEpisode[] | null): number | null {
  return seen === null ? null : seen.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
}
