/** The flags and help of `tauflow data generate`. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { GenerateFlags } from './generate.ts';

const HELP = `
Every task is proven while it is made: its ground truth replays without an error and has an effect (or the wish is one
that the policy refuses), and whatever its instruction names is looked up in the finished tables and has to be one
thing only. A task that fails this is made anew.

Difficulty:
  easy    one goal a task, everything named by its number, nothing refused; 1.5 orders or reservations a customer
  medium  one goal a task, now and then two; half of the things are described ("the order with the kite in it"), and
          some wishes are refused or have a second choice; 2.5 orders or reservations a customer
  hard    two or three goals in two of three tasks; things are described or compared ("the cheaper of your two pending
          orders"), more is refused, some customers drop a first wish; 4 orders or reservations a customer

Sizes:
  10 to 10,000 tasks are usual. Customers follow from the tasks (three for every four), orders and reservations from
  the customers, the airline's flights as well.`;

export function addGenerateCommand(data: Command, context: CliContext): void {
  data
    .command('generate')
    .description('make a synthetic pack with proven tasks; equal numbers make equal packs')
    .requiredOption('--out <folder>', 'the pack goes there')
    .option('--env <env>', 'domain: retail or airline (default: retail)')
    .option('--seed <n>', 'what the data and the tasks are derived from (default: 1)')
    .option('--tasks <n>', 'tasks of the test split (default: 40 for retail, 50 for airline)')
    .option('--dev-tasks <n>', 'tasks of the dev split (default: 8)')
    .addOption(
      new Option('--difficulty <level>', 'how hard the tasks are, see below (default: medium)').choices([
        'easy',
        'medium',
        'hard',
      ]),
    )
    .option('--customers <n>', 'customers (default: 64 for retail, 48 for airline, more for many tasks)')
    .option('--orders <n>', 'retail: orders (default: by difficulty)')
    .option('--product-types <n>', 'retail: product types (default: 14)')
    .addOption(new Option('--products <n>', 'short for --product-types').hideHelp())
    .option('--reservations <n>', 'airline: reservations (default: by difficulty)')
    .option('--flights <n>', 'airline: flights a day (default: 60, up to 300 for many customers)')
    .option('--name <name>', "the pack's name")
    .option('--replace', 'put it in the place of an older pack')
    .addHelpText('after', HELP)
    .action(async (flags: GenerateFlags) => {
      const { generate } = await import('./generate.ts');
      await generate(flags, context);
    });
}
