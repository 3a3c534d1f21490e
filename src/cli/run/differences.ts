/** Checks that what is asked of an existing run is the same experiment. */

import { runDifferences, type RunIdentity } from '../../results/log/index.ts';
import { UsageError } from '../../errors/index.ts';

/**
 * The same run id with another configuration would mix two experiments in one log; more trials are more of the same.
 * @param there `the run mine exists`
 * @param wayOut besides another id
 * @throws UsageError that lists the differences
 */
export function refuseDifferences(before: RunIdentity, asked: RunIdentity, there: string, wayOut = ''): void {
  const numTrials = Math.max(before.plan.numTrials, asked.plan.numTrials);
  const differences = runDifferences(withTrials(before, numTrials), withTrials(asked, numTrials));
  if (differences.length > 0) {
    throw new UsageError(
      `${there} with another configuration (${differences.join('; ')}); choose another --run-id${wayOut}.`,
    );
  }
  if (asked.plan.numTrials < numTrials) {
    throw new UsageError(
      `${there} with ${numTrials} trials per task, which cannot become ${asked.plan.numTrials}; ` +
        'choose another --run-id, or leave --num-trials out.',
    );
  }
}

function withTrials(identity: RunIdentity, numTrials: number): RunIdentity {
  return { ...identity, plan: { ...identity.plan, numTrials } };
}
