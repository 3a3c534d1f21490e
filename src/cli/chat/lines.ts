/** The lines of standard input, one at a time: typed by a person, or piped in. */

import { createInterface } from 'node:readline';
import type { CliContext } from '../context.ts';

export interface Lines {
  /** Null at the end of the input, and when the person leaves with Ctrl-C. */
  next(): Promise<string | null>;
  /** True if it was Ctrl-C. */
  isInterrupted(): boolean;
  /** Settles when nobody will say anything more. */
  readonly left: Promise<void>;
  /** To be called when the process is asked to end. */
  leave(this: void): void;
  close(): void;
}

/** Lines that come before they are asked for are kept. */
export function openLines({ stdin, stdout }: CliContext): Lines {
  const isTyped = stdin.isTTY === true;
  const reader = createInterface(isTyped ? { input: stdin, output: stdout, terminal: true } : { input: stdin });
  reader.setPrompt('you> ');
  const kept: string[] = [];
  let isClosed = false;
  let isInterrupted = false;
  let wake: () => void = () => undefined;
  let settle: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (settle = resolve));
  reader.on('line', (line) => {
    kept.push(line);
    wake();
  });
  reader.on('close', () => {
    isClosed = true;
    wake();
  });
  const leave = () => {
    isInterrupted = true;
    reader.close();
    settle();
  };
  // In a terminal's raw mode Ctrl-C is a key.
  reader.on('SIGINT', leave);
  return {
    next: async () => {
      if (isTyped && kept.length === 0 && !isClosed) reader.prompt();
      while (kept.length === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
      return isInterrupted ? null : (kept.shift() ?? null);
    },
    isInterrupted: () => isInterrupted,
    left,
    leave,
    close: () => reader.close(),
  };
}
