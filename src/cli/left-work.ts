/** Warnings of commands that wait for a workflow whose work no worker does. */

import { setTimeout as delay } from 'node:timers/promises';
import { leftWorkReason, type TemporalConnection } from '../temporal/client/index.ts';
import type { CliContext } from './context.ts';

const CHECK_MS = 5_000;

/**
 * Warns when workers leave a workflow's work to others, once for each reason, until it is stopped. Never rejects.
 * Without the warning, the command would wait in silence.
 */
export async function warnOfLeftWork(
  { client }: TemporalConnection,
  workflowId: string,
  stop: AbortSignal,
  context: CliContext,
): Promise<void> {
  const warned = new Set<string>();
  while (!stop.aborted) {
    await delay(CHECK_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    // A check that fails, because the server is away, is made up for by the next one.
    const reason = await leftWorkReason(client, workflowId).catch(() => null);
    if (reason === null || warned.has(reason)) continue;
    warned.add(reason);
    context.log(`warning: ${reason}`);
  }
}
