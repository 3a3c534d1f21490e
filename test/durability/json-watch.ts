/** Reads a run's files again and again while it goes on, as a dashboard would, and remembers any that is torn. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface WatchReport {
  /** Number of times that the results file was there, had been replaced, and was read. */
  readonly reads: number;
  /** Different contents of it. */
  readonly versions: number;
  /** Files that were not JSON when they were read. */
  readonly torn: readonly string[];
}

export class JsonWatch {
  #reads = 0;
  #torn: string[] = [];
  readonly #versions = new Set<number>();
  readonly #checked = new Set<string>();
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;
  readonly #results: string;
  readonly #episodes: string;
  /** Small files that are replaced now and then. */
  readonly #others: readonly string[];
  readonly #everyMs: number;
  /** State of each file when it was last read: one that has not been replaced is not read again. */
  readonly #seen = new Map<string, string>();

  /** @param everyMs how often to look */
  constructor(folder: string, runId: string, everyMs = 10) {
    const results = join(folder, 'results');
    this.#results = join(results, `${runId}.json`);
    this.#episodes = join(results, runId, 'episodes');
    this.#others = ['run.json', 'metrics.json'].map((name) => join(results, runId, name));
    this.#everyMs = everyMs;
    this.#watching = this.#watch();
  }

  async end(): Promise<WatchReport> {
    this.#stop.abort();
    await this.#watching;
    await this.#look();
    return { reads: this.#reads, versions: this.#versions.size, torn: this.#torn };
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#look();
      await delay(this.#everyMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const text = await this.#read(this.#results);
    if (text !== null) {
      this.#reads += 1;
      this.#versions.add(text.length);
    }
    for (const file of this.#others) await this.#read(file);
    for (const name of await readdir(this.#episodes).catch(() => [])) {
      // A finished record never changes; what a killed writer leaves has another name.
      if (!/^task-\d+\.trial-\d+\.json$/.test(name) || this.#checked.has(name)) continue;
      this.#checked.add(name);
      await this.#read(join(this.#episodes, name));
    }
  }

  async #read(file: string): Promise<string | null> {
    const known = await stat(file).catch(() => null);
    if (known === null) return null;
    const version = `${known.ino} ${known.size} ${known.mtimeMs}`;
    if (this.#seen.get(file) === version) return null;
    this.#seen.set(file, version);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      JSON.parse(text);
    } catch {
      this.#torn.push(`${file} (${text.length} characters)`);
    }
    return text;
  }
}
