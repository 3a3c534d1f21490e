/** `--dry-run`: what would run, without starting anything. */

import { findStrategy, type LeastSolution } from '../../agents/index.ts';
import { RESPOND } from '../../benchmarks/index.ts';
import { facts, formatCount, type Fact } from '../../results/document/index.ts';
import { snakeKeys, variantsOf } from '../../run-log/index.ts';
import { HUMAN, OUTSIDE } from '../../agents/users/index.ts';
import { describeAgent, describeUser } from '../../evaluation/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode } from '../../errors/index.ts';
import { printDocument } from '../terminal/print.ts';
import { readEarlierRuns } from './earlier-runs.ts';
import { estimateFacts, estimateFromPack, estimateFromRuns, type CallCounts, type Estimate } from './estimate.ts';
import { describeModel } from './notes.ts';
import type { RunOptions } from '../options/parse.ts';
import type { RunRequest } from './request.ts';
import { describeTemperatures, namedRoleModels } from './models.ts';
import { uncallableModels } from './required-models.ts';

export async function printDryRun(request: RunRequest, options: RunOptions, context: CliContext): Promise<ExitCode> {
  const { config, plan, run, maxConcurrency, maxCostUsd, notes } = request;
  const episodes = plan.taskIds.length * plan.numTrials;
  const { agent, user, steps } = leastOf(request);
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
  const { agentFile } = config.strategyOptions;
  const variants = variantsOf({ ...config, roleModels: {} });
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
    ['episodes', `${episodes} (${plan.numTrials} per task), ${maxConcurrency} at once`],
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

/**
 * Model calls that a run of solved tasks cannot do without: the agent's, from its strategy, and the simulated user's
 * opening and answer. A lower bound: it knows of no question, no confirmation and no second try.
 */
function leastOf({ pack, plan, config }: Pick<RunRequest, 'pack' | 'plan' | 'config'>): Least {
  const tasks = pack.splits[config.split] ?? [];
  const agentCalls = findStrategy(config.strategy, config.strategyOptions.agentFile)?.leastCalls ?? ordinaryCalls;
  const calls = plan.taskIds.map((id) => {
    const actions = (tasks[id]?.actions ?? []).filter(({ name }) => name !== RESPOND);
    // A hand-over ends the conversation, so nobody speaks after it.
    const end = actions.findIndex(({ name }) => pack.terminateTools.includes(name));
    const endsItself = end !== -1;
    const solution = { actions: endsItself ? end + 1 : actions.length, endsItself };
    const hasAnswer = !endsItself && config.strategyOptions.decisionOnly !== true;
    const userCalls = [HUMAN, OUTSIDE].includes(config.userStrategy) ? 0 : hasAnswer ? 2 : 1;
    const ofAgent = config.agentModel === null ? 0 : agentCalls(solution, config.strategyOptions);
    return { agent: ofAgent, user: userCalls, steps: ordinaryCalls(solution) };
  });
  const total = (field: keyof Least) => calls.reduce((sum, call) => sum + call[field], 0) * plan.numTrials;
  return { agent: total('agent'), user: total('user'), steps: total('steps') };
}

interface Least extends CallCounts {
  readonly steps: number;
}

/** A call for every action, and one for the last word. */
function ordinaryCalls({ actions, endsItself }: LeastSolution): number {
  return endsItself ? actions : actions + 1;
}

/** `0-4, 7, 9-11` */
function ranges(ids: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const id of ids) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === id - 1) last[1] = id;
    else spans.push([id, id]);
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
