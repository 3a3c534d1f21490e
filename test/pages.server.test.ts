/** Pages of docs/ carried out to the letter: their commands, and their changes of files. */

import { execFile } from 'node:child_process';
import { readFile, writeFile, cp, mkdir, symlink } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { PROGRAM } from './helpers/program.ts';
import { testEnvironment, testHome } from './helpers/temporal-environment.ts';
import { scratchFolder } from './cli/in-process.ts';
import { patched, readBlocks } from './benchmarks/page-blocks.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command of a page on the tests' server. @returns what it prints */
async function type(program: readonly string[], command: string, cwd: string, queue: string): Promise<string> {
  const [npx, tauflow, ...words] = command.split(' ');
  expect([npx, tauflow]).toEqual(['npx', 'tauflow']);
  const { address, namespace } = inject('temporal');
  const server = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const env = { ...testEnvironment(), ...server, NO_COLOR: '1', TAUFLOW_HOME: testHome() };
  const args = words[0] === 'run' ? [...words, '--task-queue', queue] : words;
  const [node = '', ...entry] = program;
  return (await run(node, [...entry, ...args], { cwd, env })).stdout;
}

describe('the page on a benchmark of your own', { timeout: 300_000 }, () => {
  let folder: string;
  const outputs: string[] = [];

  beforeAll(async () => {
    folder = scratchFolder();
    for (const { file, language, text } of readBlocks(await readFile(join(root, 'docs/own-benchmark.md'), 'utf8'))) {
      if (file !== null && language === 'diff') {
        const path = join(folder, file);
        await writeFile(path, patched(await readFile(path, 'utf8'), text));
      } else if (language === 'sh') {
        for (const command of text.trim().split('\n'))
          outputs.push(await type(PROGRAM, command, folder, 'own-benchmark'));
      }
    }
  });

  it('writes a folder, which is in order', () => {
    expect(outputs[0]).toMatch(/^wrote my-shop, the benchmark my-shop/);
    expect(outputs[1]).toMatch(/^✓ .*my-shop\n.* tasks: test 4; they use 6 of 7 tools\n$/);
  });

  it('leads to tasks that are solved', () => {
    expect(outputs[2]).toMatch(/average reward +1\.000 +4 of 4 episodes succeeded/);
  });

  it('adds a tool and a task, which are in order too', () => {
    expect(outputs[3]).toMatch(/^✓ .*my-shop\n.* tasks: test 5; they use 7 of 8 tools\n$/);
    expect(outputs).toHaveLength(4);
  });
});

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

  it('names a build, and only commands that are carried out here', () => {
    const [build, ...rest] = commands;
    expect(build).toBe('npm run build');
    expect(rest.map((command) => command.split(' ')[0])).toEqual(['cp', 'npx', 'npx', 'npx']);
  });

  it('leads to a pack in order, and to tasks that are solved', async () => {
    const [copying = '', ...typed] = commands.slice(1);
    await run('sh', ['-c', copying], { cwd: copy });
    const program = [process.execPath, '--import', import.meta.resolve('tsx'), join(copy, 'src/cli/main.ts')];
    const typeHere = (command = '') => type(program, command, copy, 'new-domain');
    const [verified, audited] = await Promise.all([typeHere(typed[0]), typeHere(typed[1])]);
    const played = await typeHere(typed[2]);
    expect(verified).toMatch(/^✓ .*city-library\n/);
    expect(verified).not.toMatch(/problem|warning/);
    expect(audited).toMatch(/^✓ .*city-library\n/);
    expect(played).toMatch(/average reward +1\.000 +2 of 2 episodes succeeded/);
  });
});
