/** `--dry-run`: prints what a run would do, without starting anything. */

import { facts, formatAmount, formatCount, formatUsd, type Fact } from '../../results/document/index.ts';
import { snakeKeys, describeVariants } from '../../run-log/index.ts';
import { describeConditions, describeAgent, describeUser } from '../../evaluation/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { printDocument } from '../terminal/print.ts';
import { readEarlierRuns } from './earlier-runs.ts';
import {
  countLeastCalls,
  estimateFromPack,
  estimateFromRuns,
  type Estimate,
  describeModel,
  type RunOptions,
  type RunRequest,
  describeTemperatures,
  namedRoleModels,
  uncallableModels,
} from '../../run-setup/index.ts';
import { countEpisodes } from '../../benchmarks/index.ts';

export async function printDryRun(request: RunRequest, options: RunOptions, context: CliContext): Promise<ExitCode> {
  const { config, plan, run, maxConcurrency, maxCostUsd, notes } = request;
  const episodes = countEpisodes(plan);
  const { agent, user, steps } = countLeastCalls(request);
  const leastModelCalls = agent + user;
  const fromPack = estimateFromPack(request, { agent, user }, steps);
  const earlier = await readEarlierRuns(run.logDir, config, context.log);
  const estimate: Estimate = { fromPack, fromRuns: estimateFromRuns(earlier, episodes) };
  const uncallable = uncallableModels(config, context.env);
  if (options.json) {
    const document = {
      ...{ run, config, plan, episodes, leastModelCalls, estimate, maxConcurrency, maxCostUsd, notes },
      ...(uncallable.length === 0 ? {} : { uncallable }),
    };
    printJson(snakeKeys(document), context);
    return ExitCode.Done;
  }
  const { pack } = config;
  const conditions = describeConditions(config);
  const { agentFile } = config.strategyOptions;
  const variants = describeVariants({ ...config, roleModels: {} });
  const rows: Fact[] = [
    ['run', run.runId],
    ['run log', run.logDir],
    ['agent', describeAgent(config)],
    ...(agentFile === undefined
      ? []
      : [['agent file', `${agentFile.path} (${agentFile.digest.slice(0, 12)})`] as const]),
    ...namedRoleModels(config).map(([role, model]) => [role, describeModel(model)] as const),
    ['temperature', describeTemperatures(config)],
    ['variants', variants.length === 0 ? 'none' : variants.join(', ')],
    ['simulated user', describeUser(config)],
    ['pack', `${pack.name} (${pack.digest.slice(0, 12)}) in ${pack.path}`],
    ['tasks', `${plan.taskIds.length} of ${config.env} ${config.split}: ${ranges(plan.taskIds)}`],
    ...(conditions === null ? [] : [['conditions', conditions] as const]),
    [
      'episodes',
      `${episodes} (${plan.numTrials} per task${conditions === null ? '' : ' and condition'}), ${maxConcurrency} at once` +
        (conditions === null ? '' : `; ${1 + (plan.conditions?.length ?? 0)} times those of base alone, and its cost`),
    ],
    [
      'model calls',
      `at least ${formatCount(leastModelCalls)}${config.agentModel === null ? " beside the agent's own" : ''}, if every task is solved in its ground truth's steps`,
    ],
    ['steps', `at most ${config.maxSteps} per episode`],
    ...estimateFacts(estimate),
    ['budget', maxCostUsd === null ? 'none' : `$${maxCostUsd}`],
  ];
  printDocument([facts(rows)], context);
  for (const note of [...notes, ...uncallable]) context.out(note);
  return ExitCode.Done;
}

/** Returns the estimates of tokens and costs, with the basis of each. */
function estimateFacts({ fromPack, fromRuns }: Estimate): Fact[] {
  const { promptTokens, completionTokens, costUsd, leavesOutReasoning, leavesOutAgent } = fromPack;
  const leftOut = [
    ...(leavesOutReasoning ? ['reasoning is'] : []),
    ...(leavesOutAgent ? ["the agent's own calls are"] : []),
  ];
  const basis = ["by the pack's prompts, roughly", ...leftOut.map((what) => `${what} not counted`)].join('; ');
  const rows: Fact[] = [
    ['tokens', `${formatTokens(promptTokens)} in, ${formatTokens(completionTokens)} out: ${basis}`],
    [
      'cost',
      `${costUsd === null ? 'unknown' : `${formatUsd(costUsd.low)} to ${formatUsd(costUsd.high)}`}: by the same`,
    ],
  ];
  if (fromRuns === null) return rows;
  const { episodes, runs, costUsd: earlier } = fromRuns;
  const earlierBasis = `as in ${formatAmount(episodes, 'earlier episode')} of ${formatAmount(runs, 'run')} with this agent and these models`;
  const used = `${formatCount(fromRuns.promptTokens)} in, ${formatCount(fromRuns.completionTokens)} out: ${earlierBasis}`;
  const paid =
    earlier === null
      ? 'unknown'
      : `${formatUsd(earlier.mean)} (${formatUsd(earlier.low)} to ${formatUsd(earlier.high)})`;
  return [...rows, ['', used], ['', `${paid}: as they cost`]];
}

/** Formats a range of tokens with two significant digits, because the estimate is rough. */
function formatTokens({ low, high }: Estimate['fromPack']['promptTokens']): string {
  const [from, to] = [low, high].map((value) => formatCount(Number(value.toPrecision(2))));
  return `${from} to ${to}`;
}

/** Formats ascending ids as ranges: `0-4, 7, 9-11`. */
function ranges(ids: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const id of ids) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === id - 1) last[1] = id;
    else spans.push([id, id]);
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
