/** docs/own-benchmark.md carried out to the letter: its commands, and its changes of the files that they write. */

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';

import { testEnvironment, testHome } from '../../helpers/temporal-environment.ts';
import { scratchFolder } from '../../cli/in-process.ts';
import { patched, readBlocks } from '../page-blocks.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the page on a benchmark of your own', { timeout: 300_000 }, () => {
  let folder: string;
  const outputs: string[] = [];

  /** Runs a command from the sources. */
  async function type(command: string): Promise<string> {
    const { address, namespace } = inject('temporal');
    const env = { ...testEnvironment(), TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, NO_COLOR: '1' };
    const [npx, tauflow, ...words] = command.split(' ');
    expect([npx, tauflow]).toEqual(['npx', 'tauflow']);
    const queue = words[0] === 'run' ? ['--task-queue', 'own-benchmark'] : [];
    const args = ['--import', import.meta.resolve('tsx'), join(root, 'src/cli/main.ts'), ...words, ...queue];
    const ended = await run(process.execPath, args, { cwd: folder, env: { ...env, TAUFLOW_HOME: testHome() } });
    return ended.stdout;
  }

  beforeAll(async () => {
    folder = scratchFolder();
    for (const { file, language, text } of readBlocks(await readFile(join(root, 'docs/own-benchmark.md'), 'utf8'))) {
      if (file !== null && language === 'diff') {
        const path = join(folder, file);
        await writeFile(path, patched(await readFile(path, 'utf8'), text));
      } else if (language === 'sh') {
        for (const command of text.trim().split('\n')) outputs.push(await type(command));
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
