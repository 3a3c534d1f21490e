/** `--dry-run`: what would run, without starting anything. */

import type { CliContext } from '../context.ts';
import { ExitCode } from '../failures.ts';
import type { RunOptions } from './options.schema.ts';
import type { RunRequest } from './request.ts';

export function printDryRun(request: RunRequest, options: RunOptions, context: CliContext): ExitCode {
  const { config, plan, run, maxConcurrency, maxCostUsd, notes } = request;
  const episodes = plan.taskIds.length * plan.numTrials;
  if (options.json) {
    context.out(JSON.stringify({ run, config, plan, episodes, maxConcurrency, maxCostUsd, notes }, null, 2));
    return ExitCode.Done;
  }
  const { agentModel, userModel, pack } = config;
  const rows = [
    ['run', run.runId],
    ['run log', run.logDir],
    ['agent', `${config.strategy} with ${agentModel.provider}/${agentModel.model}`],
    ['simulated user', `${config.userStrategy} with ${userModel.provider}/${userModel.model}`],
    ['pack', `${pack.name} (${pack.digest.slice(0, 12)}) in ${pack.path}`],
    ['tasks', `${plan.taskIds.length} of ${config.env} ${config.split}: ${ranges(plan.taskIds)}`],
    ['episodes', `${episodes} (${plan.numTrials} per task), ${maxConcurrency} at once`],
    ['steps', `at most ${config.maxSteps} per episode`],
    ['budget', maxCostUsd === null ? 'none' : `$${maxCostUsd}`],
  ];
  for (const [name, value] of rows) context.out(`${name?.padEnd(15)} ${value}`);
  for (const note of notes) context.out(note);
  return ExitCode.Done;
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
