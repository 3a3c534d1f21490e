/** Starts a dev server's process and waits until it is ready: its flags, its environment, its log. */

import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { searchAttributeKeys } from '../../../workflows/client.ts';
import { ServerError } from '../errors.ts';
import { readKeyRing } from '../codec/index.ts';
import type { Binary } from './binary.ts';
import { findDamage, recoveryMs } from './database.ts';
import { dynamicConfigFlags } from './dynamic-config.ts';
import { isHealthy } from './health.ts';
import { FILE_MODE } from './lock.ts';
import { DEFAULT_CODEC_PORT, LOOPBACK, type Ports } from './ports.ts';
import { lockDatabase, signalServer, withPid } from './server-process.ts';

/**
 * Time limit for a start, in ms. A server is ready in 0.15 s, in 1.2 s on a busy machine, and later with a long
 * write-ahead log.
 */
const READY_MS = 15_000;

/**
 * Time after which a server that does not report its start is treated as started, in ms. A server whose port is taken
 * ends sooner.
 */
const SILENCE_MS = 2_000;

const POLL_MS = 50;

/** Size of the server's log in bytes, above which the next start begins a new one. */
const LOG_LIMIT = 10 * 1024 * 1024;

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

/**
 * Starts the server as a process that outlives this one.
 *
 * @throws ServerError `start-failed`, `database-in-use`, or `port-taken` if another program took a port first
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess> {
  const { ports, logFile, dbFile } = options;
  const damage = await findDamage(dbFile);
  if (damage !== null) throw damaged(dbFile, damage);
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  const logStart = size > LOG_LIMIT ? 0 : size;
  const server = await spawnServer(options, logStart === 0 ? 'w' : 'a');
  const { child } = server;
  child.unref();
  options.onSpawn?.();

  const limitMs = READY_MS + (await recoveryMs(dbFile));
  const deadline = performance.now() + limitMs;
  let answeredAt: number | null = null;
  while (server.end === null && performance.now() < deadline) {
    if (await isHealthy(`${LOOPBACK}:${ports.port}`)) {
      answeredAt ??= performance.now();
      // Another program may have taken the ports and answer there; then our server is about to end.
      const hasAnnounced = /^Server:/m.test(await readFrom(logFile, logStart));
      if ((hasAnnounced || performance.now() - answeredAt > SILENCE_MS) && server.end === null) return child;
    }
    await delay(POLL_MS);
  }
  if (child.pid !== undefined) signalServer(child.pid, 'SIGKILL');
  throw failedStart(options, await readFrom(logFile, logStart), server.end ?? Math.round(limitMs / 1_000));
}

interface SpawnedServer {
  readonly child: ChildProcess;
  /** How the process ended; null while it runs. */
  end: string | null;
}

async function spawnServer(options: LaunchOptions, logFlags: 'w' | 'a'): Promise<SpawnedServer> {
  const lock = await lockDatabase(options.dbFile);
  try {
    const log = await open(options.logFile, logFlags, FILE_MODE);
    try {
      const [program, args] = withPid(options.binary.path, serverArgs(options));
      // Its output goes to a file, because a pipe would break when this process ends, and the server with it.
      const stdio = ['ignore', log.fd, log.fd, lock.fd] as const;
      const env = serverEnvironment(options.env);
      const child = spawn(program, args, { detached: true, stdio: [...stdio], env });
      const server: SpawnedServer = { child, end: null };
      // Before the next await, during which the process may end.
      child.on('error', (error) => (server.end ??= error.message));
      child.on('exit', (code, name) => (server.end ??= name ?? `exit ${code}`));
      return server;
    } finally {
      await log.close();
    }
  } finally {
    await lock.close();
  }
}

/** @param end how the server ended, or the seconds in which it was not ready */
function failedStart({ ports, dbFile, logFile }: LaunchOptions, log: string, end: string | number): ServerError {
  if (/file is not a database|database disk image is malformed/.test(log)) {
    return damaged(dbFile, 'SQLite cannot read it');
  }
  // One of its ports, or of the ports for its internal services.
  if (log.includes('address already in use')) {
    return new ServerError(
      'port-taken',
      `another program took a port of the local Temporal server while it started (${ports.port}, ${ports.uiPort}); try again`,
    );
  }
  const event = typeof end === 'string' ? `ended while it started (${end})` : `was not ready after ${end} s`;
  return new ServerError('start-failed', `the local Temporal server ${event}${lastLines(log)}; see ${logFile}`);
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
    ...['--ip', LOOPBACK],
    ...['--port', String(ports.port)],
    ...['--ui-port', String(ports.uiPort)],
    ...['--db-filename', dbFile],
    ...['--log-level', 'warn'],
    ...searchAttributeKeys.flatMap(({ name, type }) => ['--search-attribute', `${name}=${type}`]),
    ...PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...(readKeyRing(env).length === 0 ? [] : ['--ui-codec-endpoint', `http://${LOOPBACK}:${DEFAULT_CODEC_PORT}`]),
    ...dynamicConfigFlags(binary.serverVersion, maxConcurrency),
  ];
}

const NOT_FOR_SERVERS = /^(TEMPORAL|TAUFLOW)_|KEY|TOKEN|SECRET|PASSWORD/i;

/** Returns the environment without keys, and without variables that would change the server's addresses. */
function serverEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_SERVERS.test(name)));
}

async function readFrom(file: string, from: number): Promise<string> {
  return (await readFile(file)).subarray(from).toString('utf8');
}

/** Returns the last lines of the server's log; after a crash, the lines with the reason, without the stack. */
function lastLines(log: string): string {
  const lines = log
    .split('\n')
    .map((line) => /\bmsg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line.trim())
    .filter((line) => line !== '');
  const crash = lines.findIndex((line) => /^(panic|fatal error):/.test(line));
  const last = crash === -1 ? lines.slice(-3) : lines.slice(Math.max(0, crash - 2), crash + 1);
  return last.length === 0 ? '' : `: ${last.join(' | ')}`;
}
