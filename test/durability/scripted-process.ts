/** The scripted model as a process of its own, which outlives whatever is killed and counts the calls it is asked for. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { LoggedCall, ScriptedStats } from '../../src/scripted-model/index.ts';
import { Tauflow, type Surroundings } from './processes.ts';

/** Behavior of the model, as its command has it. */
export interface Manners {
  /** @default '20ms' */
  readonly latency?: string;
  /** @default none */
  readonly faults?: string;
  /** Seed of the faults. @default 0 */
  readonly seed?: number;
  /** Folders of the packs that it plays. @default the shipped one */
  readonly pack?: string | null;
  /** Environment service whose tasks it plays. */
  readonly envUrl?: string | undefined;
}

const PATIENCE_MS = 120_000;

export class ScriptedProcess {
  /** Base URL, for `TAUFLOW_SCRIPTED_URL`. */
  readonly url: string;
  readonly #logFile: string;
  readonly #process: Tauflow;

  private constructor(url: string, logFile: string, process: Tauflow) {
    this.url = url;
    this.#logFile = logFile;
    this.#process = process;
  }

  static async start(name: string, surroundings: Surroundings, manners: Manners = {}): Promise<ScriptedProcess> {
    const { latency = '20ms', faults, seed = 0, pack = null, envUrl } = manners;
    const logFile = join(surroundings.cwd, `${name}-calls.jsonl`);
    const flags = ['--port', '0', '--latency', latency, '--seed', String(seed), '--log', logFile];
    if (faults !== undefined) flags.push('--faults', faults);
    if (pack !== null) flags.push('--pack', pack);
    if (envUrl !== undefined) flags.push('--env-url', envUrl);
    const process = Tauflow.start(['scripted-model', ...flags], surroundings);
    const [, url = ''] = await process.says(/scripted model at (\S+)/);
    return new ScriptedProcess(url, logFile, process);
  }

  async stats(): Promise<ScriptedStats> {
    const response = await fetch(new URL('/stats', this.url));
    return (await response.json()) as ScriptedStats;
  }

  /** Withholds the answers of all completions after so many; null lets all go. */
  async holdAfter(after: number | null): Promise<void> {
    const response = await fetch(new URL('/hold', this.url), { method: 'POST', body: JSON.stringify({ after }) });
    if (!response.ok) throw new Error(`the scripted model does not hold: ${await response.text()}`);
  }

  /** Polls until the figures are as wished, which is `client`'s doing. */
  async until(client: Tauflow, wish: (stats: ScriptedStats) => boolean): Promise<ScriptedStats> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const stats = await this.stats();
      if (wish(stats)) return stats;
      client.assertRunning();
      if (Date.now() > deadline) throw new Error(`the scripted model waits in vain: ${JSON.stringify(stats)}`);
      await delay(20);
    }
  }

  /** Every completed call, in order: also those whose client had gone. */
  async calls(): Promise<LoggedCall[]> {
    const text = await readFile(this.#logFile, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LoggedCall);
  }

  get pid(): number {
    return this.#process.pid;
  }

  end(): Promise<void> {
    return this.#process.kill();
  }
}
