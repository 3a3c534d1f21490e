/** `tauflow baseline`: names for the runs that others are compared with. */

import { relative } from 'node:path';
import type { Command } from 'commander';
import { printJson, type CliContext } from '../context.ts';
import { facts } from '../../results/document/index.ts';
import { readBaselines, resolveLogDir, setBaseline } from '../../results/log/index.ts';
import { UsageError } from '../../errors/index.ts';
import { findSubject } from '../run-log.ts';
import { renderTerminal } from '../terminal/render.ts';
import { styleOf } from '../terminal/style.ts';

interface BaselineFlags {
  readonly logDir: string;
  readonly json?: boolean;
}

export function defineBaselineCommand(command: Command, context: CliContext): void {
  const define = (name: string, description: string) =>
    command.command(name).description(description).option('--log-dir <folder>', 'where the run logs are', 'results');
  define('set', 'give a run a name, or give the name to another run')
    .argument('<name>', 'such as main')
    .argument('<run|file>', 'a run id, or the path of a results file in the log folder')
    .action(async (name: string, subject: string, { logDir }: BaselineFlags) => {
      await set(name, subject, resolveLogDir(logDir, context.cwd), context);
    });
  define('list', 'list names and their runs')
    .option('--json', 'print one JSON document')
    .action(async ({ logDir, json }: BaselineFlags) => {
      const baselines = await readBaselines(resolveLogDir(logDir, context.cwd));
      if (json === true) printJson(baselines, context);
      else if (Object.keys(baselines).length === 0) context.out('No baseline is set; `tauflow baseline set` sets one.');
      else
        context.out(renderTerminal([facts(Object.entries(baselines))], styleOf(context.stdout, context.env)).trimEnd());
    });
  define('remove', 'remove a name; its run stays')
    .argument('<name>', 'of `baseline list`')
    .action(async (name: string, { logDir }: BaselineFlags) => {
      const folder = resolveLogDir(logDir, context.cwd);
      await findBaseline(name, folder);
      await setBaseline(folder, name, null);
    });
}

async function set(name: string, subject: string, logDir: string, context: CliContext): Promise<void> {
  const found = findSubject(subject, logDir, context.cwd);
  const place = found.kind === 'file' ? found.path : found.log.paths.folder;
  const within = relative(logDir, place);
  if (within.startsWith('..')) {
    throw new UsageError(`${subject} is not in the log folder ${logDir}; copy it there, so that both stay together.`);
  }
  await setBaseline(logDir, name, within);
}

/** @returns the run, or the results file. @throws UsageError for a name that is not set */
export async function findBaseline(name: string, logDir: string): Promise<string> {
  const baselines = await readBaselines(logDir);
  const subject = Object.hasOwn(baselines, name) ? baselines[name] : undefined;
  if (subject !== undefined) return subject;
  const known = Object.keys(baselines);
  throw new UsageError(
    `there is no baseline ${name} in ${logDir}; ` +
      (known.length === 0 ? '`tauflow baseline set` sets one.' : `there are ${known.join(', ')}.`),
  );
}
