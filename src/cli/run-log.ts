/** Run logs and results files that a command names, and the commands that its messages suggest. */

import type { RunRef } from '../evaluation/index.ts';
import { existsSync, statSync } from 'node:fs';
import { RunLog, checkRunId, resolveLogDir, storeAddress } from '../run-log/index.ts';
import { resultsFileIn } from '../results/files/index.ts';
import { WHOLE_RUN, createLogStores, type RunPart } from '../run-log/store/index.ts';
import type { CliContext } from './context.ts';
import { UsageError } from '../errors/index.ts';
import { basename, dirname, resolve } from 'node:path';

/** @throws UsageError if there is no such run, ResultsError for an invalid id or folder */
export function openLog(runId: string, logDir: string, cwd: string): RunLog {
  const log = new RunLog({ runId: checkRunId(runId), logDir: resolveLogDir(logDir, cwd) });
  if (existsSync(log.paths.folder)) return log;
  throw noSuchRun(log);
}

/**
 * Opens a run log like {@link openLog}, of a log folder or an object store; from a store, it reads the requested part
 * of the run.
 * @throws as {@link openLog} does
 */
export async function readLog(runId: string, logDir: string, context: CliContext, part: RunPart): Promise<RunLog> {
  const address = storeAddress(logDir);
  if (address === null) return openLog(runId, logDir, context.cwd);
  const store = await createLogStores(context)(address);
  const log = await store.read({ runId: checkRunId(runId), logDir: address }, part);
  if (existsSync(log.paths.folder)) return log;
  throw noSuchRun(log);
}

/**
 * Returns the error for a missing run. @param elsewhere part of a sentence about another place that lacks the run.
 * @default no other place was checked
 */
export function noSuchRun({ runId, logDir }: RunRef, elsewhere?: string): UsageError {
  const list =
    storeAddress(logDir) === null
      ? '`tauflow list` lists the runs, --log-dir selects another folder'
      : `\`tauflow list --log-dir ${logDir}\` lists the runs`;
  const both = elsewhere === undefined ? '' : `, and ${elsewhere}`;
  return new UsageError(`there is no run ${runId} in ${logDir}${both}; ${list}.`);
}

/** Returns the folder for files that commands write beside a run's results; the working folder for a run in a store. */
export function outputFolder(logDir: string, { cwd }: CliContext): string {
  return storeAddress(logDir) === null ? logDir : cwd;
}

/** Returns the command that resumes a run. @param more words after the run id */
export function formatResumeCommand(log: RunLog, context: CliContext, ...more: readonly string[]): string {
  return ['npx', 'tauflow', 'resume', log.runId, ...logDirWords(log, context), ...more].join(' ');
}

/** Returns the command that reports on a run. @param more flags */
export function formatReportCommand(log: RunLog, context: CliContext, ...more: readonly string[]): string {
  return ['npx', 'tauflow', 'report', log.runId, ...logDirWords(log, context), ...more].join(' ');
}

export function formatForksCommand(log: RunLog, context: CliContext): string {
  return ['npx', 'tauflow', 'fork', log.runId, '--list', ...logDirWords(log, context)].join(' ');
}

export function formatViewCommand(log: RunLog, context: CliContext): string {
  return ['npx', 'tauflow', 'view', ...logDirWords(log, context)].join(' ');
}

function logDirWords({ logDir }: RunLog, { cwd }: CliContext): string[] {
  return logDir === resolveLogDir('results', cwd) ? [] : ['--log-dir', logDir];
}

export type Subject = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'run'; readonly log: RunLog };

/**
 * Finds a subject by name: a results file, a folder with a benchmark tool's results, a run's folder, or the id of a run
 * in the log folder, in this order.
 * @throws UsageError if there is none; ResultsError for an invalid id or folder
 */
export function findSubject(subject: string, logDir: string, cwd: string): Subject {
  const path = resolve(cwd, subject);
  const isPath = /[\\/]/.test(subject) || subject.endsWith('.json');
  if (existsSync(path) && (isPath || statSync(path).isFile() || resultsFileIn(path) !== null)) {
    if (statSync(path).isFile()) return { kind: 'file', path };
    const results = resultsFileIn(path);
    if (results !== null) return { kind: 'file', path: results };
    return { kind: 'run', log: openLog(basename(path), dirname(path), cwd) };
  }
  if (isPath) {
    throw new UsageError(`there is no results file ${subject}; give the path of one, or the id of a run.`);
  }
  return { kind: 'run', log: openLog(subject, logDir, cwd) };
}

/** Finds a subject like {@link findSubject}, or in an object store. */
export async function findReadable(subject: string, logDir: string, context: CliContext): Promise<Subject> {
  const isLocal = /[\\/]/.test(subject) || subject.endsWith('.json') || storeAddress(logDir) === null;
  if (isLocal) return findSubject(subject, logDir, context.cwd);
  return { kind: 'run', log: await readLog(subject, logDir, context, WHOLE_RUN) };
}

/** @param episode `task-17.trial-0`. @default the waiting episode, or a list of several */
export function chatCommand({ runId }: Pick<RunRef, 'runId'>, episode?: string): string {
  return ['npx', 'tauflow', 'chat', runId, ...(episode === undefined ? [] : [episode])].join(' ');
}
