/**
 * The program as tests start it in processes of its own: from the build, whose workflows are bundled, so that a start
 * costs a fraction of one from the sources. The project `server` builds before its first test where the build is older.
 */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isStale } from '../../src/build/build-if-stale.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command before its words. */
export const PROGRAM: readonly string[] = [process.execPath, join(root, 'dist/program/tauflow.js')];

/** Module of the build with the command line, for tests that run it in their own process. */
export const BUILT_CLI = join(root, 'dist/src/cli/testing.js');

/** Called by vitest before the first test of `server`. */
export function setup(): void {
  if (!isStale(root)) return;
  process.stderr.write('the build is older than the sources: building\n');
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
