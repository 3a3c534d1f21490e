import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';

import { isStale } from '../../src/build/build-if-stale.ts';
import { scratchFolder } from '../benchmarks/packs/folders.ts';

/** Writes a file that was last changed so many seconds ago. */
async function write(root: string, name: string, secondsAgo: number): Promise<void> {
  const path = join(root, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '');
  const at = Date.now() / 1000 - secondsAgo;
  await utimes(path, at, at);
  for (let folder = join(path, '..'); folder.length > root.length; folder = join(folder, '..')) {
    await utimes(folder, at, at);
  }
}

describe('a build', () => {
  let root: string;

  beforeEach(async () => {
    root = await scratchFolder();
    await write(root, 'src/cli/main.ts', 100);
    await write(root, 'package.json', 100);
    await write(root, 'dist/.built', 50);
  });

  it('stays when nothing is newer', () => {
    expect(isStale(root)).toBe(false);
  });

  it.each(['src/cli/deep/new.ts', 'workflows/episode.ts', 'package-lock.json'])(
    'is stale beside a newer %s',
    async (name) => {
      await write(root, name, 10);
      expect(isStale(root)).toBe(true);
    },
  );

  it('is made by npx only where there is nothing to run', async () => {
    await write(root, 'src/cli/main.ts', 10);
    expect([isStale(root, 'ci'), isStale(root, 'exec')]).toEqual([true, false]);
    const empty = await scratchFolder();
    expect(isStale(empty, 'exec')).toBe(true);
  });

  it('is needed where there was none', async () => {
    const empty = await scratchFolder();
    await write(empty, 'src/cli/main.ts', 100);
    expect(isStale(empty)).toBe(true);
  });
});
