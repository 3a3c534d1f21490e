/**
 * Looks at processes that are not children of this one: by `/proc` on Linux, because slim images have no `ps`, and by
 * `ps` elsewhere. Windows has neither.
 */

import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True if a process with this pid runs; false for a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (!(await readState(pid)).startsWith('Z')) return true;
  // Its first thread may end first; until the last one has ended, the process has its ports and files.
  return (await readdir(`/proc/${pid}/task`).catch(() => [])).length > 1;
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

/** True if the process was stopped (SIGSTOP, Ctrl-Z); false if the system does not show it. */
export async function isStopped(pid: number): Promise<boolean> {
  return /^[Tt]/.test(await readState(pid));
}

/** Sends the signal; ignores a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns a process's command line; empty for an ended process, null if the system does not show it. */
export async function readCommandLine(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  return process.platform === 'linux' ? readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : ps(pid, 'command');
}

/** Returns a letter for the process's state, as `ps` prints it; empty if the system does not show it. */
async function readState(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ps(pid, 'state');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // `pid (name) state …`; the name may contain brackets.
  return stat.slice(stat.lastIndexOf(')') + 2);
}

async function ps(pid: number, column: string): Promise<string> {
  const { stdout } = await run('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim();
}
