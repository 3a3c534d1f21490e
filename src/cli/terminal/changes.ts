/** What has changed in how a sweep is steered, for those who watch it: somebody else may have steered it. */

import { formatUsd } from '../../results/document/index.ts';
import type { SweepProgress } from '../../wire/index.ts';

type Steered = Pick<SweepProgress, 'paused' | 'pausedFor' | 'maxConcurrency' | 'maxCostUsd' | 'numTrials'>;

/** One sentence for each change; none when nobody has steered it. */
export function steeringChanges(before: Steered, now: Steered): string[] {
  const changes: string[] = [];
  if (now.paused !== before.paused) {
    const { pausedFor = null } = now;
    const paused =
      pausedFor === null
        ? 'paused: what is open goes on to its end'
        : `paused, because the provider refuses or is away (${pausedFor}): no further episode is opened`;
    changes.push(now.paused ? paused : 'resumed: further episodes are opened');
  }
  if (now.maxConcurrency !== before.maxConcurrency) {
    changes.push(`at most ${now.maxConcurrency} at once now, instead of ${before.maxConcurrency}`);
  }
  if (budget(now) !== budget(before)) changes.push(`${budget(now)} now, instead of ${budget(before)}`);
  if (now.numTrials !== before.numTrials) {
    changes.push(`${now.numTrials} trials per task now, instead of ${before.numTrials}`);
  }
  return changes;
}

function budget({ maxCostUsd }: Steered): string {
  return maxCostUsd === undefined || maxCostUsd === null ? 'no budget' : `a budget of ${formatUsd(maxCostUsd)}`;
}
