/** What Ctrl-C and SIGTERM mean: the first asks the command to leave in good order, the second ends it at once. */

import { ExitCode } from './failures.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * @param first called for the first signal, once
 * @returns a function after which signals mean what they meant before
 */
export function onInterrupt(first: () => void): () => void {
  let isAsked = false;
  const handle = () => {
    if (isAsked) process.exit(ExitCode.Interrupted);
    isAsked = true;
    first();
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
}
