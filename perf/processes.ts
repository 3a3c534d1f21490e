/** Processes and folders that the benchmark has made: whatever happens, they are ended and removed, by pid and path. */

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isAlive, signal, waitForExit } from '../src/temporal/server/index.ts';
import { readFileSync, writeFileSync } from 'node:fs';

/** Clean-up steps, newest first. */
const undo: (() => Promise<void>)[] = [];

/** @returns undoes it now, once */
export function onEnd(work: () => Promise<void>): () => Promise<void> {
  undo.push(work);
  return async () => {
    const at = undo.indexOf(work);
    if (at === -1) return;
    undo.splice(at, 1);
    await work();
  };
}

/** Undoes everything that is left. */
export async function endAll(): Promise<void> {
  for (let work = undo.pop(); work !== undefined; work = undo.pop()) await work();
}

export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Resolves with the exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The first line of output, of either kind, that matches; rejects when the process ends without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** The last lines it has printed. */
  tail(): string;
  end(): Promise<void>;
}

interface SpawnOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** User of the process, where it must not be root. */
  readonly uid?: number;
  readonly gid?: number;
}

const KEPT_LINES = 20;
const PATIENCE_MS = 10_000;

export function start(command: string, args: readonly string[], options: SpawnOptions): Child {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const kept: string[] = [];
  const watchers = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      kept.push(line);
      if (kept.length > KEPT_LINES) kept.shift();
      for (const watch of watchers) watch(line);
    });
  }
  const tail = () => kept.join('\n');
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${command} cannot be started: ${error.message}`)));
    child.once('close', resolve);
  });
  ended.catch(() => undefined);
  const pid = child.pid ?? 0;
  const end = onEnd(async () => {
    if (pid === 0 || child.exitCode !== null || child.signalCode !== null) return;
    signal(pid, 'SIGTERM');
    if (!(await waitForExit(pid, PATIENCE_MS)) && (await isAlive(pid))) signal(pid, 'SIGKILL');
  });
  return {
    pid,
    process: child,
    ended,
    tail,
    end,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (line: string) => {
          const match = pattern.exec(line);
          if (match === null) return;
          watchers.delete(watch);
          resolve(match);
        };
        kept.forEach(watch);
        watchers.add(watch);
        const fail = () => reject(new Error(`${[command, ...args].join(' ')} has ended early:\n${tail()}`));
        ended.then(fail, reject);
      }),
  };
}

/** USER_HZ: the kernel counts CPU time for user space in hundredths of a second on every Linux platform of Node's. */
const TICK_MS = 10;

// CPU time and memory of a process are read on Linux only. Elsewhere everything is null, and rows say so.

/** CPU time used so far, user and system, all threads. @unit milliseconds */
export function cpuMs(pid: number): number | null {
  return cpuFieldsMs(pid, 11);
}

/** CPU time of the processes that a process has started and that have ended. @unit milliseconds */
export function endedChildrenCpuMs(pid: number): number | null {
  return cpuFieldsMs(pid, 13);
}

/** @param first place of the user time, which the system time follows */
function cpuFieldsMs(pid: number, first: number): number | null {
  const stat = readProc(pid, 'stat');
  if (stat === null) return null;
  // `pid (name) state …`; the name may itself hold brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) * TICK_MS;
}

/** Resident memory now and at its peak. @unit bytes */
export function readMemory(pid: number): { readonly now: number; readonly peak: number } | null {
  const status = readProc(pid, 'status');
  if (status === null) return null;
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN);
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
}

/** A process and those below it. */
export function listTree(pid: number): number[] {
  const children = readProc(pid, `task/${pid}/children`)?.match(/\d+/g) ?? [];
  return [pid, ...children.map(Number).flatMap(listTree)];
}

/** Resident memory of processes that share some of it, which is counted once. @unit bytes */
export function readSharedMemory(pids: readonly number[]): number {
  const sizes = pids.map((pid) => /^Pss:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup') ?? '')?.[1] ?? 0);
  return sizes.reduce((total: number, size) => total + Number(size) * 1024, 0);
}

/** Starts the peak of {@link readMemory} anew; where that is not allowed the peak is that of the process's whole life. */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Not Linux, or not ours to reset.
  }
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Flags for a Node process whose memory {@link lookAt} is to see. */
export const PROBE_FLAGS = [
  '--expose-gc',
  '--require',
  fileURLToPath(new URL('./memory-probe.cjs', import.meta.url)),
] as const;

export interface MemoryLook {
  /** Episodes recorded. */
  readonly recorded: number;
  /** Memory in use in the heaps of all threads, right after a collection. @unit bytes */
  readonly live: number;
  /** Resident, right after a collection. @unit bytes */
  readonly resident: number;
}

/** @param look 1 for the process's first, and so on */
export async function lookAt(child: Child, look: number): Promise<Omit<MemoryLook, 'recorded'>> {
  signal(child.pid, 'SIGUSR2');
  const [, live, resident] = await child.line(new RegExp(`^memory ${look}: live (\\d+), resident (\\d+),`));
  return { live: Number(live), resident: Number(resident) };
}
