/** `tauflow report --format html`: without a build, the page's program is bundled in a process. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { namesIn, scratchFolder, tauflow } from './in-process.ts';
import { idleFile, makeRun } from './reported-runs.ts';

describe('report as a page', () => {
  it('is written to stdout, or to a file in one go', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'mine', 1);
    const words = ['report', 'mine', '--format', 'html'];
    const { stdout } = await tauflow([...words, '--output', '-'], { cwd });
    expect(stdout).toMatch(/^<!doctype html>\n/);
    const written = await tauflow([...words, '--output', 'out/report'], { cwd });
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'wrote out/report' });
    expect(namesIn(join(cwd, 'out'))).toEqual(['report']);
    expect(readFileSync(join(cwd, 'out/report'), 'utf8')).toBe(`${stdout}\n`);
  });

  it('is put beside the results, where no file is named', async () => {
    const cwd = scratchFolder();
    await makeRun(cwd, 'a', 1);
    await makeRun(cwd, 'b', 3);
    idleFile(cwd);
    const page = async (...subjects: string[]) =>
      (await tauflow(['report', ...subjects, '--format', 'html'], { cwd })).stderr;
    expect(await page('a')).toBe('wrote results/a.html');
    expect(await page('a', 'b')).toBe('wrote results/a-vs-b.html');
    expect(await page('a', 'b', 'idle.json')).toBe('wrote results/a-and-2-more.html');
    expect(await page('idle.json')).toBe('wrote idle.html');
  });
});
