/** Cost against score: what two runs paid for what they solved, over the tasks that both have. Pure. */

import { mean } from 'simple-statistics';
import { bootstrapInterval, type BootstrapOptions, type Interval } from '../../stats/index.ts';
import { summarizeCosts } from '../metrics/index.ts';
import type { EpisodeRow } from '../log/index.ts';
import type { Decision } from './difference.ts';

/** Means per episode; null where they are not known. */
export interface Spending {
  readonly episodes: number;
  /** USD. */
  readonly perEpisodeUsd: number | null;
  /** USD of all these episodes for each success. */
  readonly perSuccessUsd: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** From an episode's start to its end, ms. */
  readonly durationMs: number | null;
}

/**
 * - `dominates`: better and cheaper; `dominated`: worse and dearer.
 * - `trade_off`: better and dearer, or worse and cheaper.
 * - `cheaper`, `dearer`: no difference of the scores is shown.
 * - `score_only`: no difference of the costs is shown.
 * - `neither`: nor of either.
 */
type Trade = 'dominates' | 'dominated' | 'trade_off' | 'cheaper' | 'dearer' | 'score_only' | 'neither' | 'not_known';

export interface CostDifference {
  readonly before: Spending;
  readonly after: Spending;
  /** Of the cost per episode, mean over tasks, `after − before`, USD; null when a price is unknown. */
  readonly deltaUsd: number | null;
  /** Paired bootstrap over tasks. */
  readonly interval: Interval | null;
  readonly trade: Trade;
}

/** @param before, after the episodes that the verdict is over */
export function compareCosts(
  before: readonly EpisodeRow[],
  after: readonly EpisodeRow[],
  decision: Decision,
  options: BootstrapOptions = {},
): CostDifference {
  const differences = differencesByTask(before, after);
  const interval = differences === null ? null : bootstrapInterval(differences, options);
  const deltaUsd = differences === null || differences.length === 0 ? null : mean(differences);
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
  const isDearer = low > 0;
  if (decision === 'no_difference') return isCheaper ? 'cheaper' : isDearer ? 'dearer' : 'neither';
  if (!isCheaper && !isDearer) return 'score_only';
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

/** Of the tasks that both have, ascending; null when any price is unknown. */
function differencesByTask(before: readonly EpisodeRow[], after: readonly EpisodeRow[]): number[] | null {
  const [earlier, later] = [costsByTask(before), costsByTask(after)];
  if (earlier === null || later === null) return null;
  return [...earlier.keys()]
    .sort((a, b) => a - b)
    .flatMap((taskId) => {
      const [a, b] = [earlier.get(taskId), later.get(taskId)];
      return a === undefined || b === undefined ? [] : [mean(b) - mean(a)];
    });
}

function costsByTask(rows: readonly EpisodeRow[]): Map<number, number[]> | null {
  const tasks = new Map<number, number[]>();
  for (const { taskId, costUsd } of rows) {
    if (costUsd === null) return null;
    tasks.set(taskId, [...(tasks.get(taskId) ?? []), costUsd]);
  }
  return tasks;
}
