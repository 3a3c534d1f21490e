import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  isBusy,
  makeStateDir,
  toStateDir,
  withLock,
  writeRecord,
  type ServerRecord,
} from '../../../src/temporal/server/testing.ts';
import { readRecord } from '../../../src/temporal/server/index.ts';

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'tauflow-state-'));
});

afterEach(() => rm(stateDir, { recursive: true, force: true }));

const RECORD: ServerRecord = {
  status: 'running',
  pid: 12,
  port: 7233,
  uiPort: 8233,
  cliVersion: '1.5.1',
  serverVersion: '1.29.1',
  dbFile: '/nowhere/temporal.db',
  startedAt: '2026-01-01T00:00:00.000Z',
};

test('a folder without a server has no state', async () => {
  expect(await readRecord(join(stateDir, 'missing'))).toBeNull();
  expect(await readRecord(stateDir)).toBeNull();
  expect(await isBusy(stateDir)).toBe(false);
});

test('of many that take the lock at once one works at a time', async () => {
  let working = 0;
  const work = async () => {
    expect(++working).toBe(1);
    expect(await isBusy(stateDir)).toBe(true);
    await delay(1);
    working--;
  };
  await Promise.all([1, 2, 3, 4].map(() => withLock(stateDir, work)));
  expect(await isBusy(stateDir)).toBe(false);
});

test('work that fails gives the lock back', async () => {
  await expect(withLock(stateDir, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await isBusy(stateDir)).toBe(false);
});

test('a record is read as it was written', async () => {
  await writeRecord(stateDir, RECORD);
  expect(await readRecord(stateDir)).toEqual(RECORD);
});

test.each([
  ['cut in half', '{"status": "running", "pid"'],
  ['of another shape', '{"status": "running", "pid": "12"}'],
  ['empty', ''],
])('a state file that is %s counts as none', async (_name, text) => {
  await writeFile(join(stateDir, 'server.json'), text);
  expect(await readRecord(stateDir)).toBeNull();
});

test('the state folder keeps itself out of version control', async () => {
  await makeStateDir(toStateDir(stateDir));
  await makeStateDir(toStateDir(stateDir));
  expect(await readdir(toStateDir(stateDir))).toEqual(['.gitignore']);
});

test('a state folder that cannot be made is one sentence', async () => {
  await writeFile(join(stateDir, 'file'), '');
  await expect(makeStateDir(join(stateDir, 'file', '.tauflow'))).rejects.toMatchObject({
    kind: 'state-unwritable',
    message: expect.stringContaining('run in a folder that you may write to') as string,
  });
});
