/**
 * Handles Ctrl-C, SIGTERM and a closed output: the first makes the command end in order, a further signal ends it at
 * once.
 *
 * A long-running command stops if its output is closed (`tauflow run … 2>&1 | head`), but finishes the calls in
 * progress and exits as interrupted. A command that only prints continues without output, to its usual exit code.
 */

import { ExitCode } from '../errors/index.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** State of this process, for commands that can be interrupted. */
const state = { isClosed: false, handlers: new Set<() => void>() };

/**
 * @param first called once, for the first signal or the closed output; without delay if the output is already closed
 * @returns a function that restores the earlier handling of signals
 */
export function onInterrupt(first: () => void): () => void {
  let isAsked = false;
  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    first();
  };
  const handle = () => {
    if (isAsked) process.exit(ExitCode.Interrupted);
    ask();
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  state.handlers.add(ask);
  if (state.isClosed) setImmediate(() => state.handlers.has(ask) && ask());
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
    state.handlers.delete(ask);
  };
}

export interface Interruption {
  /** Resolves when the command is requested to end. */
  readonly asked: Promise<void>;
  /** Restores the earlier handling of signals. */
  readonly end: () => void;
}

/** Waits for an interruption. @param first called once at the interruption. @default nothing */
export function awaitInterrupt(first: () => void = () => undefined): Interruption {
  let end: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    end = onInterrupt(() => {
      first();
      resolve();
    });
  });
  return { asked, end };
}

/** Reports that the reader of stdout or stderr has gone. */
export function exitOnClosedOutput(): void {
  state.isClosed = true;
  for (const ask of [...state.handlers]) ask();
}

export function isOutputClosed(): boolean {
  return state.isClosed;
}
