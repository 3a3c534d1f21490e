/**
 * Prints the faults in some files that no unit test notices: `node --import tsx test/mutation/run.ts [FILE[:FROM-TO]...]`.
 * Without files it takes those of `src/` that differ from the branch `main`. `--operators COUNT [--seed NUMBER]` instead
 * flips so many random operators of all product code. Its packages are installed at the first call.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { sampleOperators } from './sample.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

/** Files that were changed or are new; code that needs a server or a sandbox is not for unit tests. */
function changedFiles(): string[] {
  const names = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const isMeant = (name: string) => /^src\/.+\.ts$/.test(name) && !name.endsWith('.d.ts');
  const base = execFileSync('git', ['merge-base', 'main', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const changed = names('diff', '--name-only', '--diff-filter=d', base);
  return [...changed, ...names('ls-files', '--others', '--exclude-standard')].filter(isMeant);
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Sources without the types alone and without generated code. */
function productFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', 'src', 'workflows', 'activities'], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'));
}

const { values: options, positionals: asked } = parseArgs({
  options: { operators: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const operators = Number(options.operators ?? 0);
const files =
  operators > 0
    ? sampleOperators(productFiles(), operators, Number(options.seed))
    : asked.length > 0
      ? asked
      : changedFiles();
if (files.length === 0) {
  console.error(
    'nothing in src/ differs from main; name the files: node --import tsx test/mutation/run.ts src/io/redact.ts',
  );
  process.exit(2);
}
if (!existsSync(`${here}node_modules/@stryker-mutator`))
  run('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund']);
run(`${here}node_modules/.bin/stryker`, ['run', 'test/mutation/stryker.config.js', '--mutate', files.join(',')], {
  ...process.env,
  OPERATORS_ONLY: operators > 0 ? '1' : '',
});
