/** Follows a sweep to its end, through a restart of the server if possible. */

import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowFailedError, type Connection } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { guardServer, type LocalServer } from '../../temporal/server/index.ts';
import type { CliContext } from '../context.ts';
import { UnreachableError } from '../../errors/index.ts';
import { isConnectionLost } from '../context.ts';
import { FailureType, HALT_CAUSE, isAccountFailure, isFailureOfTheWay } from '../../evaluation/index.ts';
import { watchSweep, type WatchOptions } from './watch.ts';

export type FollowEnd = 'ended' | 'cancelled' | 'interrupted';

/** Longest time without a server, in ms. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 2_000;

/** Error of a sweep that paused itself, so that its episodes wait: only the user can fix a provider's refusal. */
export class HaltedError extends UnreachableError {
  constructor(reason: string) {
    super(haltedSentence(reason));
  }
}

/** Error of a sweep that was terminated or has failed, so that no history is left to continue from. */
export class EndedEarlyError extends UnreachableError {}

/** Returns the event and its remedy, in a sentence before the command to resume. */
export function haltedSentence(reason: string): string {
  return `the run is paused, because ${HALT_CAUSE} (${reason}); ${haltRemedy(reason)}`;
}

interface FollowOptions extends WatchOptions {
  /** Rejects if this process's workers are lost. @default no workers */
  readonly workersLost?: Promise<never>;
  /** Resolves when the user interrupts the command. */
  readonly interrupted: Promise<void>;
  /** Most open episodes, for the cache of a server that is restarted. @default unknown */
  readonly maxConcurrency?: number;
}

/**
 * @throws HaltedError; UnreachableError if the sweep was terminated or the workers of this process have ended;
 *   ServerError when the local server cannot be restarted
 */
export async function followSweep(followed: FollowOptions, context: CliContext): Promise<FollowEnd> {
  const stop = new AbortController();
  const ends: Promise<FollowEnd>[] = [
    endOfSweep(followed, stop.signal, context),
    followed.interrupted.then(() => 'interrupted' as const),
  ];
  if (followed.workersLost !== undefined) ends.push(followed.workersLost);
  const { server } = followed.temporal;
  if (server !== null) ends.push(guard(server, followed.maxConcurrency, stop.signal, context));
  const { promise: halt, reject: reportHalt } = withReject();
  ends.push(halt);
  const watching = watchSweep(followed, stop.signal, context, (reason) => reportHalt(new HaltedError(reason)));
  // Each promise is awaited, or has lost the race. A rejection of a loser does not matter.
  for (const promise of [...ends, watching]) promise.catch(() => undefined);
  try {
    return await Promise.race(ends);
  } finally {
    stop.abort();
    await watching;
  }
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

async function endOfSweep(followed: FollowOptions, stop: AbortSignal, context: CliContext): Promise<FollowEnd> {
  for (;;) {
    try {
      await followed.handle.result();
      return 'ended';
    } catch (error) {
      if (error instanceof WorkflowFailedError) {
        if (error.cause instanceof CancelledFailure) return 'cancelled';
        throw new EndedEarlyError(`the run has ended early: ${error.cause?.message ?? error.message}.`);
      }
      if (stop.aborted || !isConnectionLost(error)) throw error;
      await serverBack(followed, stop, context);
    }
  }
}

/**
 * Restarts the folder's own server as soon as it dies. A worker keeps received replies for only ten seconds, and a
 * reply that it cannot deliver has to be paid for again.
 */
function guard(
  server: LocalServer,
  maxConcurrency: number | undefined,
  stop: AbortSignal,
  { cwd: workDir, home, env, log }: CliContext,
): Promise<never> {
  const sized = maxConcurrency === undefined ? {} : { maxConcurrency };
  return guardServer(server, { workDir, home, env, onProgress: log, ...sized }, stop);
}

/** Waits until the server answers again. The folder's own server is watched and reported by {@link guard}. */
async function serverBack({ temporal }: FollowOptions, stop: AbortSignal, context: CliContext): Promise<void> {
  const { address, connection, origin } = temporal;
  if (origin === 'configured') context.log(`the Temporal server at ${address} does not answer; waiting for it`);
  const deadline = performance.now() + PATIENCE_MS;
  while (!stop.aborted && !(await answers(connection))) {
    if (performance.now() > deadline) throw new UnreachableError(`the Temporal server at ${address} does not answer.`);
    await delay(RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function answers(connection: Connection): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + RETRY_MS, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}

/** Returns the remedy for a run that paused itself. @param reason type of a failure, and its message */
function haltRemedy(reason: string): string {
  const [type = ''] = reason.split(':', 1);
  // A resumed run keeps its settings, because other settings would evaluate another agent.
  if (type === FailureType.RequestRefused) return 'start another run with other flags, or fix the server';
  if (isAccountFailure(type) || isFailureOfTheWay(type)) return 'fix the account, key or address';
  return 'start what does not answer, or wait until it does';
}
