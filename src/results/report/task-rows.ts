/** The trials of each task, as the per-task tables show them. Pure. */

import type { FaultKind } from '../../analysis/index.ts';
import {
  countBy,
  firstFault,
  isSuccess,
  isSuspectRow,
  scoredRows,
  spreadOfAll,
  spreadOfKnown,
} from '../metrics/index.ts';
import type { EpisodeRow, RowOutcome, TaskDefect } from '../log/index.ts';

/** The trials of one task. */
export interface TaskRow {
  readonly taskId: number;
  readonly trials: number;
  /** Reward per trial, in the trials' order; null for one without a score. */
  readonly rewards: readonly (number | null)[];
  /** Successes over counted trials, in [0, 1]; null when none counts. */
  readonly passRate: number | null;
  /** Mean of environment steps over the trials of which they are known. */
  readonly steps: number | null;
  /** Means over the successful trials: environment steps, and the user turn in which they ended. */
  readonly stepsToSuccess: number | null;
  readonly successTurn: number | null;
  /** USD for all trials; null when a price is unknown. */
  readonly costUsd: number | null;
  readonly outcomes: Readonly<Partial<Record<RowOutcome, number>>>;
  /** First faults of the failed trials that were analysed. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Trials whose customer is under suspicion. */
  readonly suspects: number;
  /** What is known to be wrong with the task itself. */
  readonly defects: readonly TaskDefect[];
  /** What the first error said; null without errors. */
  readonly error: string | null;
}

/** Tasks ascending. */
export function taskRows(rows: readonly EpisodeRow[], defects: readonly TaskDefect[]): TaskRow[] {
  const hasScore = new Set(scoredRows(rows));
  const byTask = new Map<number, EpisodeRow[]>();
  for (const row of rows) {
    const task = byTask.get(row.taskId);
    if (task === undefined) byTask.set(row.taskId, [row]);
    else task.push(row);
  }
  return [...byTask]
    .sort(([a], [b]) => a - b)
    .map(([taskId, trials]) =>
      taskRow(
        taskId,
        trials,
        hasScore,
        defects.filter((defect) => defect.taskId === taskId),
      ),
    );
}

function taskRow(
  taskId: number,
  unsorted: readonly EpisodeRow[],
  hasScore: ReadonlySet<EpisodeRow>,
  defects: readonly TaskDefect[],
): TaskRow {
  const trials = [...unsorted].sort((a, b) => a.trial - b.trial);
  const counted = trials.filter((row) => row.outcome !== 'cancelled');
  const scored = counted.filter((row) => hasScore.has(row));
  const solved = scored.filter((row) => isSuccess(row.reward));
  return {
    taskId,
    trials: trials.length,
    rewards: trials.map((row) => (hasScore.has(row) ? row.reward : null)),
    passRate: scored.length === 0 ? null : solved.length / scored.length,
    steps: spreadOfKnown(counted.map((row) => row.steps))?.mean ?? null,
    stepsToSuccess: spreadOfAll(solved.map((row) => row.steps))?.mean ?? null,
    successTurn: spreadOfAll(solved.map((row) => row.turns))?.mean ?? null,
    costUsd: trials.reduce<number | null>(
      (sum, row) => (sum === null || row.costUsd === null ? null : sum + row.costUsd),
      0,
    ),
    outcomes: countBy(trials.map(({ outcome }) => outcome)),
    faults: countBy(scored.flatMap((row) => firstFault(row)?.kind ?? [])),
    suspects: scored.filter(isSuspectRow).length,
    defects,
    error: trials.find((row) => row.error !== null)?.error ?? null,
  };
}
