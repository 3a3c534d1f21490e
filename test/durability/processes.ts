/** Real processes for the durability tests: what they print, how they end, and that none is left over. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { isAlive, signal, waitForExit } from '../../src/temporal/server/index.ts';
import { PROGRAM } from '../helpers/program.ts';

export interface Surroundings {
  /** Starts the program. @default {@link PROGRAM} */
  readonly program?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const RESUME = /resume with:\s+(npx tauflow .*)\n/;

const started: number[] = [];

/** A process of the program. */
export class Tauflow {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when it has left; what it has started may still hold its output. */
  readonly left: Promise<[code: number | null]>;
  /** All that it has printed, stdout and stderr as they came. */
  printed = '';
  #watchers: (() => void)[] = [];
  #isOver = false;

  private constructor(command: readonly string[], { cwd, env }: Surroundings) {
    const [executable = '', ...args] = command;
    const child = spawn(executable, args, { cwd, env: env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid === undefined) throw new Error(`${executable} does not start`);
    this.pid = child.pid;
    started.push(child.pid);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.printed += text;
        this.#look();
      });
    }
    this.left = once(child, 'exit') as Promise<[number | null]>;
    this.ended = once(child, 'close').then(([code, signalName]) => {
      this.#isOver = true;
      this.#look();
      return { code: code as number | null, signal: signalName as NodeJS.Signals | null };
    });
  }

  static start(args: readonly string[], surroundings: Surroundings): Tauflow {
    return new Tauflow([...(surroundings.program ?? PROGRAM), ...args], surroundings);
  }

  /** A command line as a person types it; `exec` makes the program, not the shell, the process that is killed. */
  static type(commandLine: string, surroundings: Surroundings): Tauflow {
    const program = (surroundings.program ?? PROGRAM).map(quote).join(' ');
    const typed = commandLine.replace(/^npx tauflow /, `${program} `);
    return new Tauflow(['/bin/sh', '-c', `exec ${typed}`], surroundings);
  }

  /** Waits for a text. @throws Error when the process ends without it */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.printed);
      if (match !== null) return match;
      if (this.#isOver) throw new Error(`the process has ended without ${String(pattern)}:\n${this.printed}`);
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** The command that it says takes the run up again. */
  async resumeCommand(): Promise<string> {
    const [, command = ''] = await this.says(RESUME);
    return command;
  }

  /** The command that it has said takes the run up again; null when it has not come so far. */
  get saidResume(): string | null {
    return RESUME.exec(this.printed)?.[1] ?? null;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws Error when it has ended, with all that it has said */
  assertRunning(): void {
    if (this.#isOver) throw new Error(`the process has ended:\n${this.printed}`);
  }

  async kill(): Promise<void> {
    signal(this.pid, 'SIGKILL');
    const { signal: name } = await this.ended;
    if (name !== 'SIGKILL') throw new Error(`process ${this.pid} had ended before it was killed:\n${this.printed}`);
  }

  /** Asks it to end, as a process manager does. */
  terminate(): Promise<Ended> {
    signal(this.pid, 'SIGTERM');
    return this.ended;
  }

  #look(): void {
    for (const wake of this.#watchers.splice(0)) wake();
  }
}

/** Kills a process that is not a child of ours, such as the server that a command has started. */
export async function killProcess(pid: number): Promise<void> {
  signal(pid, 'SIGKILL');
  if (!(await waitForExit(pid, 10_000))) throw new Error(`process ${pid} outlives SIGKILL`);
}

/** Ends every process of this file that still runs; for `afterAll`. */
export async function endProcesses(): Promise<void> {
  for (const pid of started.splice(0)) if (await isAlive(pid)) await killProcess(pid);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
