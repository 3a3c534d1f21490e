/** One tool does its work to the end: undisturbed, or with failures and a person who types the next command. */

import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { signal, waitForExit } from '../../src/temporal/server/index.ts';
import { start, type Child } from '../processes.ts';
import { cleanEnvironment } from '../sweep.ts';
import { mountDisk, type Disk } from './disk.ts';
import type { Failure, PlannedFailure } from './failures.ts';
import { startProvider, type Provider } from './provider.ts';
import type { Tool, Work } from './tool.ts';

export interface SessionSpec {
  readonly tasks: readonly number[];
  readonly concurrency: number;
  /** Time that the model takes for an answer. @unit milliseconds */
  readonly latencyMs: number;
  readonly failures: readonly PlannedFailure[];
  readonly outageMs: number;
  readonly fullDiskMs: number;
}

export interface Session {
  readonly seconds: number;
  /** Answers billed, by a digest of their request. */
  readonly billed: ReadonlyMap<string, number>;
  readonly happened: readonly (Failure & { readonly second: number })[];
  /** Commands that a person typed: each start of the tool, each new key, each Ctrl-C. */
  readonly commands: number;
  /** Those for which the person had to read the results files and list what is left. */
  readonly listedByHand: number;
  /** Episodes that a failure ended and that the tool's results had with reward 0. */
  readonly scoredZero: number;
  /** Episodes that had a result which a later failure destroyed. */
  readonly resultsLost: number;
  readonly solved: number;
}

/** Time until a person sees that a command has ended, and types the next. */
const REACTION_MS = 2_000;
/** Time until a person sees that a command which goes on gets nothing but refusals, and ends it. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 20;
/** Commands in a row that make no call. */
const MOST_USELESS = 5;

/** @param calls of an undisturbed session, by which the failures find their moments */
export async function runSession(
  tool: Tool,
  spec: SessionSpec,
  calls: number,
  say: (line: string) => void,
): Promise<Session> {
  const provider = await startProvider([tool.pack], spec.latencyMs);
  const disk = await mountDisk();
  try {
    return await new Run(tool, spec, provider, disk, say).finish(calls);
  } finally {
    for (const pid of processesOf(disk.folder)) signal(pid, 'SIGKILL');
    await provider.close();
    await disk.remove();
  }
}

class Run {
  readonly #tool: Tool;
  readonly #spec: SessionSpec;
  readonly #provider: Provider;
  readonly #disk: Disk;
  readonly #say: (line: string) => void;
  readonly #began = performance.now();
  readonly #happened: Session['happened'][number][] = [];
  /** The work that goes on; null while nobody has typed the next command. */
  #child: Child | null = null;
  /** Answers billed when the child began. */
  #billedBefore = 0;
  /** Until it resolves no person types a command that is bound to fail. */
  #hindrance: Promise<void> = Promise.resolve();
  #key: string;
  #isOver = false;

  constructor(tool: Tool, spec: SessionSpec, provider: Provider, disk: Disk, say: (line: string) => void) {
    this.#tool = tool;
    this.#spec = spec;
    this.#provider = provider;
    this.#disk = disk;
    this.#say = say;
    this.#key = provider.key;
  }

  async finish(calls: number): Promise<Session> {
    const injecting = this.#inject(calls);
    const { rewards, ...counts } = await this.#work();
    const seconds = (performance.now() - this.#began) / 1000;
    this.#isOver = true;
    await injecting;
    const solved = [...rewards.values()].filter((reward) => reward === 1).length;
    return { seconds, billed: this.#provider.billed, happened: this.#happened, solved, ...counts };
  }

  async #work() {
    const { tasks, concurrency } = this.#spec;
    const { folder } = this.#disk;
    const counts = { commands: 0, listedByHand: 0, scoredZero: 0, resultsLost: 0 };
    let rewards: ReadonlyMap<number, number> = new Map();
    let useless = 0;
    for (;;) {
      const work: Work = { folder, tasks, concurrency, left: tasks.filter((id) => !rewards.has(id)) };
      await this.#hindrance;
      if (this.#key !== this.#provider.key) counts.commands += 1;
      this.#key = this.#provider.key;
      counts.commands += 1;
      if (this.#tool.isListedByHand && counts.commands > 1) counts.listedByHand += 1;
      const { code, wasInterrupted, tail } = await this.#type(work);
      if (wasInterrupted) counts.commands += 1;
      const results = await this.#tool.read(work);
      const lost = [...rewards.keys()].filter((id) => !results.rewards.has(id)).length;
      counts.resultsLost += lost;
      counts.scoredZero = Math.max(counts.scoredZero, results.scoredZero);
      rewards = results.rewards;
      this.#say(
        `${this.#tool.name}: command ended with ${code ?? 'SIGKILL'}; ${rewards.size} of ${tasks.length} episodes`,
      );
      if (rewards.size === tasks.length && code === 0) return { rewards, ...counts };
      useless = countBilled(this.#provider) > this.#billedBefore ? 0 : useless + 1;
      if (useless > MOST_USELESS) throw new Error(`${this.#tool.name} does not continue:\n${tail}`);
      await delay(REACTION_MS);
    }
  }

  async #type(work: Work): Promise<{ code: number | null; wasInterrupted: boolean; tail: string }> {
    const { folder } = work;
    const { program, args, env } = await this.#tool.command(work);
    this.#billedBefore = countBilled(this.#provider);
    const child = start(program, args, {
      cwd: folder,
      env: {
        ...cleanEnvironment(),
        HOME: folder,
        TMPDIR: folder,
        TAUFLOW_HOME: folder,
        OPENAI_API_KEY: this.#key,
        OPENAI_BASE_URL: this.#provider.url,
        OPENAI_API_BASE: this.#provider.url,
        NO_PROXY: '127.0.0.1',
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        PYTHONUNBUFFERED: '1',
        ...env,
      },
    });
    this.#child = child;
    let hasEnded = false;
    const ended = child.ended.finally(() => (hasEnded = true));
    const interrupting = this.#interrupt(child, () => hasEnded);
    const code = await ended;
    this.#child = null;
    return { code, wasInterrupted: await interrupting, tail: child.tail() };
  }

  /** Presses Ctrl-C, and again, once a command has had its key refused for too long. */
  async #interrupt({ pid }: Child, hasEnded: () => boolean): Promise<boolean> {
    const isRefused = () => this.#key !== this.#provider.key && this.#provider.refused > 0;
    let since = Infinity;
    let presses = 0;
    for (; !hasEnded(); await delay(LOOK_MS)) {
      if (!isRefused()) continue;
      since = Math.min(since, Date.now());
      if (Date.now() - since < PATIENCE_MS + presses * REACTION_MS) continue;
      signal(pid, presses < 5 ? 'SIGINT' : 'SIGKILL');
      presses += 1;
    }
    return presses > 0;
  }

  async #inject(calls: number): Promise<void> {
    for (const failure of this.#spec.failures) {
      // A tool that has not begun again since the last failure would not notice this one.
      const isDue = () =>
        this.#provider.billed.size >= failure.at * calls &&
        this.#child !== null &&
        countBilled(this.#provider) > this.#billedBefore;
      while (!this.#isOver && !isDue()) await delay(LOOK_MS);
      if (this.#isOver) return;
      const second = Math.round((performance.now() - this.#began) / 1000);
      this.#happened.push({ ...toFailure(failure), second });
      this.#say(`${this.#tool.name}: ${failure.kind} after ${second} s`);
      await this.#happen(failure);
    }
  }

  /** @returns resolves when the next may come */
  async #happen(failure: PlannedFailure): Promise<void> {
    const { outageMs, fullDiskMs } = this.#spec;
    if (failure.kind === 'kill') {
      const pids = processesOf(this.#disk.folder);
      const one = pids[Math.floor(failure.dice * pids.length)];
      const victims = failure.of === 'all' || one === undefined ? pids : [one];
      for (const pid of victims) signal(pid, 'SIGKILL');
      await Promise.all(victims.map((pid) => waitForExit(pid, PATIENCE_MS)));
      this.#billedBefore = countBilled(this.#provider);
      return;
    }
    if (failure.kind === 'revoked key') {
      this.#provider.revokeKey();
      while (!this.#isOver && this.#key !== this.#provider.key) await delay(LOOK_MS);
      return;
    }
    this.#hindrance = failure.kind === 'outage' ? this.#provider.outage(outageMs) : this.#disk.fill(fullDiskMs);
    await this.#hindrance;
  }
}

function toFailure(failure: PlannedFailure): Failure {
  return failure.kind === 'kill' ? { kind: failure.kind, of: failure.of } : { kind: failure.kind };
}

function countBilled({ billed }: Provider): number {
  return [...billed.values()].reduce((sum, times) => sum + times, 0);
}

/** Processes whose home is the folder, from Linux's /proc: a tool's, whatever started them. */
function processesOf(home: string): number[] {
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
