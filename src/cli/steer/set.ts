/** The body of `tauflow set`: the limits of a sweep under way. */

import { setLimits } from '../../../workflows/client.ts';
import { formatUsd } from '../../results/document/index.ts';
import { readSweepInput, type RateLimits } from '../../temporal/client/index.ts';
import { parseMainQueue, sweepWorkflowId, taskQueues, type SweepLimits } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { applyRateLimits, withEndpoints } from '../../host/index.ts';
import { UsageError } from '../../errors/index.ts';
import { parseRateLimits } from '../rate-limit-flag.ts';
import { parseRunOptions } from '../run/options.ts';
import { findRun, notUnderWay } from '../find-run.ts';
import { formatResumeCommand } from '../open-log.ts';
import type { SteerFlags } from './pause.ts';
import { askProgress, steer, tellSteered } from './update.ts';

export interface SetFlags extends SteerFlags {
  readonly maxConcurrency?: string;
  /** USD, or `none`. */
  readonly maxCost?: string;
  /** `openai=5`, `openai=none`: of the task queue, and so of every sweep on it. */
  readonly maxLlmCallsPerSecond?: string[];
}

export async function setRunLimits(runId: string, flags: SetFlags, context: CliContext): Promise<void> {
  const limits = parseLimits(flags);
  const rates = parseRateLimits((flags.maxLlmCallsPerSecond ?? []).flatMap((item) => item.split(',')));
  await findRun(runId, flags, context, {
    underWay: async (run) => {
      if (Object.keys(rates).length > 0) {
        const { queues } = await readSweepInput(run.temporal.client, sweepWorkflowId(runId));
        const { base } = parseMainQueue(queues.main);
        const endpoints = withEndpoints({}, queues, Object.keys(queues.endpoints ?? {}));
        const limited = { queues: [taskQueues(base), queues], providers: [], endpoints };
        await applyRateLimits(run.temporal, limited, rates, context.log);
      }
      if (Object.keys(limits).length > 0) await steer(run, setLimits, limits);
      const progress = await askProgress(run);
      const said = [describeLimits(limits), describeRates(rates)].filter((text) => text !== '').join(', ');
      tellSteered({ runId, request: 'set', progress }, `${runId}: ${said}`, flags.json, context);
    },
    atRest: (run) => {
      const words = limitWords(flags);
      return Promise.reject(
        notUnderWay(run, context, `\`${formatResumeCommand(run.log, context, ...words)}\` resumes it with that`),
      );
    },
  });
}

/** @throws UsageError for what is no limit, or when none is given */
function parseLimits({ maxConcurrency, maxCost, maxLlmCallsPerSecond }: SetFlags): SweepLimits {
  if (maxConcurrency === undefined && maxCost === undefined && maxLlmCallsPerSecond === undefined) {
    throw new UsageError(
      'nothing to set; give --max-concurrency N, --max-cost USD, --max-cost none or --max-llm-calls-per-second PROVIDER=N.',
    );
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

function limitWords({ maxConcurrency, maxCost, maxLlmCallsPerSecond = [] }: SetFlags): string[] {
  return [
    ...(maxConcurrency === undefined ? [] : ['--max-concurrency', maxConcurrency]),
    ...(maxCost === undefined ? [] : ['--max-cost', maxCost]),
    ...(maxLlmCallsPerSecond.length === 0 ? [] : ['--max-llm-calls-per-second', ...maxLlmCallsPerSecond]),
  ];
}

export function describeLimits({ maxConcurrency, maxCostUsd }: SweepLimits): string {
  return [
    ...(maxConcurrency === undefined ? [] : [`at most ${maxConcurrency} at once`]),
    ...(maxCostUsd === undefined ? [] : [maxCostUsd === null ? 'no budget' : `a budget of ${formatUsd(maxCostUsd)}`]),
  ].join(', ');
}

function describeRates(rates: RateLimits): string {
  return Object.entries(rates)
    .map(([provider, rate]) =>
      rate === null ? `${provider} without a limit` : `${rate} calls a second of ${provider}`,
    )
    .join(', ');
}
