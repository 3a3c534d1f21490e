/** `tauflow retry`: runs chosen episodes of a run again, whether it is in progress or not. */

import { retry } from '../../../workflows/client.ts';
import { splitList } from '../../agents/index.ts';
import {
  sweepWorkflowId,
  type EpisodeKey,
  episodeName,
  parseEpisodeName,
  type SweepPlan,
} from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { findRun, type RunUnderWay, type RunAtRest } from '../find-run.ts';
import { askProgress, formatEpisodeCount, steer, reportSteered, type SteerFlags } from './update.ts';
import { readSteering, readSweepInput } from '../../temporal/client/index.ts';
import { requireLog } from './resume.ts';
import { UsageError, type ExitCode } from '../../errors/index.ts';
import { runSweep } from '../run/run-sweep.ts';
import type { RunLog } from '../../run-log/index.ts';
import { readRows } from '../../results/report/index.ts';
import { selectRecords } from '../../run-log/store/index.ts';
import { numberNames, parseRunOptions } from '../../run-setup/index.ts';
import { BASE } from '../../benchmarks/index.ts';

export interface RetryFlags extends HostFlags, EpisodeFlags {}

/**
 * @param names names of episodes, such as `task-17.trial-0`; without names and flags: episodes that were canceled or
 *   ended by infrastructure
 */
export async function retryEpisodes(
  runId: string,
  names: readonly string[],
  flags: RetryFlags,
  context: CliContext,
): Promise<void> {
  const hasNames = flags.taskIds?.some((word) => !/^[\d\s,-]*$/.test(word)) === true;
  const numbered = hasNames ? null : parseSelection(names, flags);
  const select = async (run: RunUnderWay | RunAtRest) =>
    hasNames ? parseSelection(names, { ...flags, taskIds: await numberRecorded(run, flags.taskIds) }) : numbered;
  const atRest = await findRun<{ readonly only: readonly EpisodeKey[] | null } | null>(runId, flags, context, {
    underWay: async (run) => {
      await retryUnderWay(run, await select(run), flags, context);
      return null;
    },
    atRest: async (run) => ({ only: await retryAtRest(run, await select(run), context) }),
  });
  if (atRest !== null) context.end(await resumeAtRest(runId, flags, context, atRest.only));
}

/** Replaces names of tasks by their numbers in the run's records. @throws UsageError */
async function numberRecorded(run: RunUnderWay | RunAtRest, words: unknown): Promise<readonly string[]> {
  const { rows } = await readRows(await run.access.read());
  const names: (string | undefined)[] = [];
  for (const { taskId, taskName } of rows) names[taskId] = taskName;
  return numberNames(Array.from(names), words, `the log of ${run.runId}`);
}

async function retryUnderWay(
  run: RunUnderWay,
  selection: Selection | null,
  { json }: RetryFlags,
  context: CliContext,
): Promise<void> {
  const { runId } = run;
  const count = await steer(run, retry, selection === null ? 'failed' : await chooseEpisodes(run, selection));
  const progress = await askProgress(run);
  const sentence =
    count === 0 ? `${runId} has no episode to run again` : `${runId} runs ${formatEpisodeCount(count)} again`;
  reportSteered({ runId, request: 'retry', retried: count, progress }, sentence, json, context);
}

async function chooseEpisodes(
  { runId, temporal: { client } }: RunUnderWay,
  selection: Selection,
): Promise<EpisodeKey[]> {
  const workflowId = sweepWorkflowId(runId);
  const input = await readSweepInput(client, workflowId);
  const { numTrials } = await readSteering(client, workflowId, input);
  return selectEpisodes(selection, { ...input.plan, numTrials });
}

/**
 * Archives the records that `retry` replaces. Canceled episodes and episodes that infrastructure ended run again
 * anyway, so their records stay.
 * @returns the only episodes to run; null: all unfinished ones
 */
async function retryAtRest(
  run: RunAtRest,
  selection: Selection | null,
  context: CliContext,
): Promise<readonly EpisodeKey[] | null> {
  await requireLog(run);
  if (selection === null || run.manifest === null) return null;
  const chosen = selectEpisodes(selection, run.manifest.plan);
  const count = await run.access.change(selectRecords(chosen), (log) => setAside(log, chosen));
  context.log(`${formatEpisodeCount(count)} of ${run.runId} set aside, to run again`);
  return chosen;
}

/** Flags of `run` about this process. */
interface HostFlags extends SteerFlags {
  readonly detach?: boolean;
  readonly worker?: boolean;
  readonly taskQueue?: string;
}

/**
 * Resumes the run: runs missing episodes, and episodes that were canceled or ended by infrastructure; see `runSweep`.
 * @param only the only episodes to run; null: all unfinished ones
 */
async function resumeAtRest(
  runId: string,
  flags: HostFlags,
  context: CliContext,
  only: readonly EpisodeKey[] | null = null,
): Promise<ExitCode> {
  const { logDir, json, detach, worker, taskQueue } = flags;
  const options = {
    runId,
    logDir,
    ...(json === undefined ? {} : { json }),
    ...(detach === undefined ? {} : { detach }),
    ...(worker === false ? { worker } : {}),
    ...(taskQueue === undefined ? {} : { taskQueue }),
  };
  return runSweep({ options }, context, { only });
}

/** Archives records. @returns the number of archived ones */
async function setAside(log: RunLog, keys: readonly EpisodeKey[]): Promise<number> {
  const recorded = new Set((await log.listEpisodes()).episodes.map(episodeName));
  const chosen = keys.filter((key) => recorded.has(episodeName(key)));
  for (const key of chosen) await log.archiveEpisode(key);
  return chosen.length;
}

interface EpisodeFlags {
  readonly taskIds?: readonly string[];
  readonly trials?: readonly string[];
  readonly conditions?: readonly string[];
}

/** @throws UsageError for a text that names no episode */
export function parseEpisode(text: string): EpisodeKey {
  const key = parseEpisodeName(text);
  if (key !== null) return key;
  throw new UsageError(`"${text}" is not an episode; one is written task-17.trial-0, as its record in the run log is.`);
}

/** The selected episodes of a run; null: all tasks, trials or conditions. */
interface Selection {
  readonly episodes: readonly EpisodeKey[];
  readonly taskIds: readonly number[] | null;
  readonly trials: readonly number[] | null;
  /** Names of conditions as in names of files, including `base`. */
  readonly conditions: readonly string[] | null;
}

/**
 * @returns null without a selection
 * @throws UsageError for anything but numbers, and for a selection both by name and by flags
 */
export function parseSelection(
  names: readonly string[],
  { taskIds, trials, conditions }: EpisodeFlags,
): Selection | null {
  const isFlagged = [taskIds, trials, conditions].some((flag) => flag !== undefined);
  if (names.length === 0 && !isFlagged) return null;
  if (names.length > 0 && isFlagged) {
    throw new UsageError('name episodes, or give --task-ids, --trials and --conditions, not both.');
  }
  return {
    episodes: names.map(parseEpisode),
    taskIds: taskIds === undefined ? null : (parseRunOptions({ taskIds }).taskIds ?? null),
    trials: trials === undefined ? null : parseTrials(trials),
    conditions: conditions === undefined ? null : splitList(conditions).map((name) => name.replace(/^user:/, 'user-')),
  };
}

function parseTrials(words: readonly string[]): number[] {
  const parts = splitList(words);
  const wrong = parts.find((word) => !/^\d+$/.test(word));
  if (wrong !== undefined) throw new UsageError(`--trials must be trial numbers such as 0 1 or 0,1, not "${wrong}".`);
  return [...new Set(parts.map(Number))];
}

/** Selects episodes. @throws UsageError for an episode that the run lacks */
export function selectEpisodes(
  { episodes, taskIds, trials, conditions: wanted }: Selection,
  { taskIds: planned, numTrials, conditions = [] }: Omit<SweepPlan, 'shuffle'>,
): EpisodeKey[] {
  const all = Array.from({ length: numTrials }, (_, trial) => trial);
  const underEach = (key: EpisodeKey): EpisodeKey[] =>
    (wanted ?? [BASE, ...conditions]).map((condition) => (condition === BASE ? key : { ...key, condition }));
  const chosen =
    episodes.length > 0
      ? episodes
      : (taskIds ?? planned).flatMap((taskId) => (trials ?? all).flatMap((trial) => underEach({ taskId, trial })));
  for (const { taskId, trial, condition } of chosen) {
    if (!planned.includes(taskId)) throw new UsageError(`the run has no task ${taskId}; its tasks are in run.json.`);
    if (trial >= numTrials) {
      throw new UsageError(`the run has no trial ${trial}; its trials are 0 to ${numTrials - 1}.`);
    }
    if (condition !== undefined && !conditions.includes(condition)) {
      throw new UsageError(`the run has no condition ${condition}; it has ${[BASE, ...conditions].join(', ')}.`);
    }
  }
  return [...chosen];
}
