/** `tauflow data`: lists, verifies, imports and generates domain packs. */

import { type Command, Option } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import type { VerifyFlags } from './verify.ts';
import type { ImportFlags } from './import.ts';
import type { GenerateFlags } from './generate.ts';
import type { ImportFastWorkflowFlags } from './import-fastworkflow.ts';
import Table from 'cli-table3';
import { listPacks, type PackListing } from '../../packs/index.ts';

interface JsonFlag {
  readonly json?: boolean;
}

export function defineDataCommand(command: Command, context: CliContext): void {
  command
    .command('list')
    .description('list shipped and imported packs')
    .option('--json', 'print one JSON document')
    .action(async (flags: JsonFlag) => {
      await showPacks(flags.json === true, context);
    });
  command
    .command('verify')
    .description('check digests and ids, and replay the ground truth of every task')
    .argument('[pack...]', 'folders or names (default: all known packs)')
    .option('--audit', 'also find ground truths that cannot be right, and the score of doing nothing')
    .option('--fail-on <severity>', 'with --audit: exit with 1 on findings that are wrong, or suspicious')
    .option('--json', 'print one JSON document')
    .action(async (packs: string[], flags: VerifyFlags) => {
      const { verifyPacks } = await import('./verify.ts');
      context.end(await verifyPacks(packs, flags, context));
    });
  command
    .command('import')
    .description(
      'import the packs tau-bench-retail and tau-bench-airline from a tau-bench checkout; pack.json records the commit',
    )
    .argument('[source]', "a checkout's folder or a repository's URL (default: tau-bench's own, at a pinned commit)")
    .option('--commit <sha>', 'commit to import; for a folder without git, its commit')
    .option('--env <env>', 'retail, airline or both (default: both)')
    .option('--name <name>', 'pack name; with both envs, the prefix of -retail and -airline')
    .option('--out <folder>', 'parent folder of the packs (default: packs in TAUFLOW_HOME)')
    .option('--replace', 'replace existing packs')
    .option('--json', 'print one JSON document')
    .action(async (source: string | undefined, flags: ImportFlags) => {
      const { importPacks } = await import('./import.ts');
      await importPacks(source, flags, context);
    });
  command
    .command('import-fastworkflow')
    .description("make an agent file of a FastWorkflow workflow's commands; its Python files are read, never run")
    .argument('<folder>', 'the workflow: the folder that has _commands')
    .option('--out <folder>', "folder of the agent file (default: the agent's name)")
    .option('--name <name>', "the agent's name (default: the folder's)")
    .option('--replace', 'replace an imported workflow')
    .option('--json', 'print one JSON document')
    .action(async (folder: string, flags: ImportFastWorkflowFlags) => {
      const { importFastWorkflow } = await import('./import-fastworkflow.ts');
      await importFastWorkflow(folder, flags, context);
    });
  addGenerateCommand(command, context);
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

function addGenerateCommand(data: Command, context: CliContext): void {
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

async function showPacks(json: boolean, context: CliContext): Promise<void> {
  const rows = (await listPacks({ home: context.home })).map(toRow);
  if (json) {
    printJson(rows, context);
    return;
  }
  const table = new Table({ head: ['pack', 'origin', 'tasks', 'digest', 'folder'], style: { head: [], border: [] } });
  for (const row of rows) {
    const splits = Object.entries(row.tasks ?? {}).map(([split, count]) => `${split} ${count}`);
    table.push([row.name, row.origin, row.problem ?? splits.join(', '), row.digest?.slice(0, 12) ?? '', row.path]);
  }
  context.out(table.toString());
}

interface PackRow {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly domain?: string;
  /** Split → number of tasks. */
  readonly tasks?: Readonly<Record<string, number>>;
  readonly digest?: string;
  /** Reason why it cannot be used. */
  readonly problem?: string;
}

function toRow(listing: PackListing): PackRow {
  const { name, origin, path } = listing;
  if (listing.kind === 'broken') return { name, origin, path, problem: listing.problem };
  const { domain, splits, ref } = listing.pack;
  const tasks = Object.fromEntries(Object.entries(splits).map(([split, list]) => [split, list.length]));
  return { name, origin, path, domain, tasks, digest: ref.digest };
}
