/** `tauflow baseline`: names for the runs that other runs are compared with. */

import { relative } from 'node:path';
import type { Command } from 'commander';
import { printJson, type CliContext } from '../context.ts';
import { RUN_LOGS_PLACE } from '../flag-values.ts';
import { facts } from '../../results/document/index.ts';
import {
  BASELINES_FILE,
  checkRunId,
  readBaselines,
  resolveLogPlace,
  setBaseline,
  storeAddress,
  type Baselines,
} from '../../run-log/index.ts';
import { createLogStores } from '../../run-log/store/index.ts';
import { UsageError } from '../../errors/index.ts';
import { findSubject, noSuchRun } from '../run-log.ts';
import { printDocument } from '../terminal/print.ts';

interface BaselineFlags {
  readonly logDir: string;
  readonly json?: boolean;
}

export function defineBaselineCommand(command: Command, context: CliContext): void {
  const define = (name: string, description: string) =>
    command.command(name).description(description).option('--log-dir <folder>', RUN_LOGS_PLACE, 'results');
  define('set', 'give a run a name, or give the name to another run')
    .argument('<name>', 'such as main')
    .argument('<run|file>', 'a run id, or the path of a results file in the log folder')
    .action(async (name: string, subject: string, { logDir }: BaselineFlags) => {
      const place = resolveLogPlace(logDir, context.cwd);
      const named =
        storeAddress(place) !== null
          ? await nameInStore(subject, place, context)
          : nameInFolder(subject, place, context);
      await withBaselines(place, context, (folder) => setBaseline(folder, name, named));
      context.out(`baseline ${name}: ${named}`);
    });
  define('list', 'list names and their runs')
    .option('--json', 'print one JSON document')
    .action(async ({ logDir, json }: BaselineFlags) => {
      const baselines = await withBaselines(resolveLogPlace(logDir, context.cwd), context, readBaselines);
      if (json === true) printJson(baselines, context);
      else if (Object.keys(baselines).length === 0) context.out('No baseline is set; `tauflow baseline set` sets one.');
      else printDocument([facts(Object.entries(baselines))], context);
    });
  define('remove', 'remove a name; its run stays')
    .argument('<name>', 'of `baseline list`')
    .action(async (name: string, { logDir }: BaselineFlags) => {
      const place = resolveLogPlace(logDir, context.cwd);
      await withBaselines(place, context, async (folder) => {
        requireBaseline(name, await readBaselines(folder), place);
        await setBaseline(folder, name, null);
      });
      context.out(`baseline ${name} removed`);
    });
}

/** @param work called, possibly several times, with a folder that has the baselines of the log folder or store */
async function withBaselines<T>(place: string, context: CliContext, work: (folder: string) => Promise<T>): Promise<T> {
  if (storeAddress(place) === null) return work(place);
  return (await createLogStores(context)(place)).changeShared(BASELINES_FILE, work);
}

async function nameInStore(runId: string, address: string, context: CliContext): Promise<string> {
  const store = await createLogStores(context)(address);
  if (await store.has(checkRunId(runId))) return runId;
  throw noSuchRun({ runId, logDir: address });
}

/** @returns the subject's path within the log folder; for a run, its id */
function nameInFolder(subject: string, logDir: string, context: CliContext): string {
  const found = findSubject(subject, logDir, context.cwd);
  const place = found.kind === 'file' ? found.path : found.log.paths.folder;
  const within = relative(logDir, place);
  if (within.startsWith('..')) {
    throw new UsageError(`${subject} is not in the log folder ${logDir}; copy it there, so that both stay together.`);
  }
  return within;
}

/** @returns the run, or the results file. @throws UsageError for a name that is not set */
export async function findBaseline(name: string, place: string, context: CliContext): Promise<string> {
  return requireBaseline(name, await withBaselines(place, context, readBaselines), place);
}

function requireBaseline(name: string, baselines: Baselines, place: string): string {
  const subject = Object.hasOwn(baselines, name) ? baselines[name] : undefined;
  if (subject !== undefined) return subject;
  const known = Object.keys(baselines);
  throw new UsageError(
    `there is no baseline ${name} in ${place}; ` +
      (known.length === 0 ? '`tauflow baseline set` sets one.' : `there are ${known.join(', ')}.`),
  );
}
