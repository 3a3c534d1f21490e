/** `tauflow data`: domain packs: which there are, whether they are sound, and new synthetic ones. */

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
    .option('--audit', 'also look for ground truths that cannot be right, and tell what doing nothing scores')
    .option('--fail-on <severity>', 'with --audit: exit with 1 when there are findings that are wrong, or suspicious')
    .option('--json', 'print one JSON document')
    .action(async (packs: string[], flags: VerifyFlags) => {
      const { verifyPacks } = await import('./verify.ts');
      context.end(await verifyPacks(packs, flags, context));
    });
  data
    .command('import')
    .description(
      'make packs of a tau-bench checkout: tau-bench-retail and tau-bench-airline, which --pack takes by name; ' +
        'the commit is in their pack.json, as version and in full',
    )
    .argument('[source]', "a checkout's folder or a repository's URL (default: tau-bench's own, at a pinned commit)")
    .option('--commit <sha>', 'the commit to take, or that a folder without git is of')
    .option('--env <env>', 'retail, airline or both (default: both)')
    .option('--name <name>', "the pack's name; with both envs, what comes before -retail and -airline")
    .option('--out <folder>', 'put the packs into this folder, each in one of its name')
    .option('--replace', 'put them in the place of older packs')
    .option('--json', 'print one JSON document')
    .action(async (source: string | undefined, flags: ImportFlags) => {
      const { importPacks } = await import('./import.ts');
      await importPacks(source, flags, context);
    });
  addGenerateCommand(data, context);
}
