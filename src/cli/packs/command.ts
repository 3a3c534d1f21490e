/** `tauflow data`: lists, verifies, imports and generates domain packs. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { addGenerateCommand } from './generate-command.ts';
import type { VerifyFlags } from './verify.ts';
import type { ImportFlags } from './import.ts';

interface JsonFlag {
  readonly json?: boolean;
}

export function addDataCommand(program: Command, context: CliContext): void {
  const data = program.command('data').description('domain packs: list, verify, import, generate');
  data
    .command('list')
    .description('list shipped and imported packs')
    .option('--json', 'print one JSON document')
    .action(async (flags: JsonFlag) => {
      const { showPacks } = await import('./list.ts');
      await showPacks(flags.json === true, context);
    });
  data
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
  data
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
  addGenerateCommand(data, context);
}
