/** `tauflow sync`: copies of a log folder in an object store. */

import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { openObjectStore, parseS3Address } from '../../io/index.ts';
import { formatAmount, formatCount } from '../../results/document/index.ts';
import { checkRunId, resolveLogDir } from '../../run-log/index.ts';
import { syncLogs, type SyncOutcome } from '../../run-log/sync/index.ts';
import { printJson, shownPath, type CliContext } from '../context.ts';
import { onInterrupt } from '../interrupt.ts';
import { formatBytes } from '../terminal/bytes.ts';

interface SyncFlags {
  readonly runId?: readonly string[];
  readonly json?: boolean;
}

export function defineSyncCommand(command: Command, context: CliContext): void {
  command
    .argument('<from>', 'a log folder, or s3://bucket/prefix')
    .argument('<to>', 's3://bucket/prefix, or a log folder')
    .option('--run-id <runs...>', 'only these runs [default: all files of the log folder]')
    .option('--json', 'print one JSON document')
    .action(async (from: string, to: string, flags: SyncFlags) => {
      await sync(from, to, flags, context);
    });
}

async function sync(from: string, to: string, { runId, json }: SyncFlags, context: CliContext): Promise<void> {
  const source = parseS3Address(from);
  const target = parseS3Address(to);
  const address = source ?? target;
  if (address === null || (source !== null && target !== null)) {
    throw new UsageError('one of the two must be an s3:// address, and the other a log folder.');
  }
  const folder = resolveLogDir(source === null ? from : to, context.cwd);
  const runIds = runId?.map(checkRunId) ?? null;
  if (source === null && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(
      `there is no log folder ${shownPath(folder, context.cwd)}; give the one that --log-dir names.`,
    );
  }
  const store = await openObjectStore(address.bucket, context.env);
  const interrupted = new AbortController();
  const release = onInterrupt(() => interrupted.abort());
  try {
    const direction = source === null ? 'to store' : 'from store';
    const outcome = await syncLogs({ direction, folder, store, prefix: address.prefix, runIds }, interrupted.signal);
    if (
      runIds !== null &&
      outcome.copied + outcome.unchanged + outcome.problems.length === 0 &&
      !interrupted.signal.aborted
    ) {
      throw new UsageError(`${from} has no run ${runIds.join(' or ')}.`);
    }
    show(outcome, interrupted.signal.aborted, json === true, context);
  } finally {
    release();
  }
}

function show(outcome: SyncOutcome, isInterrupted: boolean, json: boolean, context: CliContext): void {
  const { copied, unchanged, bytes, problems } = outcome;
  if (json) printJson({ copied, unchanged, bytes, problems }, context);
  else
    context.out(`${formatAmount(copied, 'file')} copied (${formatBytes(bytes)}), ${formatCount(unchanged)} unchanged`);
  for (const problem of problems) context.log(`warning: ${problem}.`);
  if (isInterrupted) context.log('interrupted; the same command copies the rest');
  if (isInterrupted) context.end(ExitCode.Interrupted);
  else if (problems.length > 0) context.end(ExitCode.Failed);
}
