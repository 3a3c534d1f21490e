/** Files that people give, as editors and shells of every system write them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { scratchFolder, tauflow } from './in-process.ts';

const ENCODINGS = [
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16, big end first', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
] as const;

const DRY = ['run', '--dry-run', '--task-ids', '1', '--num-trials', '1'];
const PRICES = { 'openai/gpt-4o': { input: 1000, output: 2000 } };
const DISPLAYS = Array.from({ length: 5 }, (_, n) => JSON.stringify({ messages_display: `display ${n}` })).join('\n');

describe.each(ENCODINGS)('a file in %s', (_, encode) => {
  async function dryRun(name: string, text: string, ...words: readonly string[]) {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, name), encode(text));
    const { code, stdout, stderr } = await tauflow([...DRY, ...words], { cwd, env: { OPENAI_API_KEY: 'k' } });
    expect(code, stderr).toBe(0);
    return stdout;
  }

  it('is read as --config', async () => {
    const printed = await dryRun('run.json', '{"agent_strategy": "react"}', '--config', 'run.json');
    expect(printed).toContain('react');
  });

  it('is read as --prices', async () => {
    const model = ['--model', 'gpt-4o', '--model-provider', 'openai', '--user-model', 'gpt-4o'];
    const flags = [...model, '--user-model-provider', 'openai', '--prices', 'prices.json'];
    await dryRun('prices.json', JSON.stringify(PRICES), ...flags);
  });

  it('is read as --few-shot-displays-path', async () => {
    const printed = await dryRun(
      'shots.jsonl',
      DISPLAYS,
      '--agent-strategy',
      'few-shot',
      '--few-shot-displays-path',
      'shots.jsonl',
    );
    expect(printed).toContain('few-shot');
  });
});
