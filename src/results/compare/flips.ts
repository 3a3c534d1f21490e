/** Tasks gained and lost, with links to their episodes and their first faults. Pure. */

import { episodeWorkflowId, workflowUrl } from '../../wire/index.ts';
import { isSuccess, type TaskPair } from '../metrics/index.ts';
import { episodeFileName, type EpisodeRow, type RowAnalysis, type RowOutcome } from '../log/index.ts';
import type { ComparedRun } from './runs.ts';

/** An episode and its links; null where they are not known. */
export interface EpisodeLink {
  readonly trial: number;
  readonly reward: number;
  readonly outcome: RowOutcome;
  readonly workflowId: string | null;
  /** Its history in Temporal UI. */
  readonly url: string | null;
  /** Path of its record, relative to the log folder, with `/`. */
  readonly record: string | null;
}

/** The first fault of a failed episode. */
interface FirstFault {
  readonly runId: string;
  readonly trial: number;
  readonly fault: RowAnalysis['faults'][number];
}

export interface TaskFlip extends TaskPair {
  /** By trial, ascending. */
  readonly episodesBefore: readonly EpisodeLink[];
  readonly episodesAfter: readonly EpisodeLink[];
  /** Of the run with the lower reward: its first failed trial that was analyzed; null without any. */
  readonly fault: FirstFault | null;
}

export interface Flips {
  /** Tasks whose mean reward fell, and those where it rose; the largest changes first. */
  readonly worse: readonly TaskFlip[];
  readonly better: readonly TaskFlip[];
}

/** @param counts filters the episodes, as for the pairs */
export function findFlips(
  pairs: readonly TaskPair[],
  before: ComparedRun,
  after: ComparedRun,
  counts: (row: EpisodeRow) => boolean,
): Flips {
  const [earlier, later] = [byTask(before.rows.filter(counts)), byTask(after.rows.filter(counts))];
  const flip = (pair: TaskPair): TaskFlip => {
    const [rowsBefore, rowsAfter] = [earlier.get(pair.taskId) ?? [], later.get(pair.taskId) ?? []];
    return {
      ...pair,
      episodesBefore: rowsBefore.map((row) => toEpisodeLink(before, row)),
      episodesAfter: rowsAfter.map((row) => toEpisodeLink(after, row)),
      fault: change(pair) < 0 ? firstFault(after, rowsAfter) : firstFault(before, rowsBefore),
    };
  };
  const bySize = (a: TaskPair, b: TaskPair) => Math.abs(change(b)) - Math.abs(change(a)) || a.taskId - b.taskId;
  const sorted = [...pairs].sort(bySize);
  return {
    worse: sorted.filter((pair) => change(pair) < 0).map(flip),
    better: sorted.filter((pair) => change(pair) > 0).map(flip),
  };
}

function change({ before, after }: TaskPair): number {
  return after - before;
}

function byTask(rows: readonly EpisodeRow[]): Map<number, EpisodeRow[]> {
  const tasks = new Map<number, EpisodeRow[]>();
  for (const row of [...rows].sort((a, b) => a.trial - b.trial)) {
    const trials = tasks.get(row.taskId);
    if (trials === undefined) tasks.set(row.taskId, [row]);
    else trials.push(row);
  }
  return tasks;
}

function toEpisodeLink(run: ComparedRun, { taskId, trial, reward, outcome }: EpisodeRow): EpisodeLink {
  const { manifest, hasRecords = manifest !== null, uiUrl = null } = run;
  // Two runs with the same id have longer names in a comparison.
  const runId = manifest?.runId ?? run.runId;
  const workflowId = hasRecords ? episodeWorkflowId(runId, { taskId, trial }) : null;
  const namespace = manifest?.temporal?.namespace ?? null;
  return {
    trial,
    reward,
    outcome,
    workflowId,
    url: workflowId === null || uiUrl === null || namespace === null ? null : workflowUrl(uiUrl, namespace, workflowId),
    record: hasRecords ? `${runId}/episodes/${episodeFileName({ taskId, trial })}` : null,
  };
}

function firstFault({ runId }: ComparedRun, rows: readonly EpisodeRow[]): FirstFault | null {
  for (const { trial, reward, analysis } of rows) {
    const fault = analysis?.faults[0];
    if (!isSuccess(reward) && fault !== undefined) return { runId, trial, fault };
  }
  return null;
}
