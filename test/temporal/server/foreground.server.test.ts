/** A server in the foreground; another folder's server at the address of a folder's own; ports that others have. */

import { truncate, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { afterAll, describe, expect, it, test, vi } from 'vitest';
import { isWalStuck, recoveryMs, findOrStart } from '../../../src/temporal/server/testing.ts';
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
