/** `tauflow list`: the runs of a log folder and of a server, as one list. */

import type { Command } from 'commander';
import { NONE, formatShare, formatUsd, table, type Column } from '../../results/document/index.ts';
import {
  RunLog,
  listRunFolders,
  resolveLogPlace,
  snakeKeys,
  storeAddress,
  type RunManifest,
} from '../../run-log/index.ts';
import { createLogStores } from '../../run-log/store/index.ts';
import { readListedFigures } from '../../results/report/index.ts';
import { OWN_MODELS, RUN_ENDS, type RunState } from '../../evaluation/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { RUN_LOGS_PLACE } from '../flag-values.ts';
import { restingStatus, withTemporal } from '../find-run.ts';
import { formatResumeCommand } from '../run-log.ts';
import { describeAtRest, explainState, readUnderWay } from './state.ts';
import { UsageError, firstLine } from '../../errors/index.ts';
import { suggestName } from '../../io/index.ts';
import { printDocument } from '../terminal/print.ts';
import { listSweeps, readConfiguration, type SeenSweep, type SweepFilter } from '../../temporal/client/index.ts';
import { isUnreachable } from '../../temporal/errors.ts';
import { countEpisodes } from '../../benchmarks/index.ts';

interface ListFlags {
  readonly logDir: string;
  readonly json?: boolean;
  readonly strategy?: string;
  readonly model?: string;
  readonly status?: string;
  readonly limit: string;
}

export function defineListCommand(command: Command, context: CliContext): void {
  command
    .option('--log-dir <folder>', RUN_LOGS_PLACE, 'results')
    .option('--strategy <name>', 'only runs with this agent strategy')
    .option('--model <model>', 'only runs with this agent model')
    .option('--status <status>', 'only runs with this status: running, completed, interrupted, …')
    .option('--limit <n>', 'number of runs, newest first', '50')
    .option('--json', 'print one JSON document')
    .action(async (flags: ListFlags) => {
      await showRuns(flags, context);
    });
}

const STATUSES = ['running', ...RUN_ENDS, 'interrupted', 'terminated', 'timed_out'] as const;

async function showRuns(flags: ListFlags, context: CliContext): Promise<void> {
  const { logDir, json, strategy, model, status } = flags;
  const limit = parseLimit(flags);
  if (status !== undefined && !STATUSES.some((known) => known === status)) {
    throw new UsageError(
      `unknown --status "${status}"${suggestName(status, STATUSES)}; there are: ${STATUSES.join(', ')}.`,
    );
  }
  const all = await listRuns(logDir, { strategy, model }, context);
  const fitting = status === undefined ? all : all.filter((run) => run.status === status);
  const runs = fitting.slice(0, limit);
  if (json === true) {
    printJson(
      snakeKeys(runs.map(({ isLogged, state, ...run }) => ({ ...run, ...describedState(state), logged: isLogged }))),
      context,
    );
    return;
  }
  if (runs.length === 0) {
    const isFiltered = (strategy ?? model ?? status) !== undefined;
    context.out(isFiltered ? 'no such runs' : `no runs in ${logDir}`);
    return;
  }
  printDocument([table(COLUMNS, runs.map(runCells))], context);
  const stopped = runs.flatMap(({ runId, state }) => {
    const text = state === null ? null : explainState(state);
    return text === null ? [] : [`${runId}: ${text}`];
  });
  for (const text of stopped.slice(0, MOST_EXPLAINED)) context.out(text);
  if (fitting.length > runs.length) context.out(`and ${fitting.length - runs.length} older ones; --limit shows more`);
  if (runs.some(({ isLogged }) => !isLogged)) context.out(`* known to the server only; its log is not in ${logDir}`);
}

function describedState(state: RunState | null) {
  return { paused: state?.status === 'paused', reason: state?.reason ?? null, command: state?.command ?? null };
}

function parseLimit({ limit }: ListFlags): number {
  if (/^[1-9]\d*$/.test(limit)) return Number(limit);
  throw new UsageError('--limit must be a whole number of at least 1.');
}

/** Most runs that are explained below the table. */
const MOST_EXPLAINED = 5;

const COLUMNS: readonly Column[] = [
  { head: 'run' },
  { head: 'status' },
  { head: 'started' },
  { head: 'episodes', align: 'right' },
  { head: 'reward', align: 'right' },
  { head: 'cost', align: 'right' },
  // Run ids name strategy and model as well.
  { head: 'agent', dropOrder: 1 },
];

function runCells(run: ListedSweep): string[] {
  const { runId, isLogged, schedule, startedAt, episodes, planned, strategy, model } = run;
  const status = run.state?.status ?? run.status;
  return [
    `${runId}${isLogged ? '' : ' *'}`,
    schedule === null ? status : `${status} (${schedule})`,
    startedAt.slice(0, 16).replace('T', ' '),
    episodes === null ? NONE : `${episodes}/${planned ?? NONE}`,
    formatShare(run.averageReward),
    formatUsd(run.costUsd),
    `${strategy ?? NONE}, ${model ?? NONE}`,
  ];
}

/** A run in the list; unknown facts are null. */
interface ListedSweep extends SeenSweep {
  /** Number of episodes recorded in the log folder. */
  readonly episodes: number | null;
  readonly planned: number | null;
  /** True if the run's log is in the log folder. */
  readonly isLogged: boolean;
  /** State of the run; null if unknown. */
  readonly state: RunState | null;
}

/** Lists the runs, the newest first. */
async function listRuns(logDir: string, filter: SweepFilter, context: CliContext): Promise<ListedSweep[]> {
  const folder = resolveLogPlace(logDir, context.cwd);
  const logged = await readLogs(folder, filter, context);
  const seen = await askServer(filter, context);
  const runs = new Map<string, ListedSweep>();
  for (const { manifest, log, ...run } of logged) {
    runs.set(run.runId, withServer(run, manifest, seen.get(run.runId), formatResumeCommand(log, context)));
  }
  for (const [runId, sweep] of seen) {
    if (!runs.has(runId)) runs.set(runId, { ...sweep, episodes: null, planned: null, isLogged: false });
  }
  return [...runs.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** Adds the server's facts. A run in progress has no figures yet; figures in its log are from an earlier end. */
function withServer(run: ListedSweep, manifest: RunManifest, sweep: SeenRun | undefined, resume: string): ListedSweep {
  const schedule = sweep?.schedule ?? null;
  if (sweep?.status === 'running') {
    return { ...run, status: 'running', schedule, averageReward: null, costUsd: null, state: sweep.state };
  }
  const status = restingStatus(manifest, sweep ?? null);
  return { ...run, status, schedule, state: describeAtRest({ status, manifest }, resume) };
}

type SeenRun = SeenSweep & Pick<ListedSweep, 'state'>;

/** Returns the server's runs by id; none if no server answers. */
async function askServer(filter: SweepFilter, context: CliContext): Promise<ReadonlyMap<string, SeenRun>> {
  const seen = new Map<string, SeenRun>();
  try {
    await withTemporal(context, 'find', async ({ client }) => {
      for await (const sweep of listSweeps(client, filter)) {
        const state = sweep.status === 'running' ? await readUnderWay(client, sweep.runId) : null;
        seen.set(sweep.runId, { ...sweep, state });
      }
    });
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    // A local server that is not running knows no runs, so there is nothing to warn about.
    if (readConfiguration(context.env).address !== null) context.log(`warning: ${firstLine(error)}`);
  }
  return seen;
}

type LoggedRun = ListedSweep & { readonly manifest: RunManifest; readonly log: RunLog };

/** Reads the run logs of a folder. Skips other folders; reports damaged logs. */
async function readLogs(
  folder: string,
  { strategy, model }: SweepFilter,
  context: CliContext,
): Promise<readonly LoggedRun[]> {
  const runs: LoggedRun[] = [];
  for (const { log, count } of await logsIn(folder, context)) {
    try {
      const manifest = await log.readRun();
      if (manifest === null) continue;
      const { config } = manifest;
      if (strategy !== undefined && config.strategy !== strategy) continue;
      if (model !== undefined && config.agentModel?.model !== model) continue;
      runs.push(await describeLog(log, manifest, await count(), context));
    } catch (error) {
      context.log(`warning: ${(error as Error).message}`);
    }
  }
  return runs;
}

interface FoundLog {
  readonly log: RunLog;
  /** Counts recorded episodes. */
  readonly count: () => Promise<number>;
}

async function logsIn(folder: string, context: CliContext): Promise<FoundLog[]> {
  if (storeAddress(folder) === null) {
    return (await listRunFolders(folder)).map((runId) => {
      const log = new RunLog({ runId, logDir: folder });
      return { log, count: async () => (await log.listEpisodes()).episodes.length };
    });
  }
  const store = await createLogStores(context)(folder);
  return (await store.readSummaries()).map(({ log, episodes }) => ({ log, count: () => Promise.resolve(episodes) }));
}

async function describeLog(
  log: RunLog,
  manifest: RunManifest,
  episodes: number,
  context: CliContext,
): Promise<LoggedRun> {
  const { status, startedAt, plan, config } = manifest;
  const figures = await readListedFigures(log, (sentence) => context.log(`warning: ${sentence}`));
  return {
    runId: log.runId,
    status,
    startedAt,
    env: config.env,
    strategy: config.strategy,
    model: figures?.agentModel ?? config.agentModel?.model ?? OWN_MODELS,
    episodes,
    planned: countEpisodes(plan),
    averageReward: figures?.averageReward ?? null,
    costUsd: figures?.costUsd ?? null,
    schedule: null,
    isLogged: true,
    state: null,
    manifest,
    log,
  };
}
