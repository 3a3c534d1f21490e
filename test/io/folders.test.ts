import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolders } from '../../src/io/index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tauflow-folders-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('makeFolders', () => {
  it('makes a folder and those it is in, and returns those that it made', async () => {
    const outer = join(scratch, 'a');
    const inner = join(outer, 'b', 'c');
    expect(await makeFolders(inner)).toEqual([outer, join(outer, 'b'), inner]);
    expect(statSync(inner).isDirectory()).toBe(true);
    expect(await makeFolders(inner)).toEqual([]);
  });

  it('makes each folder once when several make it at the same time', async () => {
    const inner = join(scratch, 'd', 'e');
    const made = await Promise.all([1, 2, 3, 4].map(() => makeFolders(inner)));
    expect(made.flat().sort()).toEqual([join(scratch, 'd'), inner]);
  });

  it('refuses a path through a file', async () => {
    writeFileSync(join(scratch, 'file'), '');
    await expect(makeFolders(join(scratch, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolders(join(scratch, 'file'))).resolves.toEqual([]);
  });

  it.skipIf(!existsSync('/proc/self'))('ends where a file system takes no folders', async () => {
    await expect(makeFolders('/proc/x/y')).rejects.toMatchObject({ code: 'ENOTSUP' });
  });
});
