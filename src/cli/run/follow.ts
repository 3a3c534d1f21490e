/** Follows a sweep to its end: progress, the results file, and signs that nothing moves. */

import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowFailedError } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { planOrder } from '../../results/publish-run.ts';
import type { RunLog } from '../../results/run-log.ts';
import { ResultsAssembler } from '../../results/tau-bench-file.ts';
import { workflowUrl, type TemporalConnection } from '../../temporal/connection.ts';
import { fetchProgress, stuckReason, type SweepHandle } from '../../temporal/sweeps.ts';
import { workflowIdOfEpisode } from '../../wire/names.ts';
import type { SweepProgress } from '../../wire/sweep.ts';
import type { CliContext } from '../context.ts';
import { UnreachableError } from '../failures.ts';
import { ProgressDisplay, type ProgressState } from '../terminal/progress.ts';
import { styleOf } from '../terminal/style.ts';

export type FollowEnd = 'ended' | 'cancelled' | 'interrupted';

const POLL_MS = 500;
/** Without an episode's end for this long, the server is asked whether the sweep is stuck. */
const SUSPICIOUS_MS = 30_000;

export interface Followed {
  readonly temporal: TemporalConnection;
  readonly handle: SweepHandle;
  readonly log: RunLog;
  /** Rejects when the workers of this process are lost; absent where there are none. */
  readonly workersLost?: Promise<never>;
  /** Resolves when the person wants to leave. */
  readonly interrupted: Promise<void>;
}

/**
 * @throws UnreachableError when the sweep was terminated, or the workers of this process have ended
 */
export async function followSweep(followed: Followed, context: CliContext): Promise<FollowEnd> {
  const { handle, interrupted } = followed;
  const ends: Promise<FollowEnd>[] = [
    handle.result().then(() => 'ended' as const, endOfFailure),
    interrupted.then(() => 'interrupted' as const),
  ];
  if (followed.workersLost !== undefined) ends.push(followed.workersLost);
  const stopWatching = new AbortController();
  const watching = watch(followed, stopWatching.signal, context);
  try {
    return await Promise.race(ends);
  } finally {
    stopWatching.abort();
    await watching;
  }
}

function endOfFailure(error: unknown): FollowEnd {
  if (error instanceof WorkflowFailedError) {
    if (error.cause instanceof CancelledFailure) return 'cancelled';
    throw new UnreachableError(`the sweep has ended early: ${error.cause?.message ?? error.message}.`);
  }
  throw error;
}

/** Shows progress until it is told to stop; a look that fails is made up for by the next one. */
async function watch({ temporal, handle, log }: Followed, stop: AbortSignal, context: CliContext): Promise<void> {
  const assembler = new ResultsAssembler(log, { order: planOrder(await log.readRun()) });
  const display = new ProgressDisplay(process.stderr, () => styleOf(process.stderr, context.env));
  const { uiUrl, namespace, client } = temporal;
  const url = uiUrl === null ? null : workflowUrl(uiUrl, namespace, handle.workflowId);
  const startedAt = Date.now();
  let state = null as ProgressState | null;
  let movedAt = startedAt;
  let told: string | null = null;
  for (;;) {
    // The last look comes after the end, so that the last line shows all episodes.
    const isLast = stop.aborted;
    const progress = await look(temporal, handle.workflowId);
    if (progress !== null) {
      if (progress.ended !== state?.progress.ended) movedAt = Date.now();
      state = { progress, startedAt, endedAtStart: state?.endedAtStart ?? progress.ended, uiUrl: url };
      if (!isLast) {
        display.update(state);
        await assembler.maybeRewrite(progress.ended);
      }
    }
    if (isLast) break;
    if (Date.now() - movedAt > SUSPICIOUS_MS) {
      movedAt = Date.now();
      const open = (progress?.open ?? []).map((name) => workflowIdOfEpisode(handle.workflowId, name));
      const reason = await stuckReason(client, [handle.workflowId, ...open.slice(0, 2)]);
      if (reason !== null && reason !== told) display.say(`warning: ${reason}`);
      told = reason;
    }
    await delay(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  if (state === null) display.clear();
  else display.finish(state);
}

async function look({ client }: TemporalConnection, workflowId: string): Promise<SweepProgress | null> {
  try {
    return await fetchProgress(client, workflowId);
  } catch {
    // No worker has answered in time, or the server is just being restarted.
    return null;
  }
}
