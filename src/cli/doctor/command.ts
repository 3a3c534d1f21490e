/** `tauflow doctor`: what is there and what is missing, without starting or changing anything. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('check Node, Temporal, packs and keys (set or not, never shown)')
    .option('--json', 'print one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const { inspect } = await import('./inspect.ts');
      context.end(await inspect(json === true, context));
    });
}
