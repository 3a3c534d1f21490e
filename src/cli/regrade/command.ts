/** `tauflow regrade FILE`: computes the rewards of a results file or a run again, from its agents' actions. */

import { Option, type Command } from 'commander';
import { FORM_OF_STRATEGY } from '../../agents/index.ts';
import type { CliContext } from '../context.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import type { RegradeFlags } from './regrade.ts';

export function defineRegradeCommand(regrade: Command, context: CliContext): void {
  regrade
    .argument('<file>', 'a results file (at most 200 MB), or the id of a run')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .option('--env <env>', 'domain (default: what the run log says, or the tools that were called)')
    .option('--task-split <split>', 'split of its tasks (default: what the run log says, or test)')
    .option('--pack <folder|name>', "domain pack (default: what the run log says, or the one with the file's tasks)")
    .option('--env-url <url>', 'URL of an environment service, which carries the calls out again')
    .option('--env-options <json>', 'its options')
    .addOption(
      new Option('--agent-strategy <name>', 'how to read the trajectories (default: recognized)').choices(
        Array.from(FORM_OF_STRATEGY.keys()),
      ),
    )
    .option('--json', 'print one JSON document')
    .option('--out <file>', 'write the JSON document to a file')
    .action(async (file: string, flags: RegradeFlags) => {
      const { regradeFile } = await import('./regrade.ts');
      context.end(await regradeFile(file, flags, context));
    });
}
