/** `tauflow server`, and where the Temporal CLI comes from. */

import { truncate, utimes, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Connection } from '@temporalio/client';
import { afterAll, describe, expect, it, test, vi, afterEach, beforeEach } from 'vitest';
import {
  isWalStuck,
  recoveryMs,
  findOrStart,
  cachedBinaryPath,
  findBinary,
  locateBinary,
  parseVersions,
  type BinaryOptions,
} from '../../../src/temporal/server/testing.ts';
import {
  ensureServer,
  findServer,
  guardServer,
  stopServer,
  isAlive,
  watchIdentity,
} from '../../../src/temporal/server/index.ts';
import { expectSentence, tauflow } from '../../cli/in-process.ts';
import { endAll, kill, makeFolder, ownPort, runCommand, startOnOwnPorts, takePort } from './local-servers.ts';

afterAll(endAll);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a server in the foreground is used by other commands and ends by %s with its command',
  async (name) => {
    const options = await makeFolder();
    const [port, uiPort] = [await ownPort(), await ownPort()];
    const command = runCommand('foreground', options.workDir, port, uiPort);
    const ready = await command.next();
    expect(ready).toMatchObject({ port, uiPort, started: true });
    expect(await ensureServer(options)).toMatchObject({ pid: ready['pid'], started: false });

    process.kill(command.pid, name);
    expect(await command.next()).toEqual({ kind: 'interrupted', signal: name });
    await command.ended;
    expect(await isAlive(Number(ready['pid']))).toBe(false);
    expect(await findServer(options.workDir)).toBeNull();
  },
);

test('a server in the foreground that another command stops ends well', async () => {
  const options = await makeFolder();
  const command = runCommand('foreground', options.workDir);
  await command.next();
  await stopServer(options.workDir);
  expect(await command.next()).toEqual({ kind: 'stopped' });
});

test('a server in the foreground that dies says so', async () => {
  const options = await makeFolder();
  const command = runCommand('foreground', options.workDir);
  const { pid, address } = await command.next();
  await kill(Number(pid));
  const end = await command.next();
  expect(end).toMatchObject({ kind: 'start-failed' });
  expect(end['message']).toContain(`the Temporal server at ${String(address)} ended unexpectedly (SIGKILL)`);
});

test('a server whose command was killed is replaced by the next, and that ends with its own', async () => {
  const options = await makeFolder();
  const first = runCommand('foreground', options.workDir);
  const { pid, port } = await first.next();
  await kill(first.pid);
  expect(await isAlive(Number(pid))).toBe(true);
  const second = runCommand('foreground', options.workDir);
  const ready = await second.next();
  expect(ready).toMatchObject({ port, started: true });
  expect(await isAlive(Number(pid))).toBe(false);
  // It has an owner again.
  expect(await runCommand('foreground', options.workDir).next()).toMatchObject({ kind: 'already-running' });
  process.kill(second.pid, 'SIGTERM');
  expect(await second.next()).toEqual({ kind: 'interrupted', signal: 'SIGTERM' });
  expect(await isAlive(Number(ready['pid']))).toBe(false);
});

test('a second one in the same folder is refused, and the first goes on', async () => {
  const options = await makeFolder();
  const server = await ensureServer(options);
  const end = await runCommand('foreground', options.workDir).next();
  expect(end).toMatchObject({ kind: 'already-running' });
  expect(end['message']).toContain(`at ${server.address} (pid ${server.pid}`);
  expect(await findServer(options.workDir)).toMatchObject({ pid: server.pid });
});

test('a taken port is one sentence', async () => {
  const options = await makeFolder();
  const { port, free: giveBack } = await takePort();
  const free = await ownPort();
  for (const ports of [
    [port, free],
    [free, port],
  ]) {
    expect(await runCommand('foreground', options.workDir, ...ports).next()).toEqual({
      kind: 'port-taken',
      message: `port ${port} is taken by another program; choose another or leave it out`,
    });
  }
  giveBack();
});

test('a server that no longer writes its write-ahead log back is restarted, where it was', async () => {
  const options = await makeFolder();
  const server = await startOnOwnPorts(options);
  const log = `${server.dbFile}-wal`;
  expect(await isWalStuck(server)).toBe(false);
  await truncate(log, 300 * 1024 * 1024);
  expect(await recoveryMs(server.dbFile)).toBeGreaterThan(5_000);
  // As if the database had not been written to for an hour.
  const age = async () => {
    await utimes(log, new Date(), new Date(Date.now() + 3_600_000));
  };
  // A write of the server between the two makes the log young again.
  await vi.waitFor(async () => {
    await age();
    expect(await isWalStuck(server)).toBe(true);
  });

  const said: string[] = [];
  const stop = new AbortController();
  const ageing = setInterval(() => void age().catch(() => undefined), 50);
  const onProgress = (sentence: string) => {
    said.push(sentence);
    if (sentence.includes('write-ahead log')) clearInterval(ageing);
    if (sentence.includes('runs again')) stop.abort();
  };
  await expect(guardServer(server, { ...options, onProgress }, stop.signal)).rejects.toThrow('aborted');
  expect(said[0]).toContain('no longer writes its write-ahead log back');
  const revived = await findServer(options.workDir);
  expect(revived).toMatchObject({ address: server.address });
  expect(revived?.pid).not.toBe(server.pid);
  expect(revived && (await isWalStuck(revived))).toBe(false);
}, 120_000);

describe('the identity of a local server', { timeout: 120_000 }, () => {
  it('stays over a restart, and is lost to another folder’s server', async () => {
    const mine = await makeFolder();
    const { port, uiPort, pid, address } = await startOnOwnPorts(mine);
    const connection = await Connection.connect({ address });
    const watch = await watchIdentity(connection, address, 'default');
    await watch.confirm();

    await kill(pid);
    const { server: back } = await findOrStart({ ...mine, ports: { port, uiPort } });
    await watch.confirm();

    await kill(back.pid);
    await findOrStart({ ...(await makeFolder()), ports: { port, uiPort } });
    await expect(watch.lost).rejects.toThrow(/that of another folder has its address 127\.0\.0\.1:\d+ now/);
    await expect(watch.confirm()).rejects.toMatchObject({ type: 'OtherServer', nonRetryable: false });
    await connection.close();
  });

  it('lets work wait while the server is away', async () => {
    const mine = await makeFolder();
    const { port, uiPort, pid, address } = await startOnOwnPorts(mine);
    const connection = await Connection.connect({ address });
    const watch = await watchIdentity(connection, address, 'default');
    await kill(pid);
    const waits = () => Promise.race([watch.confirm().then(() => false), delay(300).then(() => true)]);
    await expect.poll(waits).toBe(true);
    const confirmed = watch.confirm();
    await findOrStart({ ...mine, ports: { port, uiPort } });
    await confirmed;
    watch.stop();
    await connection.close();
  });
});

describe('a port in use', () => {
  async function withTakenPort(body: (port: string) => Promise<void>): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1' }, resolve);
    });
    const address = server.address();
    try {
      await body(String(typeof address === 'object' ? address?.port : ''));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('is reported by scripted-model', async () => {
    await withTakenPort(async (port) => {
      expectSentence(await tauflow(['scripted-model', '--port', port]), 2, new RegExp(`port ${port} of .* is in use`));
    });
  });

  it('is reported by server', async () => {
    await withTakenPort(async (port) => {
      expectSentence(await tauflow(['server', '--port', port]), 2, new RegExp(`port ${port} is taken by another`));
    });
  });
});

let root: string;
let asked: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tauflow-binary-'));
  asked = [];
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** A program that answers as the Temporal CLI does. */
async function program(path: string, serverVersion = '1.29.1'): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho "temporal version 1.5.1 (Server ${serverVersion}, UI 2.42.1)"\n`);
  await chmod(path, 0o755);
  return path;
}

/** Both ways to obtain the CLI, of which none works unless told. */
function options(env: NodeJS.ProcessEnv, works: { download?: boolean; build?: boolean } = {}): BinaryOptions {
  const way = (name: 'download' | 'build') => async (target: string) => {
    asked.push(name);
    if (works[name] !== true) throw new Error(`no ${name} today\nand a stack`);
    await program(target);
  };
  return { home: join(root, 'home'), env, download: way('download'), build: way('build') };
}

test('TEMPORAL_CLI_PATH wins over everything else', async () => {
  const configured = await program(join(root, 'own', 'my-temporal'));
  await program(join(root, 'bin', 'temporal'));
  const env = { TEMPORAL_CLI_PATH: configured, PATH: join(root, 'bin') };
  expect(await findBinary(options(env))).toMatchObject({ path: configured, origin: 'configured' });
});

test('a TEMPORAL_CLI_PATH that is no Temporal CLI is an error, not a reason to look elsewhere', async () => {
  await program(join(root, 'bin', 'temporal'));
  const text = join(root, 'notes.txt');
  await writeFile(text, 'hello');
  for (const path of [text, join(root, 'missing')]) {
    const env = { TEMPORAL_CLI_PATH: path, PATH: join(root, 'bin') };
    const message = `TEMPORAL_CLI_PATH names ${path}, which is no Temporal CLI that runs here; correct it or unset it`;
    await expect(findBinary(options(env))).rejects.toMatchObject({ kind: 'binary-unusable', message });
  }
});

test('the first temporal on the PATH is used before the cached one', async () => {
  const path = await program(join(root, 'bin', 'temporal'));
  await program(cachedBinaryPath(join(root, 'home')));
  const env = { PATH: [join(root, 'empty'), join(root, 'bin')].join(delimiter) };
  expect(await findBinary(options(env))).toEqual({
    path,
    origin: 'path',
    cliVersion: '1.5.1',
    serverVersion: '1.29.1',
  });
  expect(asked).toEqual([]);
});

test('a temporal on the PATH that is too old or something else is passed over', async () => {
  await program(join(root, 'old', 'temporal'), '1.22.4');
  const other = await program(join(root, 'other', 'temporal'));
  await writeFile(other, '#!/bin/sh\necho "temporal calendars 3.1"\n');
  const cached = await program(cachedBinaryPath(join(root, 'home')));
  const lines: string[] = [];
  const env = { PATH: [join(root, 'old'), join(root, 'other')].join(delimiter) };
  const found = await findBinary({ ...options(env), onProgress: (line) => lines.push(line) });
  expect(found).toMatchObject({ path: cached, origin: 'cached' });
  expect(lines).toEqual([`${join(root, 'old', 'temporal')} holds Temporal server 1.22.4, older than 1.25.0: not used`]);
});

test('without any, it is downloaded into the home folder, and found there from then on', async () => {
  const found = await findBinary(options({ PATH: '' }, { download: true, build: true }));
  expect(found).toMatchObject({ path: cachedBinaryPath(join(root, 'home')), origin: 'downloaded' });
  expect(asked).toEqual(['download']);
  expect(await findBinary(options({ PATH: '' }))).toMatchObject({ origin: 'cached' });
  expect(asked).toEqual(['download']);
});

test('where the download fails it is built', async () => {
  const found = await findBinary(options({}, { build: true }));
  expect(found).toMatchObject({ path: cachedBinaryPath(join(root, 'home')), origin: 'built' });
  expect(asked).toEqual(['download', 'build']);
});

test('where nothing works, one sentence says why and the three ways out', async () => {
  const failure = await findBinary(options({})).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'binary-missing' });
  const { message } = failure as Error;
  expect(message).not.toContain('\n');
  for (const part of ['no download today', 'no build today', 'Temporal CLI', 'TEMPORAL_ADDRESS', 'install Go']) {
    expect(message).toContain(part);
  }
});

test('a home folder that cannot be made is one sentence', async () => {
  await writeFile(join(root, 'home'), '');
  await expect(findBinary(options({}))).rejects.toMatchObject({ kind: 'state-unwritable' });
});

test('looking for it never obtains it', async () => {
  expect(await locateBinary(options({}, { download: true, build: true }))).toBeNull();
  expect(asked).toEqual([]);
});

test.each([
  ['temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)', { cliVersion: '1.5.1', serverVersion: '1.29.1' }],
  ['temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)\n', { cliVersion: '0.0.0-DEV', serverVersion: '1.29.1' }],
  [
    'temporal version 1.6.0-rc1 (Server 1.30.0-148.4, UI 2.43)',
    { cliVersion: '1.6.0-rc1', serverVersion: '1.30.0-148.4' },
  ],
  ['tctl version 1.18', null],
  ['', null],
])('versions are read from %j', (output, versions) => {
  expect(parseVersions(output)).toEqual(versions);
});
