/** `tauflow pause` and `tauflow set`, and the update requests that all commands on a run in progress send. */

import type { UpdateDefinition } from '@temporalio/common';
import { snakeKeys } from '../../run-log/index.ts';
import {
  fetchProgress,
  isListenedTo,
  readSweepInput,
  requestUpdate,
  type RateLimits,
} from '../../temporal/client/index.ts';
import {
  CONFIG,
  LIMIT_KEYS,
  PAUSE_EFFECT,
  parseMainQueue,
  startWorkerCommand,
  sweepWorkflowId,
  taskQueues,
  type LimitKey,
  type SweepLimits,
  type SweepProgress,
} from '../../evaluation/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { UnreachableError, UsageError } from '../../errors/index.ts';
import { type RunUnderWay, findRun, notUnderWay, type PlaceFlags } from '../find-run.ts';
import { setLimits, pause } from '../../../workflows/client.ts';
import { formatDuration, formatUsd } from '../../results/document/index.ts';
import { applyRateLimits, withEndpoints } from '../../host/index.ts';
import { CONFIG_LIMITS, formatFlag, parseRateLimits } from '../../run-setup/options/index.ts';
import { parseRunOptions, givenLimits } from '../../run-setup/index.ts';
import { formatResumeCommand } from '../run-log.ts';

const PROGRESS_MS = 5_000;
/** Longest wait without a worker, in ms. The server has stored the request then. */
const ALONE_MS = 1_000;

/**
 * @throws UsageError with the sweep's reason if it refuses, or has just ended; UnreachableError if no worker answers
 */
export async function steer<Result, Args extends unknown[]>(
  { runId, temporal }: Pick<RunUnderWay, 'runId' | 'temporal'>,
  update: UpdateDefinition<Result, Args>,
  ...args: Args
): Promise<Result> {
  const { client } = temporal;
  const workflowId = sweepWorkflowId(runId);
  const { queues } = await readSweepInput(client, workflowId);
  const isAlone = !(await isListenedTo(client, queues.main));
  const answer = await requestUpdate(client, workflowId, update, args, isAlone ? ALONE_MS : undefined);
  switch (answer.kind) {
    case 'done':
      return answer.result;
    case 'refused':
      throw new UsageError(`the run ${runId} refuses: ${answer.reason.replace(/\.$/, '')}.`);
    case 'over':
      throw new UsageError(`the run ${runId} has just ended; \`npx tauflow status ${runId}\` shows the outcome.`);
    case 'unanswered': {
      const fate = answer.isWaiting
        ? 'the request waits on the server and is carried out when one comes, unless the server is restarted before'
        : 'the request was not delivered';
      throw new UnreachableError(
        `no worker answers for the run ${runId}; ${fate}. One is started with \`${startWorkerCommand(queues.main)}\`.`,
      );
    }
  }
}

/** Returns the progress of the sweep; null if no worker reports it. */
export async function askProgress({
  runId,
  temporal,
}: Pick<RunUnderWay, 'runId' | 'temporal'>): Promise<SweepProgress | null> {
  const { client } = temporal;
  const ask = () => fetchProgress(client, sweepWorkflowId(runId));
  // The request has succeeded. The sweep may be ending, so missing progress is no failure.
  return await client.withDeadline(Date.now() + PROGRESS_MS, ask).catch(() => null);
}

/** The document that `--json` prints, in snake_case. */
interface SteeredDocument {
  readonly runId: string;
  readonly request: 'pause' | 'resume' | 'set' | 'retry';
  readonly retried?: number;
  /** Progress of the sweep; null if unknown. */
  readonly progress: SweepProgress | null;
}

/** Prints one JSON document, or one sentence and the run's progress. */
export function reportSteered(
  document: SteeredDocument,
  sentence: string,
  json: boolean | undefined,
  context: CliContext,
): void {
  if (json === true) printJson(snakeKeys(document), context);
  else context.out(`${sentence}${document.progress === null ? '' : `; ${describeProgress(document.progress)}`}`);
}

/** Formats the extent: `5 of 12 episodes have ended, 3 are open`. */
function describeProgress({ ended, total, running }: SweepProgress): string {
  return `${ended} of ${total} episodes have ended, ${running} ${running === 1 ? 'is' : 'are'} open`;
}

export function formatEpisodeCount(count: number): string {
  return count === 1 ? '1 episode' : `${count} episodes`;
}

export interface SetFlags extends SteerFlags, Partial<Record<(typeof LIMITS)[number], string>> {
  /** Limits of task queues, and so of all sweeps on them: `openai=5`, `openai=none`. */
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
      reportSteered({ runId, request: 'set', progress }, `${runId}: ${said}`, flags.json, context);
    },
    atRest: (run) => {
      const words = limitWords(flags);
      return Promise.reject(
        notUnderWay(run, context, `\`${formatResumeCommand(run.log, context, ...words)}\` resumes it with that`),
      );
    },
  });
}

/** Limits of a run that are options of `run` too, in the order of messages. */
const LIMITS = [...CONFIG_LIMITS, 'maxConcurrency', 'maxCost'] as const;

/** @throws UsageError for an invalid limit, or if there is none */
function parseLimits(flags: SetFlags): SweepLimits {
  const given = Object.fromEntries(LIMITS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));
  if (Object.keys(given).length === 0 && flags.maxLlmCallsPerSecond === undefined) {
    const examples = LIMIT_KEYS.map((key): LimitField => CONFIG[key])
      .map(({ option, unit }) => `, ${formatFlag(option.name)} ${unit === 'ms' ? '30m' : 'N'}`)
      .join('');
    throw new UsageError(
      `nothing to set; give --max-concurrency N, --max-cost USD, --max-cost none${examples} or ` +
        '--max-llm-calls-per-second PROVIDER=N.',
    );
  }
  const options = parseRunOptions(given);
  const limits = givenLimits(options, given);
  for (const [key, value] of Object.entries(limits)) {
    const { option, unit }: LimitField = CONFIG[key as LimitKey];
    const { name, set } = option;
    if (value < 1 && unit === 'ms')
      throw new UsageError(`${formatFlag(name)} of a run under way must be above 0; ${set.zero}.`);
  }
  const { maxConcurrency, maxCost } = options;
  return {
    ...limits,
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(maxCost === undefined ? {} : { maxCostUsd: maxCost }),
  };
}

function limitWords(flags: SetFlags): string[] {
  const { maxLlmCallsPerSecond = [] } = flags;
  return [
    ...LIMITS.flatMap((name) => (flags[name] === undefined ? [] : [formatFlag(name), flags[name]])),
    ...(maxLlmCallsPerSecond.length === 0 ? [] : ['--max-llm-calls-per-second', ...maxLlmCallsPerSecond]),
  ];
}

export function describeLimits({ maxConcurrency, maxCostUsd, agentUrl, ...limits }: SweepLimits): string {
  return [
    ...(Object.entries(limits) as [LimitKey, number][]).map(([key, value]) => describeLimit(CONFIG[key], value)),
    ...(agentUrl === undefined ? [] : [`the agent at ${agentUrl} from now on`]),
    ...(maxConcurrency === undefined ? [] : [`at most ${maxConcurrency} at once`]),
    ...(maxCostUsd === undefined ? [] : [maxCostUsd === null ? 'no budget' : `a budget of ${formatUsd(maxCostUsd)}`]),
  ].join(', ');
}

type LimitField = { readonly unit?: 'ms'; readonly option: (typeof CONFIG)[LimitKey]['option'] };

function describeLimit({ unit, option }: LimitField, value: number): string {
  return option.set.effect(unit === 'ms' ? formatDuration(value) : String(value));
}

function describeRates(rates: RateLimits): string {
  return Object.entries(rates)
    .map(([provider, rate]) =>
      rate === null ? `${provider} without a limit` : `${rate} calls a second of ${provider}`,
    )
    .join(', ');
}

export interface SteerFlags extends PlaceFlags {
  readonly json?: boolean;
}

export async function pauseRun(runId: string, flags: SteerFlags, context: CliContext): Promise<void> {
  await findRun(runId, flags, context, {
    underWay: async (run) => {
      await steer(run, pause);
      const progress = await askProgress(run);
      const sentence = `${runId} is paused: ${PAUSE_EFFECT}`;
      reportSteered({ runId, request: 'pause', progress }, sentence, flags.json, context);
    },
    atRest: (run) => Promise.reject(notUnderWay(run, context)),
  });
}
