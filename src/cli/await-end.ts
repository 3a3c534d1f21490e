/** The end of a workflow that a command has started and waits for. */

import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerHost } from '../host/index.ts';
import { leftWorkReason, type TemporalConnection } from '../temporal/client/index.ts';
import type { CliContext } from './context.ts';
import { awaitInterrupt } from './interrupt.ts';

const CHECK_MS = 5_000;

interface AwaitOptions {
  readonly temporal: TemporalConnection;
  readonly workflowId: string;
  /** Workers of this process. */
  readonly workers: WorkerHost | null;
  /** Shows progress until the signal aborts. @default no progress is shown */
  readonly watch?: (stop: AbortSignal) => Promise<void>;
}

/**
 * Waits for an end, or until the command is interrupted.
 * @throws errors of `end`; UnreachableError if the workers of this process are lost
 */
export async function awaitEnd<T>(
  end: Promise<T>,
  { temporal, workflowId, workers, watch }: AwaitOptions,
  context: CliContext,
): Promise<T | 'interrupted'> {
  const stop = new AbortController();
  const interruption = awaitInterrupt();
  const watching = Promise.all([watch?.(stop.signal), warnOfLeftWork(temporal, workflowId, stop.signal, context)]);
  const ends: Promise<T | 'interrupted'>[] = [end, interruption.asked.then(() => 'interrupted' as const)];
  if (workers !== null) ends.push(workers.lost);
  for (const each of ends) each.catch(() => undefined);
  try {
    return await Promise.race(ends);
  } finally {
    interruption.end();
    stop.abort();
    await watching;
  }
}

/**
 * Warns if workers leave a workflow's work to other workers, once for each reason, until the signal aborts. Never
 * rejects. Without the warning, the command would wait in silence.
 */
async function warnOfLeftWork(
  { client }: TemporalConnection,
  workflowId: string,
  stop: AbortSignal,
  context: CliContext,
): Promise<void> {
  const warned = new Set<string>();
  while (!stop.aborted) {
    await delay(CHECK_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    // If the server is away, this check finds nothing, and the next one asks again.
    const reason = await leftWorkReason(client, workflowId).catch(() => null);
    if (reason === null || warned.has(reason)) continue;
    warned.add(reason);
    context.log(`warning: ${reason}`);
  }
}
