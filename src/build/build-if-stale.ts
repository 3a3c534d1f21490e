/**
 * npm's `prepare` step, which npm runs at each install, and when `npx tauflow` is first called in a checkout. It builds
 * only if the build is out of date, under `npx` only if there is none; after changing sources, run `npm run build`. npm
 * hides the output of scripts, so a new build is announced directly on the terminal.
 */

import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sources of `npm run build`, and the file that is written last. */
const SOURCES = [
  'src',
  'workflows',
  'activities',
  'packages',
  'data',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
export const STAMP = 'dist/.built';

const SENTENCE = 'building tauflow, which takes about a minute and is done once';

/**
 * @param command npm's command: `exec` for `npx`
 * @returns true if there is no build; in an install also if a source is newer than the build
 */
export function isStale(root: string, command = 'install'): boolean {
  const built = statSync(join(root, STAMP), { throwIfNoEntry: false });
  if (built === undefined || command === 'exec') return built === undefined;
  return SOURCES.some((source) => newestIn(join(root, source)) > built.mtimeMs);
}

/** Returns the time of the last write to a file or within a folder, in ms since the epoch; 0 if it does not exist. */
function newestIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return found?.mtimeMs ?? 0;
  // A folder's modification time changes when a file in it is removed.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** Prints directly to the terminal, because npm hides the output of scripts. */
function printToTerminal(sentence: string): void {
  try {
    appendFileSync('/dev/tty', `${sentence}\n`);
  } catch {
    // Without a terminal, or on a system without such a file, npm keeps the line for its own log.
    process.stderr.write(`${sentence}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (isStale(root, process.env['npm_command'])) {
    printToTerminal(SENTENCE);
    const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit', shell: true });
    process.exitCode = status ?? 1;
  }
}
