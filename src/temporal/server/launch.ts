/** Starts a dev server process and waits until it is ready: its flags, its ports, its log. */

import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import getPort, { clearLockedPorts } from 'get-port';

import { ServerError } from '../errors.ts';
import type { Binary, Environment } from './binary.ts';
import { isHealthy } from './health.ts';
import { signal, waitForExit } from './processes.ts';

export const loopback = '127.0.0.1';
export const defaultPort = 7233;
export const defaultUiPort = 8233;

/** A server is ready in 0.3 s, in 1.2 s on a busy machine. */
const readyTimeoutMs = 15_000;

/** A log beyond this is begun anew at the next start, in bytes. */
const logLimit = 10 * 1024 * 1024;

export interface Ports {
  readonly port: number;
  readonly uiPort: number;
}

export interface LaunchOptions {
  readonly binary: Binary;
  readonly ports: Ports;
  readonly dbFile: string;
  readonly logFile: string;
  readonly env: Environment;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly pid: number;
}

/**
 * The ports to start on: those that are given where they are free (or must be free), else others.
 *
 * @throws ServerError `port-taken` when an `explicit` port is taken
 */
export async function choosePorts(explicit: Partial<Ports>, preferred: Ports): Promise<Ports> {
  const port = await choosePort(explicit.port, preferred.port, [explicit.uiPort ?? preferred.uiPort]);
  const uiPort = await choosePort(explicit.uiPort, preferred.uiPort, [port]);
  return { port, uiPort };
}

/** Whether nothing listens on a port, on any address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  // The library keeps a port that it has named from being named again for a while; a server restarts within that.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

/**
 * Starts the server as a process that outlives this one.
 *
 * @throws ServerError `start-failed`, or `port-taken` when another program was quicker to a port
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { binary, ports, logFile } = options;
  const logSize = await stat(logFile).then(
    ({ size }) => size,
    () => 0,
  );
  const log = await open(logFile, logSize > logLimit ? 'w' : 'a');
  const logStart = logSize > logLimit ? 0 : logSize;
  let child: ChildProcess;
  try {
    // Its output goes to a file: a pipe would break, and the server with it, when this process ends.
    child = spawn(binary.path, serverArgs(options), {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: serverEnvironment(options.env),
    });
  } finally {
    await log.close();
  }
  let ended: string | null = null;
  child.on('error', (error) => (ended = error.message));
  child.on('exit', (code, name) => (ended ??= `exit ${name ?? code}`));
  child.unref();

  const address = `${loopback}:${ports.port}`;
  const deadline = Date.now() + readyTimeoutMs;
  while (ended === null && Date.now() < deadline) {
    if (await isHealthy(address)) {
      // The answer may have come from another server on this port, when ours has just failed to get it.
      if (ended === null && child.pid !== undefined) return { child, pid: child.pid };
      break;
    }
    await delay(50);
  }
  const lines = await lastLines(logFile, logStart);
  if (ended === null && child.pid !== undefined) {
    signal(child.pid, 'SIGKILL');
    await waitForExit(child.pid, 5_000);
    throw new ServerError(
      'start-failed',
      `the local Temporal server was not ready after ${readyTimeoutMs / 1_000} s${lines}; see ${logFile}`,
    );
  }
  if (lines.includes('address already in use')) {
    throw new ServerError(
      'port-taken',
      `port ${ports.port} or ${ports.uiPort} was taken while the local Temporal server started on it; try again`,
    );
  }
  throw new ServerError(
    'start-failed',
    `the local Temporal server ended while it started (${ended ?? 'no process'})${lines}; see ${logFile}`,
  );
}

/**
 * Flags that decide between 0.5 and 7 episodes a second: a write-ahead log without a sync for each commit (a
 * `kill -9` loses nothing), and queues that are asked for work 1,000 instead of 20 times a second.
 */
export function serverArgs({ ports, dbFile }: Pick<LaunchOptions, 'ports' | 'dbFile'>): string[] {
  const dynamicConfig = {
    'history.transferProcessorMaxPollRPS': 1000,
    'history.timerProcessorMaxPollRPS': 1000,
    'history.visibilityProcessorMaxPollRPS': 1000,
    'matching.numTaskqueueReadPartitions': 1,
    'matching.numTaskqueueWritePartitions': 1,
    'system.enableActivityEagerExecution': true,
  };
  return [
    'server',
    'start-dev',
    ...['--ip', loopback],
    ...['--port', String(ports.port)],
    ...['--ui-port', String(ports.uiPort)],
    ...['--db-filename', dbFile],
    ...['--log-level', 'warn'],
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
    ...Object.entries(dynamicConfig).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
  ];
}

/** A server of ours is not to be steered by how the user's clients find theirs, nor to hold their key. */
function serverEnvironment(env: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

async function choosePort(explicit: number | undefined, preferred: number, exclude: number[]): Promise<number> {
  if (explicit === undefined) return (await isPortFree(preferred)) ? preferred : getPort({ exclude });
  if (await isPortFree(explicit)) return explicit;
  throw new ServerError('port-taken', `port ${explicit} is taken by another program; choose another or leave it out`);
}

/** What the server said last in this start, as the end of a sentence. */
async function lastLines(logFile: string, from: number): Promise<string> {
  const log = await readFile(logFile);
  const lines = log.subarray(from).toString('utf8').split('\n');
  const telling = lines.map((line) => /\bmsg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line.trim()).filter(Boolean);
  return telling.length === 0 ? '' : `: ${telling.slice(-3).join(' | ')}`;
}
