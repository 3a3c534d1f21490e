/** `tauflow data`: lists, verifies, imports and generates domain packs. */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import type { VerifyFlags } from './verify.ts';
import type { ImportFlags } from './import-flags.ts';
import { BENCHMARK_NAMES } from '../../benchmarks/index.ts';
import Table from 'cli-table3';
import { listPacks, type PackListing } from '../../benchmarks/packs/index.ts';

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
    .description('import packs from a checkout of tau-bench, or of tau2-bench 1.x (tau3); pack.json records the commit')
    .argument(
      '[source]',
      "a checkout's folder or a repository's URL (default: the benchmark's own, at a pinned commit)",
    )
    .option('--benchmark <name>', `whose packs: ${BENCHMARK_NAMES.join(' or ')}`, BENCHMARK_NAMES[0])
    .option('--commit <sha>', 'commit to import; for a folder without git, its commit')
    .option('--env <env>', 'a domain of the benchmark, or both: retail and airline (default: all)')
    .option('--name <name>', 'pack name; with several envs, the prefix of -retail and so on')
    .option('--out <folder>', 'parent folder of the packs (default: packs in TAUFLOW_HOME)')
    .option('--replace', 'replace existing packs')
    .option('--json', 'print one JSON document')
    .action(async (source: string | undefined, flags: ImportFlags) => {
      const { importPacks } = await import('./import.ts');
      await importPacks(source, flags, context);
    });
  addGenerateCommand(command, context);
}

/** Adds the command `generate`. The generator's own command parses its options, so that they are defined once. */
function addGenerateCommand(data: Command, context: CliContext): void {
  data
    .command('generate')
    .description('generate a synthetic pack with proven tasks (package tauflow-task-generator)')
    .argument('[options...]', 'see tauflow data generate --help')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (_: string[], __: unknown, { args }: Command) => {
      const { generate } = await import('./generate.ts');
      await generate(args, context);
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
  /** Number of tasks per split. */
  readonly tasks?: Readonly<Record<string, number>>;
  readonly digest?: string;
  /** Reason why the pack cannot be used. */
  readonly problem?: string;
}

function toRow(listing: PackListing): PackRow {
  const { name, origin, path } = listing;
  if (listing.kind === 'broken') return { name, origin, path, problem: listing.problem };
  const { domain, splits, ref } = listing.pack;
  const tasks = Object.fromEntries(Object.entries(splits).map(([split, list]) => [split, list.length]));
  return { name, origin, path, domain, tasks, digest: ref.digest };
}
