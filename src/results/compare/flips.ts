/** Tasks gained and lost, with the way to their episodes and to what went wrong in them. Pure. */

import { episodeWorkflowId, workflowUrl } from '../../wire/index.ts';
import { isSuccess, type TaskPair } from '../metrics/index.ts';
import { episodeFileName, type EpisodeRow, type RowAnalysis, type RowOutcome } from '../log/index.ts';
import type { ComparedRun } from './run.ts';

/** An episode, and where to look it up; what is not known is null. */
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

/** What went wrong first in one of the failed episodes. */
export interface FirstFault {
  readonly runId: string;
  readonly trial: number;
  readonly fault: RowAnalysis['faults'][number];
}

export interface TaskFlip extends TaskPair {
  /** By trial, ascending. */
  readonly episodesBefore: readonly EpisodeLink[];
  readonly episodesAfter: readonly EpisodeLink[];
  /** Of the run in which the task fared worse: its first failed trial that was analysed; null without any. */
  readonly fault: FirstFault | null;
}

export interface Flips {
  /** Tasks whose mean reward fell, and those where it rose; the largest changes first. */
  readonly worse: readonly TaskFlip[];
  readonly better: readonly TaskFlip[];
}

/** @param counts which episodes count, as in the pairs */
export function flipsOf(
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
      episodesBefore: rowsBefore.map((row) => linkOf(before, row)),
      episodesAfter: rowsAfter.map((row) => linkOf(after, row)),
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

function linkOf(run: ComparedRun, { taskId, trial, reward, outcome }: EpisodeRow): EpisodeLink {
  const { manifest, hasRecords = manifest !== null, uiUrl = null } = run;
  // What a comparison calls a run may be more than its id, where two runs share one.
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
