/** `tauflow pause|resume|cancel|set|retry`: commands on a run that any process started. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import type { SteerFlags, SetFlags } from './update.ts';
import { CONFIG_LIMITS } from '../../run-setup/options/index.ts';
import { addFlags, addRunFlags, allowOwnFlags, readRunFlags } from '../options/flags.ts';
import type { RetryFlags } from './rerun.ts';

export function definePauseCommand(command: Command, context: CliContext): void {
  addRunOptions(command).action(async (runId: string, flags: SteerFlags) => {
    const { pauseRun } = await import('./update.ts');
    await pauseRun(runId, flags, context);
  });
}

export function defineResumeCommand(command: Command, context: CliContext): void {
  command.argument('<run>', 'a run id');
  addRunFlags(command, ['runId']);
  allowOwnFlags(command);
  command.action(async (runId: string) => {
    const { resumeRun } = await import('./resume.ts');
    context.end(await resumeRun(runId, readRunFlags(command), context));
  });
}

export function defineCancelCommand(command: Command, context: CliContext): void {
  addRunOptions(command)
    .argument('[episodes...]', 'single episodes, such as task-17.trial-0')
    .action(async (runId: string, episodes: string[], flags: SteerFlags) => {
      const { cancelRun } = await import('./cancel.ts');
      await cancelRun(runId, episodes, flags, context);
    });
}

export function defineSetCommand(command: Command, context: CliContext): void {
  addRunOptions(command)
    .option('--max-concurrency <n>', 'episodes open at once')
    .option('--max-cost <usd|none>', 'stop opening episodes when the run has cost this much (none: no limit)');
  addFlags(command, 'set', CONFIG_LIMITS);
  command
    .option(
      '--max-llm-calls-per-second <provider=n...>',
      'limit of its task queue, over all workers; openai=none: no limit',
    )
    .action(async (runId: string, flags: SetFlags) => {
      const { setRunLimits } = await import('./update.ts');
      await setRunLimits(runId, flags, context);
    });
}

export function defineRetryCommand(command: Command, context: CliContext): void {
  addRunOptions(command)
    .argument('[episodes...]', 'chosen ones, such as task-17.trial-0, whatever they came to')
    .option('--task-ids <ids...>', 'all trials of these tasks, as 1 2 3, 1,2,3 or 1-3')
    .option('--trials <ns...>', 'these trials only, as 0 1 or 0,1')
    .option('--conditions <names...>', 'under these conditions only, as base,tool-errors');
  addHostOptions(command).action(async (runId: string, episodes: string[], flags: RetryFlags) => {
    const { retryEpisodes } = await import('./rerun.ts');
    await retryEpisodes(runId, episodes, flags, context);
  });
}

function addRunOptions(command: Command): Command {
  return command
    .argument('<run>', 'a run id')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .option('--json', 'print one JSON document');
}

/** Adds the flags of `run` that apply when a run that is not in progress is resumed. */
function addHostOptions(command: Command): Command {
  return command
    .option('--detach', 'of a run at rest: start it and return')
    .option('--no-worker', 'of a run at rest: run no worker in this process')
    .option('--task-queue <name>', 'of a run at rest: task queue that workers listen on (default: tauflow)');
}
