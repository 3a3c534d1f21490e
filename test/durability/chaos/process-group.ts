/** A group of like processes of constant size, workers or a service: one that ends is replaced. */

import { setTimeout as delay } from 'node:timers/promises';
import { drawFraction } from '../../../src/scripted-model/case-code.ts';
import type { Tauflow } from '../processes.ts';
import { killOneOf, processesBelow } from './below.ts';
import { drawPause } from './injections.ts';

/** Program that a group runs. */
export interface Kind {
  readonly name: 'worker' | 'agent' | 'environment';
  readonly start: () => Tauflow;
  /** Printed when it is ready for work. */
  readonly ready: RegExp;
}

export class ProcessGroup {
  /** Exits that the harness did not cause, with the last lines of the process. */
  readonly unexpected: string[] = [];
  /** Number of processes started. */
  started = 0;
  readonly #kind: Kind;
  readonly #dice: string;
  readonly #ready = new Set<Tauflow>();
  readonly #killed = new Set<Tauflow>();
  readonly #stop = new AbortController();
  #places: Promise<void>[] = [];

  constructor(kind: Kind, seed: number) {
    this.#kind = kind;
    this.#dice = `${seed} ${kind.name}s`;
  }

  /** Resolves when all are ready for work. */
  async open(count: number): Promise<void> {
    const firsts = Array.from({ length: count }, () => this.#start());
    await Promise.all(firsts.map((first) => first.says(this.#kind.ready)));
    this.#places = firsts.map((member, place) => this.#keep(member, place));
  }

  /** Kills `count` of the processes that are ready, or all if there are fewer. @returns the number killed */
  kill(count: number, dice: string): number {
    const victims = this.#draw(count, dice);
    for (const victim of victims) {
      this.#killed.add(victim);
      process.kill(victim.pid, 'SIGKILL');
    }
    return victims.length;
  }

  /** Kills one of those that a process has started. @returns the number killed */
  killBelow(dice: string): number {
    return killOneOf(this.#below(), dice);
  }

  /** Asks one process to end. @returns true if there was one */
  askToEnd(dice: string): boolean {
    const [victim] = this.#draw(1, dice);
    if (victim === undefined) return false;
    this.#killed.add(victim);
    void victim.terminate().then(({ code }) => {
      if (code !== 0) this.#note(`a ${this.#kind.name} that was asked to end left with ${code}`, victim);
    });
    return true;
  }

  /** Number of processes that are ready. */
  get size(): number {
    return this.#ready.size;
  }

  /** True if they have started others. */
  get hasMore(): boolean {
    return this.#below().length > 0;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const member of this.#ready) {
      this.#killed.add(member);
      process.kill(member.pid, 'SIGKILL');
    }
    await Promise.all(this.#places);
  }

  #below(): number[] {
    return [...this.#ready].flatMap(({ pid }) => processesBelow(pid));
  }

  #draw(count: number, dice: string): Tauflow[] {
    const left = [...this.#ready].filter((member) => !member.isOver);
    const drawn: Tauflow[] = [];
    for (let i = 0; i < count && left.length > 0; i++) {
      drawn.push(...left.splice(Math.floor(drawFraction(`${dice} victim ${i}`) * left.length), 1));
    }
    for (const member of drawn) this.#ready.delete(member);
    return drawn;
  }

  #start(): Tauflow {
    this.started += 1;
    return this.#kind.start();
  }

  async #keep(first: Tauflow, place: number): Promise<void> {
    const { signal } = this.#stop;
    let member = first;
    for (let life = 0; ; life++) {
      const isReady = member.says(this.#kind.ready).then(
        () => true,
        () => false,
      );
      const isThere = await Promise.race([isReady, member.left.then(() => false)]);
      if (isThere && !signal.aborted) this.#ready.add(member);
      else if (isThere) process.kill(member.pid, 'SIGKILL');
      const [code] = await member.left;
      this.#ready.delete(member);
      if (signal.aborted) return;
      if (!this.#killed.delete(member))
        this.#note(`a process (${this.#kind.name}) has ended by itself with ${code}`, member);
      await delay(drawPause(`${this.#dice} ${place} ${life}`), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      member = this.#start();
    }
  }

  #note(sentence: string, { printed }: Tauflow): void {
    if (this.#stop.signal.aborted) return;
    this.unexpected.push(`${sentence}: ${printed.trim().split('\n').slice(-3).join(' / ')}`);
  }
}
