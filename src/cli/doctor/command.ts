/** `tauflow doctor`: what is there and what is missing, without starting or changing anything. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

interface DoctorFlags {
  readonly json?: boolean;
  readonly modelProvider?: string;
  readonly model?: string;
}

export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('check Node, Temporal, packs and keys (set or not, never shown)')
    .option('--model-provider <name>', 'make one tiny call of this provider, which is paid for')
    .option('--model <model>', 'the model that is asked')
    .option('--json', 'print one JSON document')
    .action(async ({ json, ...call }: DoctorFlags) => {
      const { inspect } = await import('./inspect.ts');
      context.end(await inspect(json === true, call, context));
    });
}
