/** Whether tasks of one number are the same task in two runs. Pure. */

import type { EvaluationConfig } from '../../wire/config.ts';
import type { ComparedRun } from './run.ts';

/**
 * Why the runs have other tasks under the same numbers: another env, pack or split. null when they have not, and where
 * nothing is known of one of them.
 */
export function otherTasks({ manifest: before }: ComparedRun, { manifest: after }: ComparedRun): string | null {
  if (before === null || after === null) return null;
  const [a, b] = [before.config, after.config];
  const reasons = [
    a.env === b.env ? null : `the env was ${a.env} and is ${b.env}`,
    a.pack.digest === b.pack.digest ? null : `the pack was ${packName(a)} and is ${packName(b)}`,
    a.split === b.split ? null : `the task split was ${a.split} and is ${b.split}`,
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? null : reasons.join(', and ');
}

function packName({ pack }: EvaluationConfig): string {
  return `${pack.name} ${pack.digest.slice(0, 12)}`;
}
