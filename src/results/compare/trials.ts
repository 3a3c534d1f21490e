/** Two runs side by side, trial by trial. Pure. */

import { isSuccess, type TrialReward } from '../metrics/index.ts';

/**
 * Episodes of the same task and trial in both runs. It describes, and nothing is tested on it: McNemar's test takes
 * every pair for a draw of its own, but where one agent is better at some tasks and the other at others, all trials of
 * a task go the same way. Two agents that are equally good over all tasks it then calls different in 19 of 100 cases,
 * with four trials (docs/metrics.md). A test on the majority of a task's trials would not do either: to it 3 of 4 and
 * 4 of 4 are the same, it asks another question than the score does, and has no answer where two of four succeed.
 */
export interface TrialTable {
  readonly both: number;
  /** Solved by one of the runs only. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
}

/** null where the runs have no episode in common. */
export function trialTable(before: readonly TrialReward[], after: readonly TrialReward[]): TrialTable | null {
  const later = new Map(after.map((row) => [keyOf(row), isSuccess(row.reward)]));
  const pairs = before.flatMap((row) => {
    const solvedAfter = later.get(keyOf(row));
    return solvedAfter === undefined ? [] : [{ before: isSuccess(row.reward), after: solvedAfter }];
  });
  if (pairs.length === 0) return null;
  const count = (solvedBefore: boolean, solvedAfter: boolean) =>
    pairs.filter((pair) => pair.before === solvedBefore && pair.after === solvedAfter).length;
  return {
    both: count(true, true),
    onlyBefore: count(true, false),
    onlyAfter: count(false, true),
    neither: count(false, false),
  };
}

function keyOf({ taskId, trial }: TrialReward): string {
  return `${String(taskId)}/${String(trial)}`;
}
