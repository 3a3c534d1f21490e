/** Whether tasks of one number are the same task in two runs. Pure. */

import type { EvaluationConfig } from '../../wire/index.ts';
import type { EpisodeRow } from '../log/index.ts';
import type { ComparedRun } from './run.ts';

/**
 * Why the runs have other tasks under the same numbers: another env, pack or split; where one of them is a mere results
 * file, other customers in most tasks. null when they have not, and where nothing is known of one of them.
 */
export function otherTasks(baseline: ComparedRun, run: ComparedRun): string | null {
  const [before, after] = [baseline.manifest, run.manifest];
  if (before === null || after === null) return otherCustomers(baseline.rows, run.rows);
  const [a, b] = [before.config, after.config];
  const reasons = [
    a.env === b.env ? null : `the env was ${a.env} and is ${b.env}`,
    a.pack.digest === b.pack.digest ? null : `the pack was ${packName(a)} and is ${packName(b)}`,
    a.split === b.split ? null : `the task split was ${a.split} and is ${b.split}`,
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(', and ');
}

/** A later version of a task may have another customer; most of them have not. */
function otherCustomers(before: readonly EpisodeRow[], after: readonly EpisodeRow[]): string | null {
  const [a, b] = [customersOf(before), customersOf(after)];
  const common = [...a.keys()].filter((taskId) => b.has(taskId));
  const other = common.filter((taskId) => a.get(taskId) !== b.get(taskId)).length;
  if (2 * other <= common.length) return null;
  return `${String(other)} of the ${String(common.length)} tasks that both have are of other customers`;
}

function customersOf(rows: readonly EpisodeRow[]): Map<number, string> {
  return new Map(rows.flatMap(({ taskId, userId }) => (userId === undefined ? [] : [[taskId, userId] as const])));
}

function packName({ pack }: EvaluationConfig): string {
  return `${pack.name} ${pack.digest.slice(0, 12)}`;
}
