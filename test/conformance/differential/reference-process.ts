/** A process of the Python reference that answers one question after the other. */

import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const ADAPTER = fileURLToPath(new URL('adapter.py', import.meta.url));

/** A Python 3.11; the texts of exceptions are those of that version. */
const PYTHON = process.env['TAU_BENCH_PYTHON'] ?? 'python3';

/** An action as it is sent: its arguments are the JSON text that a model would have written. */
export interface SentAction {
  readonly name: string;
  readonly kwargs: string;
}

export type ReferenceStep = { readonly observation: string } | { readonly raised: string; readonly message?: string };

export interface ReferenceRun {
  readonly steps: readonly ReferenceStep[];
  /** The data hash after the last step. */
  readonly hash: string;
}

/** Python's reading of a text: JSON's values come back as several texts. */
export type Answer = { readonly result: unknown } | { readonly raised: string; readonly message: string };
export type PythonFunction = 'json' | 'lower' | 'strip' | 'int' | 'float' | 'round2' | 'printable';

/** The reason why this machine has nothing to compare with; null when it has. */
export function whyNoReference(): string | null {
  const checkout = process.env['TAU_BENCH_DIR'];
  if (checkout === undefined) return 'set TAU_BENCH_DIR to a checkout of tau-bench';
  if (!existsSync(join(checkout, 'tau_bench/envs/base.py'))) return `no tau-bench checkout in ${checkout}`;
  const { stdout } = spawnSync(PYTHON, ['--version'], { encoding: 'utf8' });
  if (typeof stdout !== 'string') return `no ${PYTHON}; set TAU_BENCH_PYTHON to a Python 3.11`;
  return stdout.startsWith('Python 3.11.') ? null : `${PYTHON} is not Python 3.11; set TAU_BENCH_PYTHON to one that is`;
}

/** Starts with the first question, and ends with `end`. */
export class ReferenceProcess {
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #lines: AsyncIterator<string> | undefined;

  /** Names the domain of the following sequences. @param tables JSON text; null for the checkout's own data */
  async open(domain: string, tables: string | null): Promise<void> {
    await this.#ask({ request: 'open', domain, tables });
  }

  /** Takes actions one after the other, from fresh tables. */
  async run(actions: readonly SentAction[]): Promise<ReferenceRun> {
    return (await this.#ask({ request: 'run', actions })) as ReferenceRun;
  }

  async call(name: PythonFunction, texts: readonly string[]): Promise<readonly Answer[]> {
    return (await this.#ask({ request: 'call', function: name, texts })) as readonly Answer[];
  }

  end(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  async #ask(request: object): Promise<unknown> {
    if (this.#child === undefined) {
      this.#child = spawn(PYTHON, [ADAPTER], { stdio: ['pipe', 'pipe', 'inherit'] });
      this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    }
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const line = await this.#lines?.next();
    if (line === undefined || line.done === true) throw new Error('the reference has ended; see what it wrote above');
    return JSON.parse(line.value);
  }
}
