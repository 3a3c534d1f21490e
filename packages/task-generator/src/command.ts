/** The command of this package, which `tauflow data generate` hands its options to. */

import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { PackError, verifyPack, writePack } from '../../../src/benchmarks/packs/index.ts';
import { generatePack } from './generate.ts';
import { DIFFICULTIES, formatFlag, type GenerateOptions } from './options.ts';

interface CommandContext {
  /** Name of the command in its help. */
  readonly name: string;
  readonly cwd: string;
  /** Prints one or more lines. */
  readonly out: (text: string) => void;
}

/** Options as typed, except numbers. */
interface GenerateFlags extends Pick<GenerateOptions, 'env' | 'difficulty' | 'name'> {
  readonly out: string;
  readonly replace?: boolean;
}

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

/** @returns a sentence on a problem with the options or the folder; undefined on success */
export async function runCommand(
  options: readonly string[],
  { name, cwd, out }: CommandContext,
): Promise<string | undefined> {
  const problems: string[] = [];
  const command = new Command(name)
    .description('generate a synthetic pack with proven tasks; the same options give the same pack')
    .requiredOption('--out <folder>', 'folder of the new pack')
    .option('--env <env>', 'domain: retail or airline (default: retail)')
    .option('--seed <n>', 'seed of the data and the tasks (default: 1)')
    .option('--tasks <n>', 'tasks of the test split (default: 40 for retail, 50 for airline)')
    .option('--dev-tasks <n>', 'tasks of the dev split (default: 8)')
    .addOption(
      new Option('--difficulty <level>', 'difficulty of the tasks, see below (default: medium)').choices(DIFFICULTIES),
    )
    .option('--customers <n>', 'number of customers (default: 64 for retail, 48 for airline, more for many tasks)')
    .option('--orders <n>', 'retail: orders (default: by difficulty)')
    .option('--product-types <n>', 'retail: product types (default: 14)')
    .option('--reservations <n>', 'airline: reservations (default: by difficulty)')
    .option('--flights <n>', 'airline: flights a day (default: 60, up to 300 for many customers)')
    .option('--name <name>', 'pack name')
    .option('--replace', 'replace an existing pack')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      outputError: (text) => void problems.push(text.replace(/^error: /, '').trimEnd()),
    });
  try {
    command.parse(options, { from: 'user' });
    await generate(command.opts<GenerateFlags>(), cwd, out);
    return undefined;
  } catch (error) {
    if (error instanceof PackError) return error.message;
    if (!(error instanceof CommanderError)) throw error;
    return problems[0];
  }
}

async function generate(flags: GenerateFlags, cwd: string, out: CommandContext['out']): Promise<void> {
  const { out: given, replace = false, env, difficulty, name, ...numbers } = flags;
  const options: GenerateOptions = {
    ...Object.fromEntries(Object.entries<string>(numbers).map(([option, text]) => [option, toNumber(option, text)])),
    ...(env === undefined ? {} : { env }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(name === undefined ? {} : { name }),
  };
  const folder = resolve(cwd, given);
  await writePack(folder, generatePack(options), { replace });
  const { summary, problems } = await verifyPack(folder);
  if (summary === null) throw new Error(`the pack that was made cannot be used: ${problems.join(' ')}`);
  const records = Object.entries(summary.records).map(([table, count]) => `${count} ${table}`);
  const splits = summary.splits.map(({ split, tasks }) => `${tasks} ${split} tasks`);
  out(`pack ${summary.ref.name} in ${folder}: ${[...records, ...splits].join(', ')}`);
  out(`digest ${summary.ref.digest}; run it with --pack ${given}`);
}

function toNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new PackError(`${formatFlag(option)} must be a whole number, not "${text}".`);
}
