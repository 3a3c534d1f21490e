/** `tauflow env`: checks an environment service, without Temporal and without a model. */

import type { Command } from 'commander';
import { checkService } from '../../benchmarks/service/check/index.ts';
import { parseEnvironmentOptions } from '../../run-setup/index.ts';
import type { CliContext } from '../context.ts';
import { CHECK_EXIT_CODES, reportFindings } from '../findings.ts';

interface CheckFlags {
  readonly env?: string;
  readonly envOptions?: string;
  readonly json?: boolean;
}

export function defineEnvCommand(command: Command, context: CliContext): void {
  command
    .command('check')
    .description(
      'play the ground truths of an environment service, repeat and reorder requests, forget episodes, and say what is ' +
        'right, what is wrong and what that would cost in a run; no model is called',
    )
    .argument('<url>', 'the value of --env-url')
    .option('--env <domain>', 'a domain of the service [default: its first]')
    .option('--env-options <json>', 'options of the service, as a JSON object')
    .option('--json', 'print one JSON document')
    .addHelpText('after', CHECK_EXIT_CODES)
    .action(async (url: string, flags: CheckFlags) => {
      await check(url, flags, context);
    });
}

async function check(url: string, { env, envOptions, json = false }: CheckFlags, context: CliContext): Promise<void> {
  const options = parseEnvironmentOptions(envOptions);
  const service = { source: { kind: 'url', url }, label: url, domain: env, options, env: context.env } as const;
  await reportFindings({ url }, { json }, context, (onFinding) => checkService(service, onFinding));
}
