/** `--dry-run`: what would run, without starting anything. */

import type { LeastSolution } from '../../agents/port.ts';
import { findStrategy } from '../../agents/registry.ts';
import { RESPOND } from '../../bench/types.ts';
import { snakeKeys } from '../../results/plain.ts';
import { variantsOf } from '../../results/variants.ts';
import type { CliContext } from '../context.ts';
import { ExitCode } from '../failures.ts';
import { printJson } from '../print-report.ts';
import { describeModel } from './notes.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';
import { namedRoleModels } from './role-models.ts';

export function printDryRun(request: RunRequest, options: RunOptions, context: CliContext): ExitCode {
  const { config, plan, run, maxConcurrency, maxCostUsd, notes } = request;
  const episodes = plan.taskIds.length * plan.numTrials;
  const leastModelCalls = leastCalls(request);
  if (options.json) {
    const document = { run, config, plan, episodes, leastModelCalls, maxConcurrency, maxCostUsd, notes };
    printJson(snakeKeys(document), context);
    return ExitCode.Done;
  }
  const { agentModel, userModel, pack } = config;
  const variants = variantsOf({ ...config, roleModels: {} });
  const rows = [
    ['run', run.runId],
    ['run log', run.logDir],
    ['agent', `${config.strategy} with ${agentModel.provider}/${agentModel.model}`],
    ...namedRoleModels(config).map(([role, model]) => [role, describeModel(model)]),
    ['variants', variants.length === 0 ? 'none' : variants.join(', ')],
    ['simulated user', `${config.userStrategy} with ${userModel.provider}/${userModel.model}`],
    ['pack', `${pack.name} (${pack.digest.slice(0, 12)}) in ${pack.path}`],
    ['tasks', `${plan.taskIds.length} of ${config.env} ${config.split}: ${ranges(plan.taskIds)}`],
    ['episodes', `${episodes} (${plan.numTrials} per task), ${maxConcurrency} at once`],
    [
      'model calls',
      `at least ${leastModelCalls.toLocaleString('en')}, if every task is solved in its ground truth's steps`,
    ],
    ['steps', `at most ${config.maxSteps} per episode`],
    ['budget', maxCostUsd === null ? 'none' : `$${maxCostUsd}`],
  ];
  const width = Math.max(15, ...rows.map(([name = '']) => name.length + 1));
  for (const [name, value] of rows) context.out(`${name?.padEnd(width)} ${value}`);
  for (const note of notes) context.out(note);
  return ExitCode.Done;
}

/**
 * Model calls that a run of solved tasks cannot do without: the agent's, as its strategy tells, and the simulated user's
 * opening and answer. A lower bound: it knows of no question, no confirmation and no second try.
 */
export function leastCalls({ pack, plan, config }: Pick<RunRequest, 'pack' | 'plan' | 'config'>): number {
  const tasks = pack.splits[config.split] ?? [];
  const agentCalls = findStrategy(config.strategy)?.leastCalls ?? ordinaryCalls;
  const calls = plan.taskIds.map((id) => {
    const actions = (tasks[id]?.actions ?? []).filter(({ name }) => name !== RESPOND);
    // A hand-over ends the conversation, so nobody speaks after it.
    const end = actions.findIndex(({ name }) => pack.terminateTools.includes(name));
    const endsItself = end !== -1;
    const solution = { actions: endsItself ? end + 1 : actions.length, endsItself };
    const hasAnswer = !endsItself && config.strategyOptions.decisionOnly !== true;
    return agentCalls(solution, config.strategyOptions) + (hasAnswer ? 2 : 1);
  });
  return calls.reduce((sum, count) => sum + count, 0) * plan.numTrials;
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
