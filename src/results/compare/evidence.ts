/** Evidence of a comparison: gained and lost tasks with their episodes and faults, and costs of the common tasks. Pure. */

import { mean } from 'simple-statistics';
import { episodeWorkflowId, workflowUrl } from '../../evaluation/index.ts';
import { groupByTask, isSuccess, measureMean, summarizeCosts, type Decision, type TaskPair } from '../metrics/index.ts';
import { episodeFileName, type EpisodeRow, type RowAnalysis, type RowOutcome } from '../../run-log/index.ts';
import type { ComparedRun } from './runs.ts';
import type { BootstrapOptions, Interval } from '../../stats/index.ts';

/** An episode and its links, which are null if unknown. */
export interface EpisodeLink {
  readonly trial: number;
  readonly reward: number;
  readonly outcome: RowOutcome;
  readonly workflowId: string | null;
  /** Address of the history in Temporal UI. */
  readonly url: string | null;
  /** Path of the record in the log folder, with `/`. */
  readonly record: string | null;
}

/** The first fault of a failed episode. */
interface FirstFault {
  readonly runId: string;
  readonly trial: number;
  readonly fault: RowAnalysis['faults'][number];
}

export interface TaskFlip extends TaskPair {
  /** The task's name. @default its number */
  readonly taskName?: string | undefined;
  /** Episodes by trial, ascending. */
  readonly episodesBefore: readonly EpisodeLink[];
  readonly episodesAfter: readonly EpisodeLink[];
  /** First fault in the run with the lower reward; null if there is none. */
  readonly fault: FirstFault | null;
}

interface Flips {
  /** Tasks whose mean reward fell, the largest changes first. */
  readonly worse: readonly TaskFlip[];
  /** Tasks whose mean reward rose, the largest changes first. */
  readonly better: readonly TaskFlip[];
}

/** @param counts true for an episode that is included, as for the pairs */
export function findFlips(
  pairs: readonly TaskPair[],
  before: ComparedRun,
  after: ComparedRun,
  counts: (row: EpisodeRow) => boolean,
): Flips {
  const [earlier, later] = [groupByTask(before.rows.filter(counts)), groupByTask(after.rows.filter(counts))];
  const flip = (pair: TaskPair): TaskFlip => {
    const [rowsBefore, rowsAfter] = [earlier.get(pair.taskId) ?? [], later.get(pair.taskId) ?? []];
    return {
      ...pair,
      taskName: rowsAfter[0]?.taskName,
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

function toEpisodeLink(run: ComparedRun, { taskId, trial, reward, outcome }: EpisodeRow): EpisodeLink {
  const { manifest, hasRecords = manifest !== null, uiUrl = null } = run;
  // `run.runId` is longer if two compared runs have the same id.
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

/** Means per episode; null if unknown. */
export interface Spending {
  readonly episodes: number;
  /** Mean cost per episode in USD. */
  readonly perEpisodeUsd: number | null;
  /** Cost of all these episodes per success, in USD. */
  readonly perSuccessUsd: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Mean duration of an episode, in milliseconds. */
  readonly durationMs: number | null;
}

/**
 * - `dominates`: better and cheaper; `dominated`: worse and more expensive.
 * - `trade_off`: better and more expensive, or worse and cheaper.
 * - `cheaper`, `dearer`: no difference of the scores is shown.
 * - `score_only`: no difference of the costs is shown.
 * - `neither`: no difference is shown of scores or costs.
 */
type Trade = 'dominates' | 'dominated' | 'trade_off' | 'cheaper' | 'dearer' | 'score_only' | 'neither' | 'not_known';

export interface CostDifference {
  readonly before: Spending;
  readonly after: Spending;
  /** Difference of the cost per episode, `after − before`, mean over tasks, in USD; null if a price is unknown. */
  readonly deltaUsd: number | null;
  /** Paired bootstrap interval over tasks. */
  readonly interval: Interval | null;
  readonly trade: Trade;
}

export function compareCosts(
  before: readonly EpisodeRow[],
  after: readonly EpisodeRow[],
  decision: Decision,
  options: BootstrapOptions = {},
): CostDifference {
  const { delta: deltaUsd, interval } = measureMean(before, after, ({ costUsd }) => costUsd, options);
  return {
    before: toSpending(before),
    after: toSpending(after),
    deltaUsd,
    interval,
    trade: deltaUsd === null || interval === null ? 'not_known' : decideTrade(decision, interval),
  };
}

function decideTrade(decision: Decision, { low, high }: Interval): Trade {
  const isCheaper = high < 0;
  const isMoreExpensive = low > 0;
  if (decision === 'no_difference') return isCheaper ? 'cheaper' : isMoreExpensive ? 'dearer' : 'neither';
  if (!isCheaper && !isMoreExpensive) return 'score_only';
  if ((decision === 'better') === isCheaper) return decision === 'better' ? 'dominates' : 'dominated';
  return 'trade_off';
}

function toSpending(rows: readonly EpisodeRow[]): Spending {
  const costs = summarizeCosts(rows);
  const perEpisode = (sum: number) => (costs.calls === 0 || rows.length === 0 ? null : sum / rows.length);
  const durations = rows.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  return {
    episodes: rows.length,
    perEpisodeUsd: costs.perEpisodeUsd,
    perSuccessUsd: costs.perSuccessUsd,
    promptTokens: perEpisode(costs.promptTokens),
    completionTokens: perEpisode(costs.completionTokens),
    durationMs: durations.length === 0 ? null : mean(durations),
  };
}
