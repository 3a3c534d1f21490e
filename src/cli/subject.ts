/** The subject of a command on results: a results file of any tool, or a run log. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { RunLog } from '../results/log/index.ts';
import { UsageError } from '../errors/index.ts';
import { openLog } from './open-log.ts';

export type Subject = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'run'; readonly log: RunLog };

/**
 * A results file, a run's folder, or the id of a run in the log folder: whichever is there.
 * @throws UsageError when none is; ResultsError for an id or a folder that cannot be
 */
export function findSubject(subject: string, logDir: string, cwd: string): Subject {
  const path = resolve(cwd, subject);
  const isPath = /[\\/]/.test(subject) || subject.endsWith('.json');
  if (existsSync(path) && (isPath || statSync(path).isFile())) {
    if (statSync(path).isFile()) return { kind: 'file', path };
    return { kind: 'run', log: openLog(basename(path), dirname(path), cwd) };
  }
  if (isPath) {
    throw new UsageError(`there is no results file ${subject}; give the path of one, or the id of a run.`);
  }
  return { kind: 'run', log: openLog(subject, logDir, cwd) };
}
