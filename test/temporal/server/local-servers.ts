/** Folders with servers for one test file: every server that was started in them is ended, by its pid. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import getPort, { portNumbers } from 'get-port';

import { findOrStart } from '../../../src/temporal/server/testing.ts';
import {
  isAlive,
  signal,
  waitForExit,
  stopServer,
  type EnsureServerOptions,
  type LocalServer,
} from '../../../src/temporal/server/index.ts';
import { testEnvironment, testHome } from '../../helpers/temporal-environment.ts';

const folders: string[] = [];
const processes: number[] = [];

export async function makeFolder(): Promise<EnsureServerOptions> {
  const workDir = await realpath(await mkdtemp(join(tmpdir(), 'tauflow-server-')));
  folders.push(workDir);
  return { workDir, home: testHome(), env: testEnvironment() };
}

/** A free port that nothing else on the machine is after: below those that the system gives out by itself. */
export function ownPort(): Promise<number> {
  const from = 20_000 + Math.floor(Math.random() * 10_000);
  return getPort({ port: portNumbers(from, from + 200) });
}

/** Starts a server on ports that are free again when it has gone. */
export async function startOnOwnPorts(options: EnsureServerOptions): Promise<LocalServer> {
  const ports = { port: await ownPort(), uiPort: await ownPort() };
  return (await findOrStart({ ...options, ports })).server;
}

/** Listens on a port, as another program would. */
export async function takePort(): Promise<{ readonly port: number; readonly free: () => void }> {
  const port = await ownPort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port, free: () => server.close() };
}

export async function kill(pid: number): Promise<void> {
  signal(pid, 'SIGKILL');
  await waitForExit(pid, 10_000);
}

/** Pids of all dev servers on a database, by their command lines, whatever the program knows of them. */
export async function findServers(dbFile: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commandLines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.map(Number).filter((_, at) => {
    const args = commandLines[at]?.split('\0') ?? [];
    return args.includes('start-dev') && args.includes(dbFile);
  });
}

/** Ends them all; for `afterAll`. */
export async function endAll(): Promise<void> {
  for (const pid of processes) if (await isAlive(pid)) await kill(pid);
  await Promise.all(
    folders.map(async (folder) => {
      await stopServer(folder);
      await rm(folder, { recursive: true, force: true });
    }),
  );
}

export interface Command {
  readonly pid: number;
  /** The next line that it prints, parsed. */
  readonly next: () => Promise<Record<string, unknown>>;
  readonly ended: Promise<unknown>;
}

/** A command of the program in a process of its own. */
export function runCommand(name: 'ensure' | 'foreground', workDir: string, ...args: readonly number[]): Command {
  const script = fileURLToPath(new URL('../../helpers/server-process.js', import.meta.url));
  const child = spawn(process.execPath, [script, name, workDir, testHome(), ...args.map(String)], {
    env: testEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid === undefined) throw new Error('node does not start');
  processes.push(child.pid);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const line: IteratorResult<string, unknown> = await lines.next();
    if (line.done === true) throw new Error(`${name} ended without a word`);
    return JSON.parse(line.value) as Record<string, unknown>;
  };
  return { pid: child.pid, next, ended: once(child, 'exit') };
}
