import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import { scratchFolder, tauflow } from './in-process.ts';

/** The values that a shell is told at a press of the key, without their descriptions. */
async function suggested(words: readonly string[], cwd = scratchFolder()): Promise<string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const { code, stderr } = await tauflow(['complete', '--', ...words], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return log.mock.calls.map(([line]) => String(line).split('\t')[0] ?? '').filter((value) => !value.startsWith(':'));
  } finally {
    log.mockRestore();
  }
}

describe('completion', () => {
  it('suggests commands, flags, and the values of flags that have few', async () => {
    expect(await suggested(['re'])).toEqual(['report', 'regrade', 'resume', 'retry', 'replay']);
    expect(await suggested(['report', '--form'])).toEqual(['--format']);
    expect(await suggested(['report', '--format', ''])).toContain('markdown');
    expect(await suggested(['run', '--agent-strategy', 'f'])).toEqual(['few-shot', 'fastworkflow']);
    expect(await suggested(['run', '--model-provider', 'open'])).toEqual(
      expect.arrayContaining(['openai', 'openrouter']),
    );
  });

  it('suggests the runs of the log folder, and nothing where there is none', async () => {
    const cwd = scratchFolder();
    expect(await suggested(['status', ''], cwd)).toEqual([]);
    for (const run of ['monday', 'tuesday']) mkdirSync(join(cwd, 'results', run), { recursive: true });
    expect(await suggested(['status', ''], cwd)).toEqual(['monday', 'tuesday']);
    expect(await suggested(['compare', 'monday', 't'], cwd)).toEqual(['tuesday']);
  });

  it.each(['bash', 'zsh', 'fish'])('prints the script of %s', async (shell) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const { code } = await tauflow(['completion', shell]);
    const printed = log.mock.calls.flat().join('\n');
    log.mockRestore();
    expect(code).toBe(0);
    expect(printed).toMatch(/tauflow complete --/);
  });

  it('refuses another shell', async () => {
    expect(await tauflow(['completion', 'ksh'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('the list of commands', () => {
  it('fits a screen, in groups', async () => {
    const { stdout } = await tauflow(['--help']);
    expect(stdout.split('\n').length).toBeLessThan(60);
    expect(stdout.match(/^[A-Z][a-z ]+:$/gm)).toEqual([
      'Options:',
      'Run:',
      'Look:',
      'Compare:',
      'Steer:',
      'Serve:',
      'Data:',
      'Set up:',
      'Commands:',
    ]);
  });
});
