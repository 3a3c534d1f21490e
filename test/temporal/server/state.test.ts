import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  claim,
  isNewest,
  makeStateDir,
  stateDirOf,
  update,
  type ServerRecord,
} from '../../../src/temporal/server/testing.ts';
import { readNewest } from '../../../src/temporal/server/index.ts';

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'tauflow-state-'));
});

afterEach(() => rm(stateDir, { recursive: true, force: true }));

function record(pid: number): ServerRecord {
  return {
    status: 'running',
    pid,
    port: 7233,
    uiPort: 8233,
    cliVersion: '1.5.1',
    serverVersion: '1.29.1',
    dbFile: '/nowhere/temporal.db',
    startedAt: '2026-01-01T00:00:00.000Z',
  };
}

test('a folder without a server has no state', async () => {
  expect(await readNewest(join(stateDir, 'missing'))).toBeNull();
  expect(await readNewest(stateDir)).toBeNull();
});

test('of many that take over at once exactly one succeeds', async () => {
  const stale = await claim(stateDir, null, record(1));
  const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(stateDir, stale, record(index + 2))));
  const winners = claims.filter((each) => each !== null);
  expect(winners).toHaveLength(1);
  expect(await readNewest(stateDir)).toEqual(winners[0]);
});

test('who judged a state file long ago cannot take over what has come since', async () => {
  const first = await claim(stateDir, null, record(1));
  const second = await claim(stateDir, first, record(2));
  const third = await claim(stateDir, second, record(3));
  // The second generation is removed by now, so its name is free again.
  expect(await claim(stateDir, first, record(9))).toBeNull();
  expect(await readNewest(stateDir)).toEqual(third);
});

test('however takeovers interleave, at most one claim is the newest', async () => {
  // Each number is the claim whose generation a late-comer believes to be the newest.
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }), async (beliefs) => {
      const folder = await mkdtemp(join(stateDir, 'run-'));
      const history = [await readNewest(folder)];
      let holder = null;
      for (const belief of beliefs) {
        const claimed = await claim(folder, history[Math.min(belief, history.length - 1)] ?? null, record(1));
        if (claimed === null) continue;
        holder = claimed;
        history.push(claimed);
      }
      expect(await readNewest(folder)).toEqual(holder);
      for (const each of history) if (each !== null) expect(await isNewest(folder, each)).toBe(each === holder);
    }),
    { numRuns: 50 },
  );
});

test('a takeover leaves one state file', async () => {
  let newest = await claim(stateDir, null, record(1));
  for (let pid = 2; pid < 6; pid += 1) newest = await claim(stateDir, newest, record(pid));
  expect(await readdir(stateDir)).toEqual(['server.5.json']);
});

test('an update is seen, and keeps the claim', async () => {
  const claimed = await claim(stateDir, null, record(1));
  if (claimed === null) throw new Error('the first claim of a folder succeeds');
  await update(stateDir, claimed, { ...record(1), status: 'stopped' });
  expect((await readNewest(stateDir))?.record?.status).toBe('stopped');
  expect(await isNewest(stateDir, claimed)).toBe(true);
});

test.each([
  ['cut in half', '{"status": "running", "pid"'],
  ['of another shape', '{"status": "running", "pid": "12"}'],
  ['empty, its writer having died', ''],
])('a state file that is %s counts as one without content', async (_name, text) => {
  await writeFile(join(stateDir, 'server.4.json'), text);
  expect(await readNewest(stateDir)).toEqual({ number: 4, record: null });
});

test('the state folder keeps itself out of version control', async () => {
  await makeStateDir(stateDirOf(stateDir));
  await makeStateDir(stateDirOf(stateDir));
  expect(await readdir(stateDirOf(stateDir))).toEqual(['.gitignore']);
});

test('a state folder that cannot be made is one sentence', async () => {
  await writeFile(join(stateDir, 'file'), '');
  await expect(makeStateDir(join(stateDir, 'file', '.tauflow'))).rejects.toMatchObject({
    kind: 'state-unwritable',
    message: expect.stringContaining('run in a folder that you may write to') as string,
  });
});
