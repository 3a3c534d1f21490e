/** The body of `tauflow set`: the limits of a sweep under way. */

import { setLimits } from '../../../workflows/messages.ts';
import { usd } from '../../results/figures.ts';
import type { SweepLimits } from '../../wire/sweep.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../failures.ts';
import { parseRunOptions } from '../run/options.ts';
import { findRun, notUnderWay, takeUpCommand } from '../find-run.ts';
import type { SteerFlags } from './pause.ts';
import { askProgress, steer, tellSteered } from './update.ts';

export interface SetFlags extends SteerFlags {
  readonly maxConcurrency?: string;
  /** USD, or `none`. */
  readonly maxCost?: string;
}

export async function setRunLimits(runId: string, flags: SetFlags, context: CliContext): Promise<void> {
  const limits = parseLimits(flags);
  await findRun(runId, flags, context, {
    underWay: async (run) => {
      await steer(run, setLimits, limits);
      const progress = await askProgress(run);
      tellSteered({ runId, request: 'set', progress }, `${runId}: ${describeLimits(limits)}`, flags.json, context);
    },
    atRest: (run) => {
      const words = limitWords(flags);
      return Promise.reject(
        notUnderWay(run, context, `\`${takeUpCommand(run.log, context, ...words)}\` goes on with that`),
      );
    },
  });
}

/** @throws UsageError for what is no limit, or when none is given */
function parseLimits({ maxConcurrency, maxCost }: SetFlags): SweepLimits {
  if (maxConcurrency === undefined && maxCost === undefined) {
    throw new UsageError('nothing to set; give --max-concurrency N, --max-cost USD or --max-cost none.');
  }
  const given = parseRunOptions({
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(maxCost === undefined ? {} : { maxCost }),
  });
  return {
    ...(given.maxConcurrency === undefined ? {} : { maxConcurrency: given.maxConcurrency }),
    ...(given.maxCost === undefined ? {} : { maxCostUsd: given.maxCost }),
  };
}

function limitWords({ maxConcurrency, maxCost }: SetFlags): string[] {
  return [
    ...(maxConcurrency === undefined ? [] : ['--max-concurrency', maxConcurrency]),
    ...(maxCost === undefined ? [] : ['--max-cost', maxCost]),
  ];
}

export function describeLimits({ maxConcurrency, maxCostUsd }: SweepLimits): string {
  return [
    ...(maxConcurrency === undefined ? [] : [`at most ${maxConcurrency} at once`]),
    ...(maxCostUsd === undefined ? [] : [maxCostUsd === null ? 'no budget' : `a budget of ${usd(maxCostUsd)}`]),
  ].join(', ');
}
