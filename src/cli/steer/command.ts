/** `tauflow pause|resume|cancel|set|retry`: steering a run, whoever has started it. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { SteerFlags } from './pause.ts';
import type { RetryFlags } from './retry.ts';
import type { SetFlags } from './set.ts';
import type { HostFlags } from './take-up.ts';

export function addPauseCommand(program: Command, context: CliContext): void {
  steering(program, 'pause', 'open no further episodes; open ones continue to their end').action(
    async (runId: string, flags: SteerFlags) => {
      const { pauseRun } = await import('./pause.ts');
      await pauseRun(runId, flags, context);
    },
  );
}

export function addResumeCommand(program: Command, context: CliContext): void {
  hosting(
    steering(program, 'resume', 'continue a run that is paused, has infrastructure errors, or ended early'),
  ).action(async (runId: string, flags: HostFlags) => {
    const { resumeRun } = await import('./resume.ts');
    await resumeRun(runId, flags, context);
  });
}

export function addCancelCommand(program: Command, context: CliContext): void {
  steering(program, 'cancel', 'cancel a run, or single episodes of it; what has ended is kept')
    .argument('[episodes...]', 'single episodes, such as task-17.trial-0')
    .action(async (runId: string, episodes: string[], flags: SteerFlags) => {
      const { cancelRun } = await import('./cancel.ts');
      await cancelRun(runId, episodes, flags, context);
    });
}

export function addSetCommand(program: Command, context: CliContext): void {
  steering(program, 'set', 'change the limits of a run in progress')
    .option('--max-concurrency <n>', 'episodes open at once')
    .option('--max-cost <usd|none>', 'stop opening episodes when the run has cost this much; none: no bound')
    .option(
      '--max-llm-calls-per-second <provider=n...>',
      'limit of its task queue, over all workers; openai=none: none',
    )
    .action(async (runId: string, flags: SetFlags) => {
      const { setRunLimits } = await import('./set.ts');
      await setRunLimits(runId, flags, context);
    });
}

export function addRetryCommand(program: Command, context: CliContext): void {
  const command = steering(program, 'retry', 'run episodes again (default: those that were cancelled or lost)')
    .argument('[episodes...]', 'chosen ones, such as task-17.trial-0, whatever they came to')
    .option('--task-ids <ids...>', 'all trials of these tasks, as 1 2 3 or 1,2,3')
    .option('--trials <ns...>', 'these trials only, as 0 1 or 0,1');
  hosting(command).action(async (runId: string, episodes: string[], flags: RetryFlags) => {
    const { retryEpisodes } = await import('./retry.ts');
    await retryEpisodes(runId, episodes, flags, context);
  });
}

function steering(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument('<run>', 'a run id')
    .option('--log-dir <folder>', 'where the run log is', 'results')
    .option('--json', 'print one JSON document');
}

/** For a run at rest, which is taken up as `run` does. */
function hosting(command: Command): Command {
  return command
    .option('--detach', 'of a run at rest: start it and return')
    .option('--no-worker', 'of a run at rest: run no worker in this process')
    .option('--task-queue <name>', 'of a run at rest: task queue that workers listen on (default: tauflow)');
}
