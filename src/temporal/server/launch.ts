/** Starts a dev server process and waits until it is ready: its flags, its ports, its log. */

import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import getPort, { clearLockedPorts, portNumbers } from 'get-port';

import { searchAttributeKeys } from '../../../workflows/client.ts';
import { VIEW_PORT } from '../../episode/index.ts';
import { ServerError } from '../errors.ts';
import { readKeyRing } from '../codec/index.ts';
import type { Binary } from './binary.ts';
import { findDamage, recoveryMs } from './database.ts';
import { dynamicConfigFlags } from './dynamic-config.ts';
import { endProcess, isHealthy, withTimerSlack } from './processes.ts';
import { FILE_MODE, closeToOthers } from './state.ts';

export const loopback = '127.0.0.1';
export const defaultPort = 7233;
export const defaultUiPort = 8233;
/** Port of the endpoint that decrypts payloads for Temporal UI. */
export const defaultCodecPort = 8234;

/**
 * Time limit for a start, in ms. A server is ready in 0.15 s, in 1.2 s on a busy machine, and later with a long
 * write-ahead log.
 */
const readyTimeoutMs = 15_000;

/**
 * Time after which a server that does not report its start is treated as started, in ms. A server whose port is taken
 * ends sooner.
 */
const silenceMs = 2_000;

/**
 * Time by which the server's threads may sleep longer than requested, in ms. A thread of Go's runtime monitors the
 * other threads. It sleeps for 20 µs at a time while they begin and end work, which is a sixth of the server's CPU time
 * with few open episodes. Go has no setting for it.
 */
const TIMER_SLACK_MS = 4;

/** Size of the server's log in bytes, above which the next start begins a new one. */
const logLimit = 10 * 1024 * 1024;

export interface Ports {
  readonly port: number;
  readonly uiPort: number;
}

interface LaunchOptions {
  readonly binary: Binary;
  readonly ports: Ports;
  readonly dbFile: string;
  readonly logFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** Number of episodes that the command opens at once. */
  readonly maxConcurrency: number;
  /** Called when the server's process has been started, before waiting for the server. @default no call */
  readonly onSpawn?: (() => void) | undefined;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly pid: number;
}

/**
 * Chooses the ports: the preferred ones if they are free, otherwise other ports.
 * @throws ServerError `port-taken` when an `explicit` port is taken
 */
export async function choosePorts(explicit: Partial<Ports>, preferred: Ports): Promise<Ports> {
  const port = await choosePort(explicit.port, preferred.port, defaultPort, [explicit.uiPort ?? preferred.uiPort]);
  const uiPort = await choosePort(explicit.uiPort, preferred.uiPort, defaultUiPort, [
    port,
    defaultCodecPort,
    VIEW_PORT,
  ]);
  return { port, uiPort };
}

/** True if nothing listens on a port, on any address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  // The library does not name the same port again for a while; a server restarts within that time.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

/**
 * Starts the server as a process that outlives this one.
 *
 * @throws ServerError `start-failed`, or `port-taken` if another program took a port first
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { binary, ports, logFile, dbFile } = options;
  const damage = await findDamage(dbFile);
  if (damage !== null) throw damaged(dbFile, damage);
  const logSize = await readSize(logFile);
  const log = await open(logFile, logSize > logLimit ? 'w' : 'a', FILE_MODE);
  const logStart = logSize > logLimit ? 0 : logSize;
  // Its output goes to a file, because a pipe would break when this process ends, and the server with it.
  const child = withTimerSlack(TIMER_SLACK_MS, () =>
    spawn(binary.path, serverArgs(options), {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: serverEnvironment(options.env),
    }),
  );
  let ended: string | null = null;
  child.on('error', (error) => (ended ??= error.message));
  child.on('exit', (code, name) => (ended ??= name ?? `exit ${code}`));
  child.unref();
  await log.close();
  options.onSpawn?.();

  const patienceMs = readyTimeoutMs + (await recoveryMs(options.dbFile));
  const deadline = performance.now() + patienceMs;
  let answeredAt: number | null = null;
  while (ended === null && performance.now() < deadline) {
    if (await isAnswering(ports)) {
      answeredAt ??= performance.now();
      // Another program may have taken the ports and answer there; then our server is about to end.
      const isReady = (await hasAnnounced(logFile, logStart)) || performance.now() - answeredAt > silenceMs;
      if (isReady && ended === null && child.pid !== undefined) {
        // SQLite creates the other two with the permissions of the first.
        for (const suffix of ['', '-wal', '-shm']) await closeToOthers(`${options.dbFile}${suffix}`);
        await closeToOthers(logFile);
        return { child, pid: child.pid };
      }
    }
    await delay(50);
  }
  const output = await readFrom(logFile, logStart);
  const said = lastWords(output);
  if (ended === null && child.pid !== undefined) {
    await endProcess(child.pid, 1_000);
    throw new ServerError(
      'start-failed',
      `the local Temporal server was not ready after ${Math.round(patienceMs / 1_000)} s${said}; see ${logFile}`,
    );
  }
  if (/file is not a database|database disk image is malformed/.test(output))
    throw damaged(dbFile, 'SQLite cannot read it');
  // One of its ports, or of the ports for its internal services.
  if (output.includes('address already in use')) {
    throw new ServerError(
      'port-taken',
      `another program took a port of the local Temporal server while it started (${ports.port}, ${ports.uiPort}); try again`,
    );
  }
  throw new ServerError(
    'start-failed',
    `the local Temporal server ended while it started (${ended ?? 'no process'})${said}; see ${logFile}`,
  );
}

function damaged(dbFile: string, damage: string): ServerError {
  return new ServerError(
    'start-failed',
    `the database of the local Temporal server, ${dbFile}, is damaged (${damage}); \`tauflow server reset\` moves it ` +
      'aside, and runs are resumed from their run logs with `tauflow resume RUN`',
  );
}

/**
 * Pragmas of SQLite. `journal_size_limit` limits the write-ahead log's file after it has been written back, in bytes.
 */
const PRAGMAS = ['journal_mode=wal', 'synchronous=normal', 'journal_size_limit=67108864'];

/** Options that determine a server's flags. */
type ServerFlags = Pick<LaunchOptions, 'ports' | 'dbFile' | 'env' | 'maxConcurrency'> & {
  readonly binary: Pick<Binary, 'serverVersion'>;
};

/**
 * Returns the server's flags: a write-ahead log without a sync for each commit (a `kill -9` loses nothing), and the
 * settings of `dynamic-config.ts`. They decide between 0.5 and 7 episodes a second.
 */
export function serverArgs({ binary, ports, dbFile, env, maxConcurrency }: ServerFlags): string[] {
  return [
    'server',
    'start-dev',
    ...['--ip', loopback],
    ...['--port', String(ports.port)],
    ...['--ui-port', String(ports.uiPort)],
    ...['--db-filename', dbFile],
    ...['--log-level', 'warn'],
    ...searchAttributeKeys.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
    ...PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...(readKeyRing(env).length === 0 ? [] : ['--ui-codec-endpoint', `http://${loopback}:${defaultCodecPort}`]),
    ...dynamicConfigFlags(binary.serverVersion, maxConcurrency),
  ];
}

const NOT_FOR_SERVERS = /^(TEMPORAL|TAUFLOW)_|KEY|TOKEN|SECRET|PASSWORD/i;

/** Returns the environment without keys, and without variables that would change the server's addresses. */
function serverEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_SERVERS.test(name)));
}

async function choosePort(
  explicit: number | undefined,
  preferred: number,
  usual: number,
  exclude: number[],
): Promise<number> {
  const wanted = explicit ?? preferred;
  if (await isPortFree(wanted)) return wanted;
  if (explicit !== undefined) {
    throw new ServerError('port-taken', `port ${explicit} is taken by another program; choose another or leave it out`);
  }
  // Near the default port. The system uses its own range for connecting programs and the server's internal services, so
  // a port from that range could be taken before the server binds it, or when it restarts.
  return getPort({ port: portNumbers(usual, usual + 700), exclude });
}

/** True if a Temporal frontend answers, and a server on the UI's port. */
async function isAnswering({ port, uiPort }: Ports): Promise<boolean> {
  return (await isHealthy(`${loopback}:${port}`)) && (await isListening(uiPort));
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: loopback, port, timeout: 1_000 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}

/** True if the server's log reports that it has started. */
async function hasAnnounced(logFile: string, from: number): Promise<boolean> {
  return /^Server:/m.test(await readFrom(logFile, from));
}

async function readSize(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readFrom(file: string, from: number): Promise<string> {
  return (await readFile(file)).subarray(from).toString('utf8');
}

/** Returns the last lines of the server's log; after a crash, the lines with the reason, without the stack. */
function lastWords(log: string): string {
  const lines = log
    .split('\n')
    .map((line) => /\bmsg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line.trim())
    .filter((line) => line !== '');
  const crash = lines.findIndex((line) => /^(panic|fatal error):/.test(line));
  const last = crash === -1 ? lines.slice(-3) : lines.slice(Math.max(0, crash - 2), crash + 1);
  return last.length === 0 ? '' : `: ${last.join(' | ')}`;
}
