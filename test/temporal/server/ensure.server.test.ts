import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test, vi } from 'vitest';

import { connect, ensureSearchAttributes } from '../../../src/temporal/client/index.ts';
import {
  ensureServer,
  findServer,
  findTrouble,
  inspectServer,
  isAlive,
  readRecord,
  resetServer,
  stopServer,
  type EnsureServerOptions,
  type LocalServer,
} from '../../../src/temporal/server/index.ts';
import { findBinary, findOrStart, toStateDir } from '../../../src/temporal/server/testing.ts';
import { TauSweep } from '../../../workflows/testing.ts';
import {
  endAll,
  findServers,
  kill,
  makeFolder,
  ownPort,
  runCommand,
  startOnOwnPorts,
  takePort,
} from './local-servers.ts';

afterAll(endAll);

function stateFile(workDir: string): string {
  return join(toStateDir(workDir), 'server.json');
}

/** Changes the state file of a folder's server. */
async function changeState(workDir: string, change: object): Promise<void> {
  await writeFile(stateFile(workDir), JSON.stringify({ ...(await readRecord(toStateDir(workDir))), ...change }));
}

test('a started server answers on the loopback address only, with its UI, and is found from then on', async () => {
  const options = await makeFolder();
  expect(await findServer(options.workDir)).toBeNull();
  const server = await ensureServer(options);
  expect(server).toMatchObject({ started: true, serverVersion: expect.stringMatching(/^1\./) as string });
  expect(server.dbFile).toBe(join(options.workDir, '.tauflow', `temporal-${server.serverVersion}-fair.db`));
  expect((await fetch(server.uiUrl)).status).toBe(200);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outside !== undefined) expect(await accepts(outside.address, server.port)).toBe(false);

  expect(await ensureServer(options)).toEqual({ ...server, started: false });
  expect(await findServer(options.workDir)).toEqual({ ...server, started: false });
  expect(await inspectServer(options)).toMatchObject({
    binary: { kind: 'found' },
    server: { kind: 'running', server: { pid: server.pid } },
  });
});

test.runIf(process.platform !== 'win32')(
  'what a server keeps is for its user alone, also where it was not',
  async () => {
    const options = await makeFolder();
    const stateDir = toStateDir(options.workDir);
    await mkdir(stateDir, { mode: 0o755 });
    const server = await ensureServer(options);
    const modes: Record<string, string> = {};
    for (const name of await readdir(stateDir)) {
      const isData = name.endsWith('.log') || name.includes('.db');
      if (isData) modes[name] = ((await stat(join(stateDir, name))).mode & 0o777).toString(8);
    }
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    const db = `temporal-${server.serverVersion}-fair.db`;
    const files = ['server.log', db, `${db}-wal`, `${db}-shm`, `${db}.lock`];
    expect(modes).toEqual(Object.fromEntries(files.map((name) => [name, '600'])));
  },
);

test('a folder reached through a link has the same server', async () => {
  const options = await makeFolder();
  const server = await ensureServer(options);
  const link = join(options.workDir, 'link');
  await symlink(options.workDir, link);
  expect(await ensureServer({ ...options, workDir: link })).toMatchObject({ pid: server.pid, started: false });
});

test('a proxy is not asked for it', async () => {
  const options = await makeFolder();
  for (const name of ['http_proxy', 'https_proxy', 'grpc_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9');
  try {
    expect(await ensureServer(options)).toMatchObject({ started: true });
    expect(await inspectServer(options)).toMatchObject({ server: { kind: 'running' } });
    await (await connect(options)).close();
  } finally {
    vi.unstubAllEnvs();
  }
});

test('commands that start at once, in one process and in several, share one server', async () => {
  const options = await makeFolder();
  const commands = [1, 2, 3].map(() => runCommand('ensure', options.workDir));
  const own = await Promise.all([ensureServer(options), ensureServer(options)]);
  const others = await Promise.all(commands.map((command) => command.next()));
  const all = [...own, ...others];
  expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
  expect(all.filter(({ started }) => started === true)).toHaveLength(1);
  expect(await findServers(own[0].dbFile)).toHaveLength(1);
});

test('after kill -9 the next command starts it on the same ports and database, and clients go on', async () => {
  const options = await makeFolder();
  const before = await startOnOwnPorts(options);
  const temporal = await connect(options);
  // A new server knows them.
  expect(await ensureSearchAttributes(temporal.connection, temporal.namespace)).toEqual({ kind: 'ready', added: [] });
  const start = { taskQueue: 'nobody', workflowId: 'survivor' };
  await temporal.client.workflow.start('episode', {
    ...start,
    typedSearchAttributes: [{ key: TauSweep, value: 'kept' }],
  });

  await kill(before.pid);
  expect(await inspectServer(options)).toMatchObject({ server: { kind: 'stale', pid: before.pid } });
  expect(await findServer(options.workDir)).toBeNull();
  // Four commands notice at once.
  const after = await Promise.all([1, 2, 3, 4].map(() => ensureServer(options)));
  expect(new Set(after.map(({ pid }) => pid)).size).toBe(1);
  expect(after[0]).toMatchObject({ port: before.port, uiPort: before.uiPort, dbFile: before.dbFile });
  expect(after[0]?.pid).not.toBe(before.pid);
  expect(await findServers(before.dbFile)).toHaveLength(1);

  // The connection from before the kill.
  const description = await temporal.client.workflow.getHandle('survivor').describe();
  expect(description.typedSearchAttributes.get(TauSweep)).toBe('kept');
  await temporal.close();
});

test('a stopped server is gone, and the next start has its ports and data', async () => {
  const options = await makeFolder();
  const server = await startOnOwnPorts(options);
  expect(await stopServer(options.workDir)).toBe(server.pid);
  expect(await isAlive(server.pid)).toBe(false);
  expect(await findServer(options.workDir)).toBeNull();
  expect(await inspectServer(options)).toMatchObject({ server: { kind: 'none' } });
  expect(await stopServer(options.workDir)).toBeNull();
  const { port, uiPort, dbFile } = server;
  expect(await ensureServer(options)).toMatchObject({ port, uiPort, dbFile, started: true });
});

test('a pid that has gone to another program is not taken for the server, nor ended', async () => {
  const options = await makeFolder();
  const server = await startOnOwnPorts(options);
  await kill(server.pid);
  await changeState(options.workDir, { pid: process.pid });
  expect((await ensureServer(options)).started).toBe(true);
});

test('a command that is killed once its server runs, but is not ready, leaves no second server', async () => {
  const options = await makeFolder();
  const before = await startOnOwnPorts(options);
  await stopServer(options.workDir);
  const command = runCommand('ensure', options.workDir);
  await expect.poll(() => findServers(before.dbFile), { interval: 1, timeout: 30_000 }).toHaveLength(1);
  await kill(command.pid);
  const [orphan] = await findServers(before.dbFile);
  expect(await readRecord(toStateDir(options.workDir))).toMatchObject({ status: 'starting', pid: command.pid });
  expect(await inspectServer(options)).toMatchObject({ server: { kind: 'stale', pid: command.pid } });

  const { dbFile, port, uiPort } = before;
  const server = await ensureServer(options);
  expect(server).toMatchObject({ dbFile, port, uiPort, started: true });
  expect(server.pid).not.toBe(orphan);
  expect(await findServers(dbFile)).toEqual([server.pid]);
});

test('a command that is killed while it starts the server leaves one that `server stop` ends', async () => {
  const options = await makeFolder();
  const { dbFile } = await startOnOwnPorts(options);
  await stopServer(options.workDir);
  const command = runCommand('ensure', options.workDir);
  await expect.poll(() => findServers(dbFile), { interval: 1, timeout: 30_000 }).toHaveLength(1);
  await kill(command.pid);
  const [orphan] = await findServers(dbFile);
  expect(await stopServer(options.workDir)).toBe(orphan);
  expect(await findServers(dbFile)).toEqual([]);
});

test('a server without its state file is replaced, not doubled', async () => {
  const options = await makeFolder();
  const before = await startOnOwnPorts(options);
  await rm(stateFile(options.workDir));
  const server = await ensureServer(options);
  expect(server).toMatchObject({ dbFile: before.dbFile, started: true });
  expect(await findServers(server.dbFile)).toEqual([server.pid]);
});

describe('a server of an earlier version, which has no lock', () => {
  /** Starts one as a version did that had no lock, and takes the lock's file away. */
  async function startUnlocked(options: EnsureServerOptions): Promise<LocalServer> {
    const server = await startOnOwnPorts(options);
    await rm(`${server.dbFile}.lock`);
    return server;
  }

  test('is found, watched and ended by its state file', async () => {
    const options = await makeFolder();
    const server = await startUnlocked(options);
    expect(await ensureServer(options)).toMatchObject({ pid: server.pid, started: false });
    expect(await inspectServer(options)).toMatchObject({ server: { kind: 'running' } });
    expect(await stopServer(options.workDir)).toBe(server.pid);
    expect(await findServers(server.dbFile)).toEqual([]);
  });

  test('is replaced when it hangs', async () => {
    const options = await makeFolder();
    const hung = await startUnlocked(options);
    process.kill(hung.pid, 'SIGSTOP');
    const server = await ensureServer({ ...options, hungMs: 300 });
    expect(server.port).toBe(hung.port);
    expect(await findServers(hung.dbFile)).toEqual([server.pid]);
  });

  test.runIf(process.platform === 'linux')('is not doubled without a state file either', async () => {
    const options = await makeFolder();
    const server = await startUnlocked(options);
    await rm(stateFile(options.workDir));
    await expect(ensureServer(options)).rejects.toMatchObject({
      kind: 'database-in-use',
      message: `another process has the database ${server.dbFile} open; end it first, or use its server`,
    });
    expect(await findServers(server.dbFile)).toEqual([server.pid]);
    await kill(server.pid);
  });
});

test('the database of another folder’s server is refused, and that server goes on', async () => {
  const server = await ensureServer(await makeFolder());
  const options = await makeFolder();
  await expect(findOrStart({ ...options, dbFile: server.dbFile })).rejects.toMatchObject({
    kind: 'database-in-use',
    message: `a Temporal server (pid ${server.pid}) has the database ${server.dbFile} open; end it first, or use its server`,
  });
  await expect(resetServer(options.workDir, new Date(0), server.dbFile)).rejects.toMatchObject({
    kind: 'database-in-use',
  });
  expect(await findServers(server.dbFile)).toEqual([server.pid]);
});

test('a server that hangs is ended before another has its database', async () => {
  const options = await makeFolder();
  const hung = await startOnOwnPorts(options);
  process.kill(hung.pid, 'SIGSTOP');
  // A busy process goes on for a moment, until each of its threads has taken the signal.
  await vi.waitFor(
    async () => expect(await inspectServer(options)).toMatchObject({ server: { kind: 'not-responding' } }),
    { timeout: 30_000 },
  );
  expect(await findTrouble(hung)).toBe(
    `the Temporal server (pid ${hung.pid}) is stopped by a signal; \`kill -CONT ${hung.pid}\` lets it continue`,
  );
  const server = await ensureServer({ ...options, hungMs: 300 });
  expect(server).toMatchObject({ port: hung.port, started: true });
  expect(await isAlive(hung.pid)).toBe(false);
  expect(await findServers(hung.dbFile)).toEqual([server.pid]);
});

test('the usual ports being taken, others are found; a port that was asked for is an error', async () => {
  const { port, free: giveBack } = await takePort();
  const options = await makeFolder();
  await expect(findOrStart({ ...options, ports: { port } })).rejects.toMatchObject({
    kind: 'port-taken',
    message: `port ${port} is taken by another program; choose another or leave it out`,
  });
  // The last start was there, so this is where the next would like to be.
  const free = await ownPort();
  await startOnOwnPorts(options);
  await stopServer(options.workDir);
  await changeState(options.workDir, { port, uiPort: free });
  const server = await ensureServer(options);
  expect(server.port).not.toBe(port);
  expect(server.uiPort).toBe(free);
  giveBack();
});

/** Starts a server whose program says what a shell command says, and then ends with code 3. */
async function failureOf(options: Awaited<ReturnType<typeof makeFolder>>, says: string): Promise<unknown> {
  const broken = join(options.workDir, 'broken');
  const version = '[ "$1" = --version ] && echo "temporal version 1.5.1 (Server 1.29.1, UI 2)" && exit';
  await writeFile(broken, `#!/bin/sh\n${version}\n${says} >&2\nexit 3\n`, { mode: 0o755 });
  return ensureServer({ ...options, env: { TEMPORAL_CLI_PATH: broken } }).catch((error: unknown) => error);
}

test('a server that ends at once is one sentence with the last it said', async () => {
  const options = await makeFolder();
  const failure = await failureOf(options, 'echo "disk on fire"');
  const logFile = join(options.workDir, '.tauflow', 'server.log');
  expect(failure).toMatchObject({
    kind: 'start-failed',
    message: `the local Temporal server ended while it started (exit 3): disk on fire; see ${logFile}`,
  });
  expect(await inspectServer(options)).toMatchObject({ server: { kind: 'none' } });
});

const SLACK = '/proc/self/timerslack_ns';

test.runIf(existsSync(SLACK))('a server gets 4 ms of timer slack', async () => {
  // The server's program reads it itself: only root may read another process's.
  expect(await failureOf(await makeFolder(), `cat ${SLACK}`)).toMatchObject({
    message: expect.stringContaining('(exit 3): 4000000;') as string,
  });
});

test('a lock that a process of another machine has is not taken for one of a process here, which goes on', async () => {
  const options = await makeFolder();
  const server = await startOnOwnPorts(options);
  // The process of that pid has another command line.
  await writeFile(`${server.dbFile}.lock`, `${process.pid}\n`);
  await changeState(options.workDir, { pid: process.pid });
  await expect(stopServer(options.workDir)).rejects.toMatchObject({
    kind: 'stop-failed',
    message: expect.stringContaining('runs on another machine or in another container') as string,
  });
  expect(await findServers(server.dbFile)).toEqual([server.pid]);
  await kill(server.pid);
});

test('a server that a script runs ends with it', async () => {
  const options = await makeFolder();
  const { path } = await findBinary(options);
  const script = join(options.workDir, 'temporal-script');
  await writeFile(script, `#!/bin/sh\n${path} "$@"\n`, { mode: 0o755 });
  const server = await ensureServer({ ...options, env: { ...options.env, TEMPORAL_CLI_PATH: script } });
  expect(await findServers(server.dbFile)).toHaveLength(2);
  expect(await stopServer(options.workDir)).toBe(server.pid);
  expect(await findServers(server.dbFile)).toEqual([]);
});

test('the log of a server is kept in the folder', async () => {
  const options = await makeFolder();
  const server = await ensureServer(options);
  await stopServer(options.workDir);
  expect(await readFile(server.logFile, 'utf8')).toContain('Stopping server');
});

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
