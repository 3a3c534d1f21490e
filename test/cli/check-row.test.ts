import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { tauflow } from './in-process.ts';

describe('check-row', () => {
  it('exits with 0 for a row that data can give, and shows such data', async () => {
    const { code, stdout, stderr } = await tauflow([
      'check-row',
      '| [TC (gpt-4o)](https://platform.openai.com/docs/models) | 0.604 | 0.491 | 0.430 | 0.383 |',
      '--tasks',
      '115',
      '--trials',
      '4',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^possible, for instance with four trials a task: \d+ tasks with four successes/);
  });

  it('exits with 1 for one that none can, and says why', async () => {
    const { code, stdout } = await tauflow(['check-row', '0.8347', '0.714', '0.53', '--trials', '3']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^impossible with three trials a task: it needs 53 % of tasks with three successes/);
  });

  it('gives one JSON document', async () => {
    const { code, stdout } = await tauflow(['check-row', '83.47/71.40/53.00', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: 1,
      tasks: null,
      trials: null,
      figures: [{ k: 1, text: '83.47 %', value: 0.8347 }, { k: 2 }, { k: 3 }],
      possible: false,
      nearest: { length: 3 },
    });
  });

  it.each([
    [['0.8', 'high'], /pass\^2 is “high”, which is no share and no percentage; give pass\^1/],
    [['0.8', '0.7', '--trials', '1'], /--trials is 1, but pass\^2 needs 2; leave it out/],
    [['0.8', '--tasks', 'all'], /--tasks must be a whole number from 1 to 1000000, not "all"\./],
    [['0.8', '--trials', '0'], /--trials must be a whole number from 1 to 100, not "0"\./],
    [[], /missing required argument 'figures'/],
  ])('exits with 2 for %j', async (words, message) => {
    const { code, stdout, stderr } = await tauflow(['check-row', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('says what docs/metrics.md shows', async () => {
    const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
    const examples = [...page.matchAll(/^\$ tauflow (check-row .*)\n((?:[^$`\n].*\n)+)/gm)];
    expect(examples).toHaveLength(2);
    for (const [, command = '', answer = ''] of examples) {
      const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
      const { stdout } = await tauflow(words);
      expect(stdout).toBe(answer.trim().replaceAll('\n', ' '));
    }
  });
});
