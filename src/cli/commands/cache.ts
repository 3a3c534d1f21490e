/** `tauflow cache`: the completions that `run --response-cache` stores on this machine. */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import { table, type Column } from '../../results/document/index.ts';
import { formatBytes } from '../terminal/bytes.ts';
import { printDocument } from '../terminal/print.ts';
import { listContents, type ModelContents, removeShelves, type RemovalCount, type Shelf } from '../../models/index.ts';
import { cachePlace } from '../../host/index.ts';
import { describeSystemError } from '../../run-log/index.ts';
import { UsageError, systemErrorCode } from '../../errors/index.ts';

export function defineCacheCommand(command: Command, context: CliContext): void {
  command.option('--json', 'print one JSON document').action(async (flags: { readonly json?: boolean }) => {
    await showCache(flags.json === true, context);
  });
  command
    .command('clear')
    .description('delete completions: all, or those of one model')
    .option('--model <model>', "a model's name, with or without its provider: gpt-6-luna, openai/gpt-6-luna")
    .option('--json', 'print one JSON document')
    // `--json` is the parent's as well, which accepts it in any position.
    .action(async (_flags: ClearFlags, command: Command) => {
      await clearCache(command.optsWithGlobals<ClearFlags>(), context);
    });
}

async function showCache(json: boolean, context: CliContext): Promise<void> {
  const { folder, maxBytes } = cachePlace(context);
  const models = await reachable(folder, () => listContents(folder));
  const entries = models.reduce((sum, model) => sum + model.entries, 0);
  const bytes = models.reduce((sum, model) => sum + model.bytes, 0);
  if (json) {
    printJson({ place: folder, max_bytes: maxBytes, entries, bytes, models: models.map(toJson) }, context);
    return;
  }
  context.out(`${completions(entries)} in ${folder}, ${formatBytes(bytes)} of at most ${formatBytes(maxBytes)}`);
  if (models.length === 0) return;
  printDocument([table(COLUMNS, models.map(modelCells))], context);
}

const COLUMNS: readonly Column[] = [
  { head: 'provider' },
  { head: 'model' },
  { head: 'completions', align: 'right' },
  { head: 'size', align: 'right' },
  { head: 'last used' },
];

function modelCells({ provider, model, entries, bytes, usedAt }: ModelContents): string[] {
  return [provider, model, entries.toLocaleString('en'), formatBytes(bytes), shownTime(usedAt)];
}

function toJson({ provider, model, entries, bytes, usedAt }: ModelContents): object {
  return { provider, model, entries, bytes, last_used: new Date(usedAt).toISOString() };
}

function shownTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

interface ClearFlags {
  readonly model?: string;
  readonly json?: boolean;
}

async function clearCache({ model, json }: ClearFlags, context: CliContext): Promise<void> {
  const removed = await remove((shelf) => model === undefined || matchesName(model, shelf), context);
  if (json === true) {
    printJson(removed, context);
    return;
  }
  const whose = model === undefined ? '' : ` of ${model}`;
  context.out(`deleted ${completions(removed.entries)}${whose}, ${formatBytes(removed.bytes)}`);
}

/** @param digest digest from `configurationDigest` */
export async function forgetConfiguration(digest: string, context: CliContext): Promise<void> {
  const { entries } = await remove(({ configuration }) => configuration === digest, context);
  context.log(`deleted ${completions(entries)} of this configuration`);
}

async function remove(isWanted: (shelf: Shelf) => boolean, context: CliContext): Promise<RemovalCount> {
  const { folder } = cachePlace(context);
  return reachable(folder, () => removeShelves(folder, isWanted));
}

function matchesName(name: string, { provider, model }: Shelf): boolean {
  return name === model || name === `${provider}/${model}`;
}

/** Runs an operation on the folder of completions. @throws UsageError if the system refuses it */
async function reachable<T>(folder: string, go: () => Promise<T>): Promise<T> {
  try {
    return await go();
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    throw new UsageError(
      `the completions in ${folder} cannot be reached: ${describeSystemError(error)}; make the folder yours, or set TAUFLOW_HOME to one that is.`,
    );
  }
}

/** Formats a count: `1 completion`, `1,234 completions`. */
function completions(count: number): string {
  return count === 1 ? '1 completion' : `${count.toLocaleString('en')} completions`;
}
