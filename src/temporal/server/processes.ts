/**
 * Inspects processes that are not children of this one, and checks if a server is ready.
 *
 * A pid alone does not identify a process, because another program may have it now. The command line does, if the
 * system shows it: `/proc` on Linux (slim images have no `ps`), `ps` elsewhere; on Windows it stays unknown.
 */

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { isLoopback } from '../../io/index.ts';
import { ServerError } from '../errors.ts';

interface ProcessInfo {
  readonly pid: number;
  readonly args: readonly string[];
}

const run = promisify(execFile);

/** True if a process with this pid runs; false for a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !(await isZombie(pid));
}

/** Polls until the process has ended. @returns false when it still runs after `timeoutMs` */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(pid)) {
    if (performance.now() >= deadline) return false;
    await delay(25);
  }
  return true;
}

/** Sends the signal; ignores a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Ends a process: sends SIGTERM, and SIGKILL if it still runs after a while.
 *
 * @throws ServerError `stop-failed` if it still runs
 */
export async function endProcess(pid: number, patienceMs = 10_000): Promise<void> {
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    signal(pid, name);
    if (await waitForExit(pid, patienceMs)) return;
  }
  throw new ServerError('stop-failed', `process ${pid} does not end; look at what it waits for`);
}

/** File with the timer slack of the calling process's main thread, in ns; only Linux has it. */
const TIMER_SLACK = '/proc/self/timerslack_ns';

/**
 * Starts a process whose threads may sleep up to `slackMs` longer than requested, if the system supports it.
 * @param start starts the process before returning: this process has the setting only during the call, and children
 *   inherit it
 */
export function withTimerSlack<T>(slackMs: number, start: () => T): T {
  let before: string;
  try {
    before = readFileSync(TIMER_SLACK, 'utf8').trim();
    writeFileSync(TIMER_SLACK, String(slackMs * 1_000_000));
  } catch {
    // Without the setting, the process only takes more CPU time.
    return start();
  }
  try {
    return start();
  } finally {
    try {
      writeFileSync(TIMER_SLACK, before);
    } catch {
      // This process's own timers are then as late, which has no visible effect.
    }
  }
}

/** Finds processes with a Temporal dev server on a database file; null if the system does not list processes. */
export async function findServers(dbFile: string): Promise<readonly ProcessInfo[] | null> {
  const all = await listProcesses();
  return all?.filter((process) => isServing(process, dbFile)) ?? null;
}

/** True if a pid runs a Temporal dev server on a database file; null if the system does not show it. */
export async function isServerProcess(pid: number, dbFile: string): Promise<boolean | null> {
  return (await findServers(dbFile))?.some((server) => server.pid === pid) ?? null;
}

/** Returns the value of `--flag value` or `--flag=value` in a command line. */
export function flagValue(args: readonly string[], flag: string): string | null {
  for (const [index, arg] of args.entries()) {
    if (arg === flag) return args[index + 1] ?? null;
    if (arg.startsWith(`${flag}=`)) return arg.slice(flag.length + 1);
  }
  return null;
}

function isServing({ args }: ProcessInfo, dbFile: string): boolean {
  if (!args.includes('start-dev')) return false;
  // `ps` does not separate arguments, so a path with spaces is searched in the whole line.
  return [flagValue(args, '--db-filename'), flagValue(args, '-f')].includes(dbFile) || args.join(' ').includes(dbFile);
}

async function listProcesses(): Promise<readonly ProcessInfo[] | null> {
  if (process.platform === 'win32') return null;
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    return Promise.all(pids.map(async (pid) => ({ pid, args: await readArgs(pid) })));
  }
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,command='], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').flatMap((line) => {
    const [pid, ...args] = line.trim().split(/\s+/);
    return pid === undefined || pid === '' ? [] : [{ pid: Number(pid), args }];
  });
}

/** Reads a process's command line; empty for processes that have ended or cannot be inspected. */
async function readArgs(pid: number): Promise<readonly string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

/** True if the process was stopped (SIGSTOP, Ctrl-Z); false if the system does not show it. */
export async function isStopped(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false;
  // Slim images have no `ps`.
  if (process.platform === 'linux') return /^[Tt]/.test(await readState(pid));
  const { stdout } = await run('ps', ['-o', 'state=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return /^\s*T/.test(stdout);
}

/** Returns the state of a process, a letter as in `/proc/<pid>/stat`; empty for an ended process. */
async function readState(pid: number): Promise<string> {
  try {
    // `pid (name) state …`; the name may contain brackets.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}

async function isZombie(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    if (!/^Z|^$/.test(await readState(pid))) return false;
    // Its first thread may end first; until the last one has ended, the process holds its ports and files.
    return (await readdir(`/proc/${pid}/task`)).length <= 1;
  } catch {
    return true;
  }
}

const frontend = 'temporal.api.workflowservice.v1.WorkflowService';

/** grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING */
const serving = 1;

/**
 * @returns true if a Temporal frontend answers at the address and serves the namespace
 * @param address `host:port`, without TLS
 * @param timeoutMs time limit of each of the two requests
 */
export async function isHealthy(address: string, timeoutMs = 1_000, namespace = 'default'): Promise<boolean> {
  // A new connection each time, because a refused one waits a second before it tries again. Without retries, because
  // the caller decides how often to ask.
  const connection = Connection.lazy({ address, interceptors: [], ...withoutProxy(address) });
  const inTime = <T>(question: () => Promise<T>) => connection.withDeadline(Date.now() + timeoutMs, question);
  try {
    const health = await inTime(() => connection.healthService.check({ service: frontend }));
    if (Number(health.status) !== serving) return false;
    await inTime(() => connection.workflowService.describeNamespace({ namespace }));
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Returns options of a connection to a server on this machine, bypassing the proxy of `http_proxy`. */
export function withoutProxy(address: string): ConnectionOptions {
  return isLoopback(address) ? { channelArgs: { 'grpc.enable_http_proxy': 0 } } : {};
}
