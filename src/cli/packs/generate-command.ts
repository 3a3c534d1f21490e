/** The flags and help of `tauflow data generate`. */

import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { GenerateFlags } from './generate.ts';

const HELP = `
Every task is proven: its ground truth replays without errors and has an effect (or the policy declines the goal), and
everything that its instruction names matches exactly one thing in the tables. A task that fails is drawn again.

Difficulty:
  easy    one goal per task, everything named by its number, nothing declined; 1.5 orders or reservations per customer
  medium  one goal per task, sometimes two; half of the things are described ("the order with the kite in it"), and
          some goals are declined or have a second choice; 2.5 orders or reservations per customer
  hard    two or three goals in two of three tasks; things are described or compared ("the cheaper of your two pending
          orders"), more is declined, some users drop a first goal; 4 orders or reservations per customer

Sizes:
  Usual: 10 to 10,000 tasks. By default there are three customers for every four tasks; orders, reservations and
  flights follow from the number of customers.`;

export function addGenerateCommand(data: Command, context: CliContext): void {
  data
    .command('generate')
    .description('generate a synthetic pack with proven tasks; the same options give the same pack')
    .requiredOption('--out <folder>', 'folder of the new pack')
    .option('--env <env>', 'domain: retail or airline (default: retail)')
    .option('--seed <n>', 'seed of the data and the tasks (default: 1)')
    .option('--tasks <n>', 'tasks of the test split (default: 40 for retail, 50 for airline)')
    .option('--dev-tasks <n>', 'tasks of the dev split (default: 8)')
    .addOption(
      new Option('--difficulty <level>', 'difficulty of the tasks, see below (default: medium)').choices([
        'easy',
        'medium',
        'hard',
      ]),
    )
    .option('--customers <n>', 'number of customers (default: 64 for retail, 48 for airline, more for many tasks)')
    .option('--orders <n>', 'retail: orders (default: by difficulty)')
    .option('--product-types <n>', 'retail: product types (default: 14)')
    .addOption(new Option('--products <n>', 'alias of --product-types').hideHelp())
    .option('--reservations <n>', 'airline: reservations (default: by difficulty)')
    .option('--flights <n>', 'airline: flights a day (default: 60, up to 300 for many customers)')
    .option('--name <name>', 'pack name')
    .option('--replace', 'replace an existing pack')
    .addHelpText('after', HELP)
    .action(async (flags: GenerateFlags) => {
      const { generate } = await import('./generate.ts');
      await generate(flags, context);
    });
}
