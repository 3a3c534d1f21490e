/** Flags of `run` that mean nothing to a schedule, or something else than a person would think. */

import { UsageError } from '../../errors/index.ts';
import { HUMAN } from '../../users/index.ts';
import { flagOf } from '../run/options.ts';
import type { RawRunOptions } from '../run/options.schema.ts';

/** By option, why; the reason follows "a schedule". */
export const NOT_FOR_SCHEDULES: ReadonlyMap<string, string> = new Map([
  ['runId', 'names its runs itself, by its name and their time'],
  ['detach', 'always starts its runs apart from this command'],
  ['worker', 'always leaves its runs to the workers of its task queue'],
  ['dryRun', 'is no run; give these flags to `tauflow run --dry-run` to see what a night would be'],
  ['failUnder', 'compares its runs with each other; --on-regression says what follows'],
  ['clearCache', 'would forget its completions only once, now; `tauflow cache clear` does that'],
  ['decisionOnly', 'needs a score to compare, and --decision-only gives none'],
  ['scriptedLatency', 'leaves the scripted model to its workers'],
  ['scriptedFaults', 'leaves the scripted model to its workers'],
]);

/** @throws UsageError for the first of them */
export function refuseFlags(given: RawRunOptions): void {
  if (given.userStrategy === HUMAN) {
    throw new UsageError(`--user-strategy ${HUMAN} is not for schedules: at night no person answers.`);
  }
  for (const [option, reason] of NOT_FOR_SCHEDULES) {
    if (given[option] === undefined || given[option] === defaultOf(option)) continue;
    const flag = option === 'worker' ? '--no-worker' : flagOf(option);
    throw new UsageError(`${flag} is not for schedules: a schedule ${reason}.`);
  }
}

/** What a config file may say without meaning anything by it. */
function defaultOf(option: string): boolean | undefined {
  switch (option) {
    case 'worker':
      return true;
    case 'detach':
    case 'dryRun':
    case 'clearCache':
    case 'decisionOnly':
      return false;
    default:
      return undefined;
  }
}
