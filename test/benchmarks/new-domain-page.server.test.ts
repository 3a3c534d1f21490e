/** docs/internals/new-domain.md carried out to the letter: its files, its lines and its commands, in a copy of the sources. */

import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';

import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';
import { scratchFolder } from '../cli/in-process.ts';
import { patched, readBlocks } from './page-blocks.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the page on a new domain', { timeout: 300_000 }, () => {
  let copy: string;
  let commands: string[];

  beforeAll(async () => {
    copy = scratchFolder();
    for (const part of ['src', 'workflows', 'activities', 'data', 'package.json', 'tsconfig.json']) {
      await cp(join(root, part), join(copy, part), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const blocks = readBlocks(await readFile(join(root, 'docs/internals/new-domain.md'), 'utf8'));
    for (const { file, language, text } of blocks) {
      if (file === null) continue;
      const path = join(copy, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, language === 'diff' ? patched(await readFile(path, 'utf8'), text) : text);
    }
    commands = blocks
      .filter(({ file }) => file === null)
      .flatMap(({ text }) => text.split('\n'))
      .map((line) => line.replace(/ +#.*/, ''))
      .filter((line) => line !== '');
  });

  /** Runs a command from the sources, which the build would only compile. */
  async function type(command: string): Promise<string> {
    const { address, namespace } = inject('temporal');
    const env = { ...testEnvironment(), TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, NO_COLOR: '1' };
    const words = command.split(' ').slice(2);
    const node = ['--import', import.meta.resolve('tsx'), 'src/cli/main.ts', ...words, '--task-queue', 'new-domain'];
    const args = words[0] === 'run' ? node : node.slice(0, -2);
    const ended = await run(process.execPath, args, { cwd: copy, env: { ...env, TAUFLOW_HOME: testHome() } });
    return ended.stdout;
  }

  it('names a build, and only commands that are carried out here', () => {
    const [build, ...rest] = commands;
    expect(build).toBe('npm run build');
    expect(rest.map((command) => command.split(' ')[0])).toEqual(['cp', 'npx', 'npx', 'npx']);
  });

  it('leads to a pack in order, and to tasks that are solved', async () => {
    const [copying = '', ...typed] = commands.slice(1);
    await run('sh', ['-c', copying], { cwd: copy });
    const [verified = '', audited = '', played = ''] = await Promise.all(typed.slice(0, 2).map(type)).then(
      async (texts) => [...texts, await type(typed[2] ?? '')],
    );
    expect(verified).toMatch(/^✓ .*city-library\n/);
    expect(verified).not.toMatch(/problem|warning/);
    expect(audited).toMatch(/^✓ .*city-library\n/);
    expect(played).toMatch(/average reward +1\.000 +2 of 2 episodes succeeded/);
  });
});
