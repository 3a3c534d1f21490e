/** One tool does its work to the end: undisturbed, or with failures and a person who types the next command. */

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { signal, waitForExit } from '../../src/temporal/server/index.ts';
import { onEnd, start, type Child } from '../processes.ts';
import { cleanEnvironment } from '../sweep.ts';
import { startProvider } from './provider.ts';
import type { Tool, Work } from './tools.ts';

export interface PlannedFailure {
  /** A kill is a SIGKILL to one of the tool's processes, or to all at once, as a crash of the machine would end them. */
  readonly kind: 'kill of one' | 'kill of all' | 'full disk' | 'outage' | 'revoked key';
  /** Share of an undisturbed run's calls that have been answered, in (0, 1). */
  readonly at: number;
  /** A number in [0, 1) that chooses the process. */
  readonly dice: number;
}

export interface SessionSpec {
  readonly tasks: readonly number[];
  readonly concurrency: number;
  /** Time that the model takes for an answer. @unit milliseconds */
  readonly latencyMs: number;
  readonly failures: readonly PlannedFailure[];
  readonly outageMs: number;
  readonly fullDiskMs: number;
}

/** Time until a person sees that a command has ended, and types the next. */
const REACTION_MS = 2_000;
/** Time until a person sees that a command which goes on gets nothing but refusals, and ends it. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 20;
/** More than any tool needs: beyond it the tool does not continue. */
const MOST_COMMANDS = 60;

/**
 * @param calls of an undisturbed session, by which the failures find their moments
 * @throws Error if the tool does not come to its end
 */
export async function runSession(tool: Tool, spec: SessionSpec, calls: number, say: (line: string) => void) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const figures = { scored_zero: 0, results_lost: 0, solved: 0, commands: 0, commands_listed_by_hand: 0 };
  const failures: { readonly kind: PlannedFailure['kind']; readonly second: number }[] = [];
  const { folder, remove } = mountDisk();
  const provider = await startProvider(tool.pack, spec.latencyMs);
  const countBilled = () => [...provider.billed.values()].reduce((sum, times) => sum + times, 0);
  /** The work that goes on; null while nobody has typed the next command. */
  let child: Child | null = null;
  /** Answers billed when the child began. */
  let billedBefore = 0;
  /** Until it resolves no person types a command that is bound to fail. */
  let hindrance = Promise.resolve();
  /** The key that the person has. */
  let key = provider.key;
  let isOver = false;

  /** Starts the tool's command. @returns its exit code, and its last lines */
  async function type(work: Work): Promise<{ code: number | null; tail: string }> {
    const { program, args, env } = tool.command(work);
    billedBefore = countBilled();
    const started = start(program, args, {
      cwd: folder,
      env: {
        ...cleanEnvironment(),
        HOME: folder,
        TMPDIR: folder,
        TAUFLOW_HOME: folder,
        OPENAI_API_KEY: key,
        OPENAI_BASE_URL: provider.url,
        OPENAI_API_BASE: provider.url,
        NO_PROXY: '127.0.0.1',
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        PYTHONUNBUFFERED: '1',
        ...env,
      },
    });
    child = started;
    void interrupt(started);
    const code = await started.ended;
    child = null;
    return { code, tail: started.tail() };
  }

  /** Presses Ctrl-C, and again, once a command has had its key refused for too long. */
  async function interrupt(started: Child): Promise<void> {
    let since = Infinity;
    for (let presses = 0; child === started; await delay(LOOK_MS)) {
      if (key === provider.key || provider.refused === 0) continue;
      since = Math.min(since, Date.now());
      if (Date.now() - since < PATIENCE_MS + presses * REACTION_MS) continue;
      if (presses === 0) figures.commands += 1;
      signal(started.pid, presses < 5 ? 'SIGINT' : 'SIGKILL');
      presses += 1;
    }
  }

  /** @returns resolves when the next failure may come */
  async function disturb({ kind, dice }: PlannedFailure): Promise<void> {
    if (kind === 'full disk') await (hindrance = fillDisk(folder, spec.fullDiskMs));
    else if (kind === 'outage') {
      provider.isOut = true;
      await (hindrance = delay(spec.outageMs));
      provider.isOut = false;
    } else if (kind === 'revoked key') {
      provider.revokeKey();
      while (!isOver && key !== provider.key) await delay(LOOK_MS);
    } else {
      const pids = listProcesses(folder);
      const one = pids[Math.floor(dice * pids.length)];
      const victims = kind === 'kill of all' || one === undefined ? pids : [one];
      for (const pid of victims) signal(pid, 'SIGKILL');
      await Promise.all(victims.map((pid) => waitForExit(pid, PATIENCE_MS)));
      billedBefore = countBilled();
    }
  }

  async function disturbAll(): Promise<void> {
    for (const failure of spec.failures) {
      // A tool that has not begun again since the last failure would not notice this one.
      const isDue = () => provider.billed.size >= failure.at * calls && child !== null && countBilled() > billedBefore;
      while (!isOver && !isDue()) await delay(LOOK_MS);
      if (isOver) return;
      failures.push({ kind: failure.kind, second: seconds() });
      say(`${tool.name}: ${failure.kind} after ${seconds()} s`);
      await disturb(failure);
    }
  }

  async function work(): Promise<void> {
    const { tasks, concurrency } = spec;
    let rewards: ReadonlyMap<number, number> = new Map();
    for (;;) {
      await hindrance;
      if (key !== provider.key) figures.commands += 1;
      key = provider.key;
      figures.commands += 1;
      if (tool.isListedByHand === true && figures.commands > 1) figures.commands_listed_by_hand += 1;
      const place = { folder, tasks, concurrency, left: tasks.filter((id) => !rewards.has(id)) };
      const { code, tail } = await type(place);
      const results = await tool.read(place);
      figures.results_lost += [...rewards.keys()].filter((id) => !results.rewards.has(id)).length;
      figures.scored_zero = Math.max(figures.scored_zero, results.scoredZero ?? 0);
      rewards = results.rewards;
      say(`${tool.name}: command ended with ${code ?? 'SIGKILL'}; ${rewards.size} of ${tasks.length} episodes`);
      figures.solved = [...rewards.values()].filter((reward) => reward === 1).length;
      if (rewards.size === tasks.length && code === 0) return;
      if (figures.commands >= MOST_COMMANDS) throw new Error(`${tool.name} does not continue:\n${tail}`);
      await delay(REACTION_MS);
    }
  }

  try {
    const disturbing = disturbAll();
    await work();
    isOver = true;
    const took = seconds();
    await disturbing;
    return { seconds: took, billed: provider.billed, ...figures, failures };
  } finally {
    isOver = true;
    for (const pid of listProcesses(folder)) signal(pid, 'SIGKILL');
    await provider.close();
    await remove();
  }
}

/**
 * Mounts a small file system (tmpfs) for everything that a tool writes.
 * @throws Error where that is not allowed, which root may on Linux
 */
export function mountDisk(): { readonly folder: string; readonly remove: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'tauflow-crashes-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder], { stdio: 'pipe' });
  const remove = onEnd(async () => {
    // Lazy: a process that was killed a moment ago may still be in it.
    execFileSync('umount', ['-l', folder]);
    rmdirSync(folder);
    await Promise.resolve();
  });
  return { folder, remove };
}

/** Keeps a disk full. @returns resolves when there is space again */
async function fillDisk(folder: string, ms: number): Promise<void> {
  const ballast = join(folder, 'another-program.log');
  const fd = openSync(ballast, 'a');
  // Again and again: what is freed meanwhile is filled too.
  for (const until = Date.now() + ms; Date.now() < until; await delay(LOOK_MS)) writeUntilFull(fd);
  closeSync(fd);
  rmSync(ballast);
}

const BLOCK = Buffer.alloc(4096);

function writeUntilFull(fd: number): void {
  try {
    while (writeSync(fd, BLOCK) === BLOCK.length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

/** @returns processes whose home is the folder, from Linux's /proc: a tool's, whatever started them */
function listProcesses(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readEnvironment(name).split('\0').includes(`HOME=${home}`))
    .map(Number)
    .sort((a, b) => a - b);
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
