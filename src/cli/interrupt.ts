/**
 * Ctrl-C, SIGTERM and an output that nobody reads any more: the first asks the command to end in good order, a further
 * signal ends it at once.
 *
 * A command that runs for long stops when its output is closed (`tauflow run … 2>&1 | head`), as other programs do,
 * but finishes the calls under way and exits as interrupted. One that only prints continues without printing, to its own
 * exit code.
 */

import { ExitCode } from '../errors/index.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** State of this process: commands that can be interrupted ask here. */
const state = { isClosed: false, handlers: new Set<() => void>() };

/**
 * @param first called once, for the first signal or the closed output; soon, if the output is closed already
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
  /** Resolves when the command is asked to end. */
  readonly asked: Promise<void>;
  /** Restores the earlier handling of signals. */
  readonly end: () => void;
}

/** Waits for an interruption. @param first called once on it. @default nothing */
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
