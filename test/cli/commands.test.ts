/** Commands that need no server: packs, reports, lists. */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { namesIn, scratchFolder, tauflow } from './in-process.ts';

describe('data', () => {
  it('lists the shipped pack', async () => {
    const { code, stdout } = await tauflow(['data', 'list', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ origin: 'shipped', domain: 'retail', tasks: { test: 40, dev: 8 } }),
    );
  });

  it('verifies all known packs, or those that are named', async () => {
    const all = await tauflow(['data', 'verify']);
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toMatch(
      /✓ .*retail\n.*digest [0-9a-f]{64}\n.*16 of 16 tools\n.*dev: 8 tasks.*\n.*test: 40 tasks/,
    );
    const named = await tauflow(['data', 'verify', 'alder-finch', '--json']);
    expect(JSON.parse(named.stdout)).toMatchObject([{ problems: [], summary: { domain: 'retail' } }]);
  });

  it.each([
    ['retail', '--orders 50 --product-types 8', '50 orders, 8 products, 20 users'],
    ['airline', '--reservations 50 --flights 60 --difficulty hard', '60 flights, 50 reservations, 20 users'],
  ])('generates a %s pack that runs, the same for the same numbers', async (env, sizes, records) => {
    const cwd = scratchFolder();
    const words = `data generate --env ${env} --seed 5 --customers 20 ${sizes} --tasks 6 --dev-tasks 2 --name tiny`;
    const first = await tauflow([...words.split(' '), '--out', 'one'], { cwd });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`one: ${records}, 2 dev tasks, 6 test tasks\n`);
    expect(first.stdout).toMatch(/^pack tiny in /);
    await tauflow([...words.split(' '), '--out', 'two'], { cwd });
    for (const file of namesIn(join(cwd, 'one'))) {
      expect(readFileSync(join(cwd, 'one', file))).toEqual(readFileSync(join(cwd, 'two', file)));
    }
    const run = await tauflow(['run', '--env', env, '--pack', join(cwd, 'one'), '--dry-run'], { cwd });
    expect(run.stdout).toMatch(new RegExp(`tasks +6 of ${env} test: 0-5`));
  });

  it('never writes over a pack unless it is asked to', async () => {
    const cwd = scratchFolder();
    const words = 'data generate --tasks 6 --customers 20 --out one'.split(' ');
    await tauflow(words, { cwd });
    const again = await tauflow(words, { cwd });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('there is a pack already');
    expect((await tauflow([...words, '--replace'], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, 'mine.txt'), 'dear');
    expect((await tauflow([...words.slice(0, -1), '.', '--replace'], { cwd })).code).toBe(2);
    expect(namesIn(cwd)).toEqual(['mine.txt', 'one']);
  });
});

describe('report', () => {
  const entries = [
    { task_id: 0, reward: 1, info: { reward_info: { reward: 1 } }, traj: [], trial: 0 },
    { task_id: 1, reward: 0, info: { reward_info: { reward: 0 } }, traj: [], trial: 0 },
  ];
  function withResults(): string {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'theirs.json'), JSON.stringify(entries));
    return cwd;
  }

  it('reads any tau-bench results file', async () => {
    const { code, stdout, stderr } = await tauflow(['report', 'theirs.json'], { cwd: withResults() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^theirs\n/);
    expect(stdout).toMatch(/average reward +0\.500/);
  });

  it('prints one JSON document, or Markdown', async () => {
    const cwd = withResults();
    const { stdout } = await tauflow(['report', 'theirs.json', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ metrics: { average_reward: 0.5 }, tasks: [{}, {}] });
    expect((await tauflow(['report', 'theirs.json', '--format', 'markdown'], { cwd })).stdout).toContain('|');
  });

  it('fails below a threshold, and says so', async () => {
    const cwd = withResults();
    const failed = await tauflow(['report', 'theirs.json', '--fail-under', '0.6'], { cwd });
    expect(failed).toMatchObject({ code: 1, stderr: 'the average reward 0.500 is below --fail-under 0.6' });
    expect((await tauflow(['report', 'theirs.json', '--fail-under', '0.5'], { cwd })).code).toBe(0);
  });
});

describe('server reset', () => {
  it('moves the database aside that --db names', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'other.db'), 'junk');
    const { code, stdout } = await tauflow(['server', 'reset', '--db', 'other.db'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^the database is now other\.db\.\d{4}-/);
    expect(readdirSync(cwd)).toEqual([expect.stringMatching(/^other\.db\.\d{4}-/)]);
    const none = await tauflow(['server', 'reset', '--db', 'other.db'], { cwd });
    expect(none.stdout).toBe('there is no database other.db');
  });
});

describe('list', () => {
  it('says when there are no runs, or no such folder', async () => {
    expect(await tauflow(['list'])).toMatchObject({ code: 0, stdout: 'no runs in results' });
    expect((await tauflow(['list', '--json'])).stdout).toBe('[]');
  });
});

describe('doctor', () => {
  it('reports what there is, and never a key', async () => {
    const env = { OPENAI_API_KEY: 'sk-very-secret-key' };
    const { code, stdout } = await tauflow(['doctor'], { env });
    // The configured server of this test does not answer.
    expect(code).toBe(1);
    expect(stdout).toMatch(/✓ node .*\n✗ temporal server +no Temporal server at 127\.0\.0\.1:1; .*\n/);
    expect(stdout).toContain('OPENAI_API_KEY is set');
    expect(stdout).not.toContain('secret');
    expect(stdout).toContain('– encryption         off; TAUFLOW_ENCRYPTION_KEY is not set');
  });

  it('names a key that no header can have, its place, and not the key', async () => {
    const env = {
      OPENAI_API_KEY: '“sk-very-secret-key”',
      GOOGLE_API_KEY: 'very-secret\nkey',
      OPENAI_ORG_ID: 'org–secret',
      TAUFLOW_AGENT_KEY: 'Bearer secret',
    };
    const { code, stdout } = await tauflow(['doctor'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /✗ provider openai +OPENAI_API_KEY has a curly quotation mark \(U\+201C\) at character 1; set/,
    );
    expect(stdout).toContain('; OPENAI_ORG_ID has a dash that is no hyphen (U+2013) at character 4; set it to');
    expect(stdout).toMatch(/✗ provider gemini +GOOGLE_API_KEY has a line break \(U\+000A\) at character 12; set/);
    expect(stdout).toMatch(/✗ agent key +TAUFLOW_AGENT_KEY begins with "Bearer"/);
    expect(stdout).not.toContain('secret');
  });

  it('reports which keys payloads are encrypted with by their ids', async () => {
    const key = 'A'.repeat(43);
    const doctor = async (value: string) =>
      (await tauflow(['doctor'], { env: { TAUFLOW_ENCRYPTION_KEY: value } })).stdout;
    const outputs = [await doctor(`new:${key}=,old:${key.replace('A', 'B')}=`), await doctor('A secret')];
    expect(outputs[0]).toContain('✓ encryption         on, key new (decrypts old as well)');
    expect(outputs[1]).toContain('✗ encryption         TAUFLOW_ENCRYPTION_KEY has no 32 bytes in base64');
    for (const output of outputs) expect(output).not.toMatch(/AAAA|secret/);
  });
});
