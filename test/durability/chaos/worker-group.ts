/** A group of worker processes of constant size: one that ends is replaced. */

import { setTimeout as delay } from 'node:timers/promises';
import { drawUnit } from '../../../src/scripted-model/case-code.ts';
import { Tauflow, type Surroundings } from '../processes.ts';
import { drawPause } from './injections.ts';

const READY = /worker on /;

export class WorkerGroup {
  /** Exits that the harness did not cause, with the last lines of the process. */
  readonly unexpected: string[] = [];
  /** Number of processes started. */
  started = 0;
  readonly #surroundings: Surroundings;
  readonly #dice: string;
  readonly #ready = new Set<Tauflow>();
  readonly #killed = new Set<Tauflow>();
  readonly #stop = new AbortController();
  #places: Promise<void>[] = [];

  constructor(surroundings: Surroundings, seed: number) {
    this.#surroundings = surroundings;
    this.#dice = `${seed} workers`;
  }

  /** Resolves when all are ready for work. */
  async open(count: number): Promise<void> {
    const firsts = Array.from({ length: count }, () => this.#start());
    await Promise.all(firsts.map((worker) => worker.says(READY)));
    this.#places = firsts.map((worker, place) => this.#keep(worker, place));
  }

  /** Kills `count` of the workers that are ready, or all if there are fewer. @returns the number killed */
  kill(count: number, dice: string): number {
    const victims = this.#draw(count, dice);
    for (const victim of victims) {
      this.#killed.add(victim);
      process.kill(victim.pid, 'SIGKILL');
    }
    return victims.length;
  }

  /** Asks one worker to end. @returns true if there was one */
  askToEnd(dice: string): boolean {
    const [victim] = this.#draw(1, dice);
    if (victim === undefined) return false;
    this.#killed.add(victim);
    void victim.terminate().then(({ code }) => {
      if (code !== 0) this.#note(`a worker that was asked to end left with ${code}`, victim);
    });
    return true;
  }

  /** Number of workers that are ready. */
  get size(): number {
    return this.#ready.size;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const worker of this.#ready) {
      this.#killed.add(worker);
      process.kill(worker.pid, 'SIGKILL');
    }
    await Promise.all(this.#places);
  }

  #draw(count: number, dice: string): Tauflow[] {
    const left = [...this.#ready].filter((worker) => !worker.isOver);
    const drawn: Tauflow[] = [];
    for (let i = 0; i < count && left.length > 0; i++) {
      drawn.push(...left.splice(Math.floor(drawUnit(`${dice} victim ${i}`) * left.length), 1));
    }
    for (const worker of drawn) this.#ready.delete(worker);
    return drawn;
  }

  #start(): Tauflow {
    this.started += 1;
    return Tauflow.start(['worker'], this.#surroundings);
  }

  async #keep(first: Tauflow, place: number): Promise<void> {
    const { signal } = this.#stop;
    let worker = first;
    for (let life = 0; ; life++) {
      await Promise.race([worker.says(READY).catch(() => undefined), worker.ended]);
      if (!worker.isOver && !signal.aborted) this.#ready.add(worker);
      else if (!worker.isOver) process.kill(worker.pid, 'SIGKILL');
      const { code } = await worker.ended;
      this.#ready.delete(worker);
      if (signal.aborted) return;
      if (!this.#killed.delete(worker)) this.#note(`a worker has ended by itself with ${code}`, worker);
      await delay(drawPause(`${this.#dice} ${place} ${life}`), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      worker = this.#start();
    }
  }

  #note(sentence: string, { printed }: Tauflow): void {
    if (this.#stop.signal.aborted) return;
    this.unexpected.push(`${sentence}: ${printed.trim().split('\n').slice(-3).join(' / ')}`);
  }
}
