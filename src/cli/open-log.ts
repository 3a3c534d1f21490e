/** The run log that a command names, and the command that resumes its run. */

import { existsSync } from 'node:fs';
import { RunLog, checkRunId, resolveLogDir } from '../results/log/index.ts';
import type { CliContext } from './context.ts';
import { UsageError } from '../errors/index.ts';

/** @throws UsageError when there is no such run, ResultsError for an id or a folder that cannot be */
export function openLog(runId: string, logDir: string, cwd: string): RunLog {
  const log = new RunLog({ runId: checkRunId(runId), logDir: resolveLogDir(logDir, cwd) });
  if (existsSync(log.paths.folder)) return log;
  throw new UsageError(
    `there is no run ${runId} in ${log.logDir}; \`tauflow list\` shows those there are, --log-dir names another folder.`,
  );
}

/** The command that resumes a run. @param more words behind the run id */
export function formatResumeCommand(
  { runId, logDir }: RunLog,
  { cwd }: CliContext,
  ...more: readonly string[]
): string {
  const words = ['npx', 'tauflow', 'run', '--run-id', runId];
  if (logDir !== resolveLogDir('results', cwd)) words.push('--log-dir', logDir);
  return [...words, ...more].join(' ');
}
