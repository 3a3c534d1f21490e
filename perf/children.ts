/** Processes and folders that the benchmark has made: whatever happens, they are ended and removed, by pid and path. */

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isAlive, signal, waitForExit } from '../src/temporal/server/index.ts';

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

export interface SpawnOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
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
