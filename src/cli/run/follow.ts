/** Follows a sweep to its end, through a restart of the server where one is possible. */

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

/** Time that a server may be away, in ms. */
const PATIENCE_MS = 120_000;
const RETRY_MS = 2_000;

/** The sweep paused itself, and its episodes wait: only a person can fix a provider's refusal. */
export class HaltedError extends UnreachableError {
  constructor(reason: string) {
    super(haltedSentence(reason));
  }
}

/** The sweep was terminated or has failed: no history is left to continue from. */
export class EndedEarlyError extends UnreachableError {}

/** Event and what to do; the command to resume follows it. */
export function haltedSentence(reason: string): string {
  return `the run is paused, because ${HALT_CAUSE} (${reason}); ${haltRemedy(reason)}`;
}

interface FollowOptions extends WatchOptions {
  /** Rejects when this process's workers are lost. @default no workers */
  readonly workersLost?: Promise<never>;
  /** Resolves when the person wants to leave. */
  readonly interrupted: Promise<void>;
  /** Episodes open at once, for the cache of a server that is started again. @default unknown */
  readonly maxConcurrency?: number;
}

/**
 * @throws HaltedError; UnreachableError when the sweep was terminated or the workers of this process have ended;
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
 * Starts the folder's own server again as soon as it dies. A worker keeps received replies for only ten seconds, and a
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

/** Waits for a server that is away. The folder's own is watched by {@link guard}, which also reports it. */
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
