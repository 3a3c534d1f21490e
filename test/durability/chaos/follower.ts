/** The command that follows the run. When it is killed or exits, the resume command that it printed is started. */

import { setTimeout as delay } from 'node:timers/promises';
import { Tauflow, type Ended, type Surroundings } from '../processes.ts';
import { drawPause } from './injections.ts';

/** Resumes in a row without a kill in between, after which the run counts as broken. */
const MOST_FAILURES = 5;
const LOOK_MS = 100;

export class Follower {
  /** Resolves when the run is done, with what the last command said. Rejects when it cannot be. */
  readonly done: Promise<Tauflow>;
  /** Number of times that the run was resumed. */
  resumed = 0;
  /** Exits of commands that were not killed, with their last lines. */
  readonly unexpected: string[] = [];
  readonly #surroundings: Surroundings;
  readonly #dice: string;
  readonly #isAwaited: () => boolean;
  readonly #stop = new AbortController();
  #now: Tauflow;
  #isKilled = false;

  /** @param isAwaited true while no command can start, because the agent that it checks is not there */
  constructor(args: readonly string[], surroundings: Surroundings, seed: number, isAwaited: () => boolean) {
    this.#isAwaited = isAwaited;
    this.#surroundings = surroundings;
    this.#dice = `${seed} follower`;
    this.#now = Tauflow.start(args, surroundings);
    this.done = this.#follow(args);
    this.done.catch(() => undefined);
  }

  /** True while a command runs that has started or found the sweep. */
  get isFollowing(): boolean {
    return !this.#now.isOver && this.#now.saidResume !== null;
  }

  get pid(): number {
    return this.#now.pid;
  }

  /** @returns whether there was one to kill */
  kill(): boolean {
    if (this.#now.isOver) return false;
    this.#isKilled = true;
    process.kill(this.#now.pid, 'SIGKILL');
    return true;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    if (!this.#now.isOver) process.kill(this.#now.pid, 'SIGKILL');
    await this.done.catch(() => undefined);
  }

  async #follow(args: readonly string[]): Promise<Tauflow> {
    let resume: string | null = null;
    let failures = 0;
    for (let life = 0; ; life++) {
      const ended = await this.#now.ended;
      if (this.#stop.signal.aborted) throw new Error('the follower was closed');
      if (ended.code === 0) return this.#now;
      resume = this.#now.saidResume ?? resume;
      failures = this.#isKilled ? 0 : failures + 1;
      if (!this.#isKilled) this.#note(ended);
      if (failures >= MOST_FAILURES) throw new Error(`the run cannot be resumed:\n${this.#now.printed}`);
      this.#isKilled = false;
      await delay(drawPause(`${this.#dice} ${life}`), undefined, { signal: this.#stop.signal });
      while (this.#isAwaited()) await delay(LOOK_MS, undefined, { signal: this.#stop.signal });
      // Killed before it printed its resume command: the same command is started again.
      this.#now = resume === null ? Tauflow.start(args, this.#surroundings) : Tauflow.type(resume, this.#surroundings);
      this.resumed += 1;
    }
  }

  #note({ code, signal }: Ended): void {
    const last = this.#now.printed.trim().split('\n').slice(-2).join(' / ');
    this.unexpected.push(`the command has left with ${code ?? signal ?? 'nothing'}: ${last}`);
  }
}
