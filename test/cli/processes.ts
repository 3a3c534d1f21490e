/** The command line as real processes. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';

import { PROGRAM } from '../helpers/program.ts';
import type { Ended, Place } from './in-process.ts';

export interface Started {
  /** End of the process. */
  readonly ended: Promise<Ended>;
  /** Waits until stderr or stdout has the text. @throws Error when the process ends without it */
  says(pattern: RegExp): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Standard input, where the process was given one. */
  readonly stdin: Writable | null;
}

const children = new Set<ChildProcess>();

/** Ends what a failed test has left running. */
export async function endAll(): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}

/**
 * @param program the command before its words
 * @param onLine called for each whole line of stdout, of a process that is given a standard input
 */
export function start(
  words: readonly string[],
  { cwd, env }: Place,
  program = PROGRAM,
  onLine?: (line: string) => void,
): Started {
  const [executable = '', ...args] = program;
  const child = spawn(executable, [...args, ...words], {
    cwd,
    env,
    stdio: [onLine === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('both are pipes');
  if (onLine !== undefined) createInterface({ input: stdout }).on('line', onLine);
  const printed = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const [name, stream] of [
    ['stdout', stdout],
    ['stderr', stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      for (const look of watchers) look();
    });
  }
  const ended = endOf(child).then((code) => ({ code, ...printed }));
  // Whoever asks how it ended is told; until then, its being killed must not count as unhandled.
  ended.catch(() => undefined);
  return {
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(printed.stderr) && !pattern.test(printed.stdout)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        const tooLate = () => reject(new Error(`ended without ${String(pattern)}:\n${printed.stderr}`));
        void ended.then(tooLate, tooLate);
      }),
    signal: (name) => void child.kill(name),
    stdin: child.stdin,
  };
}

/** Runs a command to its end, beside others. */
export function runApart(words: readonly string[], place: Place, program = PROGRAM): Promise<Ended> {
  return start(words, place, program).ended;
}

async function endOf(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code === null) throw new Error(`the process was ended by ${String(signal)}`);
  return code;
}
