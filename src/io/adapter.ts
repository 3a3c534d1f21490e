/** Starts, watches and ends the Python programs that ship with Tauflow and serve HTTP. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../errors/index.ts';

/** Most characters of the output in which the program's address, or its error, is searched. */
const MOST_TEXT = 10_000;
/** Longest pause before a dead program is restarted, in seconds. */
const MOST_PAUSE_S = 60;

export interface AdapterProgram {
  /** Name of the program for messages. */
  readonly name: string;
  /** Folder of the program in `adapters/`, and its package. */
  readonly folder: string;
  readonly module: string;
  readonly arguments: readonly string[];
  readonly interpreter: string;
  /** Environment variable that names the interpreter. */
  readonly variable: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working folder. @default that of the process */
  readonly cwd?: string;
  readonly log: (message: string) => void;
  /** Receives the program's output. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** Runs the program, and restarts it when it has died. */
export class Adapter {
  readonly #program: AdapterProgram;
  #process: ChildProcess | null = null;
  #isStopped = false;

  constructor(program: AdapterProgram) {
    this.#program = program;
  }

  /** Starts the program. @returns its URL @throws UsageError with the reason from its output */
  async start(port = '0'): Promise<string> {
    const { interpreter, folder, module, arguments: words, env, cwd } = this.#program;
    const paths = [adapterFolder(folder), env['PYTHONPATH']].filter((path) => path !== undefined);
    // An interrupt at the terminal reaches only the command, which then finishes the open episodes. When this process
    // ends, it closes the program's input, and the program ends too.
    const process = spawn(interpreter, ['-m', module, ...words, '--end-with-input', '--port', port], {
      cwd,
      env: { ...env, PYTHONPATH: paths.join(':') },
      stdio: 'pipe',
      detached: true,
    });
    process.stdin.on('error', () => undefined);
    this.#process = process;
    const url = await awaitUrl(process, this.#program);
    process.once('exit', (code, signal) => void this.#startAgain(new URL(url).port, signal ?? `code ${code}`));
    return url;
  }

  /** Allows this process to end without a call of {@link stop}, which ends the program, too. */
  unref(): void {
    const process = this.#process;
    process?.unref();
    for (const stream of process?.stdio ?? []) if (stream instanceof Socket) stream.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const process = this.#process;
    if (process === null || process.exitCode !== null || process.signalCode !== null) return;
    const ended = once(process, 'close');
    process.kill('SIGTERM');
    await ended;
  }

  async #startAgain(port: string, end: string): Promise<void> {
    if (this.#isStopped) return;
    const { name, log } = this.#program;
    log(`warning: the adapter of ${name} has ended with ${end}; it is started again`);
    for (let failures = 0; !this.#isStopped; failures++) {
      const failure = await this.start(port).then(
        () => null,
        ({ message }: Error) => message,
      );
      if (failure === null || this.#isStopped) return;
      if (failures === 0) log(`warning: ${failure}; the run waits for it`);
      await delay(Math.min(2 ** failures, MOST_PAUSE_S) * 1000, undefined, { ref: false });
    }
  }
}

/** @returns the URL that the program prints @throws UsageError when it ends before */
function awaitUrl(process: ChildProcess, { name, variable, onOutput }: AdapterProgram): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let text = '';
    const onChunk = (chunk: Buffer) => {
      onOutput?.(chunk);
      text = `${text}${chunk.toString()}`.slice(-MOST_TEXT);
      const found = /^listening on (http:\S+)\n/m.exec(text);
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    process.stdout?.on('data', onChunk);
    process.stderr?.on('data', onChunk);
    const fail = (reason: string) => {
      reject(new UsageError(`the adapter of ${name} does not start: ${reason}`));
    };
    process.on('error', ({ message }) => fail(`${message}; correct ${variable}`));
    process.on('close', (code) => {
      const said = text.trim().split('\n').at(-1) ?? '';
      fail(said === '' ? `it ended with code ${code} and printed nothing; correct ${variable}` : said);
    });
  });
}

/** Finds the program's folder; the sources and the built program are at different depths. */
export function adapterFolder(name: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const adapter = join(folder, 'adapters', name);
    if (existsSync(adapter) || folder === dirname(folder)) return adapter;
  }
}
