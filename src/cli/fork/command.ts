/** `tauflow fork RUN EPISODE --at-step N`: run an episode again from one of its steps, with something changed. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { strategies } from '../../agents/index.ts';
import { addStrategyFlags, allowOwnFlags, readRunFlags } from '../run/flags.ts';

export function defineForkCommand(fork: Command, context: CliContext): void {
  fork
    .argument('<run>', 'a run id')
    .argument('[episode]', 'an episode, such as task-17.trial-0, or a fork of one, task-17.trial-0.fork-1')
    .option('--at-step <n>', 'the first step that is taken anew; the steps before it are kept as they were')
    .option('--model <model>', "another model for the agent's calls from there on")
    .option('--model-provider <name>', 'its provider')
    .option('--agent-strategy <name>', 'another strategy, which takes over the conversation')
    .option('--user-model <model>', "another model for the simulated user's calls")
    .option('--user-model-provider <name>', 'its provider')
    .option('--temperature <t>', "the agent's sampling temperature")
    .option('--agent-model-settings <json>', "further settings of the agent's model")
    .option('--user-model-settings <json>', "further settings of the simulated user's model")
    .option('--seed <n>', 'another seed, for providers that take one')
    .option('--observation <text>', 'what the last kept step is to have shown; the data stay as they were')
    .option('--observation-file <file>', 'the same, from a file')
    .option('--max-steps <n>', 'environment steps of the episode, the kept ones included')
    .option('--max-retries <n>', "retries of one model call after API failures (default: the origin's)")
    .option('--max-cost <usd>', 'end the fork once its own calls have cost this much')
    .option('--prices <file>', "JSON of USD per million tokens by provider/model, before the origin's and the list's")
    .option('--compat <names...>', "defects of the original to bring back, as for run (default: the origin's)")
    .option('--list', 'list the forks of the run')
    .option('--log-dir <folder>', 'where the run log is (default: results)')
    .option('--detach', 'start the fork and return; it goes on wherever workers run')
    .option('--no-worker', 'run no worker in this process')
    .option('--task-queue <name>', 'task queue that workers listen on (default: tauflow)')
    .option('--json', 'print one JSON document');
  addStrategyFlags(fork, Object.values(strategies));
  allowOwnFlags(fork);
  fork.action(async (runId: string, episode: string | undefined) => {
    const given = readRunFlags(fork);
    const { list, ...options } = given.options;
    // Nothing but the agent's own file has further flags, and it is known when the episode is.
    if (list === true || episode === undefined || episode.startsWith('-')) given.readOwn?.(undefined);
    if (list === true) {
      const { listForks } = await import('./list.ts');
      return listForks(runId, options, context);
    }
    if (episode === undefined) {
      throw new UsageError('name the episode to fork, such as task-17.trial-0, or give --list.');
    }
    const { forkEpisode } = await import('./fork-episode.ts');
    context.end(await forkEpisode(runId, episode, { ...given, options }, context));
  });
}
