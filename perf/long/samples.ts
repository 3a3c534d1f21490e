/** Memory of processes during a sweep, sampled every few seconds. */

import { readdirSync } from 'node:fs';
import { memoryOf } from '../proc.ts';

export interface Sample {
  /** Since the start. @unit milliseconds */
  readonly atMs: number;
  /** Records in the run log. */
  readonly recorded: number;
  /** Resident memory by process; absent while it does not run. @unit bytes */
  readonly memory: Readonly<Record<string, number>>;
}

const EVERY_MS = 5_000;

export class Sampler {
  readonly samples: Sample[] = [];
  /** The processes that are looked at now, by name. */
  readonly pids: Record<string, number> = {};
  readonly #episodes: string;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #say: (line: string) => void;

  /** @param episodes the folder with the records */
  constructor(episodes: string, say: (line: string) => void) {
    this.#episodes = episodes;
    this.#say = say;
    this.#timer = setInterval(() => this.look(), EVERY_MS);
  }

  get recorded(): number {
    try {
      return readdirSync(this.#episodes).filter((name) => name.endsWith('.json')).length;
    } catch {
      // Not made yet.
      return 0;
    }
  }

  look(): void {
    const memory: Record<string, number> = {};
    for (const [name, pid] of Object.entries(this.pids)) {
      const now = memoryOf(pid)?.now;
      if (now !== undefined && Number.isFinite(now)) memory[name] = now;
    }
    const sample = { atMs: performance.now() - this.#startedAt, recorded: this.recorded, memory };
    this.samples.push(sample);
    if (this.samples.length % 6 === 1) this.#say(describe(sample));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A process's memory at each tenth of the episodes. @unit bytes */
  tenths(name: string): number[] {
    const total = this.samples.at(-1)?.recorded ?? 0;
    return Array.from({ length: 10 }, (_, tenth) => {
      const wanted = (total * (tenth + 1)) / 10;
      return this.samples.find(({ recorded, memory }) => recorded >= wanted && memory[name] !== undefined);
    }).flatMap((sample) => sample?.memory[name] ?? []);
  }

  peak(name: string): number {
    return this.samples.reduce((most, { memory }) => Math.max(most, memory[name] ?? 0), 0);
  }
}

function describe({ recorded, memory }: Sample): string {
  const sizes = Object.entries(memory).map(([name, bytes]) => `${name} ${Math.round(bytes / 1e6)} MB`);
  return `${recorded} episodes recorded; ${sizes.join(', ')}`;
}
