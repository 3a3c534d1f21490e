/**
 * The program as tests start it in processes of its own: from the build, whose workflows are bundled, so that a start
 * costs a fraction of one from the sources. The project `server` builds before its first test where the build is older.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command before its words. */
export const PROGRAM: readonly string[] = [process.execPath, join(root, 'dist/src/cli/main.js')];

/** The build's last product. */
const BUILT = join(root, 'dist/workflows/bundle-traced.cjs');
const SOURCES = ['src', 'workflows', 'activities', 'package.json', 'tsconfig.json'];

/** Called by vitest before the first test of `server`. */
export function setup(): void {
  const built = modifiedMs(BUILT);
  if (SOURCES.some((path) => modifiedMs(join(root, path)) > built)) {
    process.stderr.write('the build is older than the sources: building\n');
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  }
}

/** @returns of a folder, when the newest of all in it was; -Infinity where there is nothing */
function modifiedMs(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return -Infinity;
  if (!found.isDirectory()) return found.mtimeMs;
  // A folder is newer than what was removed from it.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => modifiedMs(join(path, name))));
}
