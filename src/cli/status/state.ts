/** The server's state of runs that are unfinished in their log, for `list`, `status` and `view`. */

import type { Client } from '@temporalio/client';
import {
  connect,
  readSteering,
  readSweepInput,
  seeSweep,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import type { RunLog, RunManifest } from '../../run-log/index.ts';
import { PAUSE_EFFECT, sweepWorkflowId, type RunState } from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { haltedSentence } from '../run/follow.ts';
import { formatResumeCommand } from '../run-log.ts';

/** Sentences on the end of a sweep that did not write its end into the log, by status. */
const ENDS: Readonly<Record<string, string>> = {
  interrupted: 'the server does not know it any more, or does not answer',
  terminated: 'its workflow was terminated on the server',
  timed_out: 'its workflow timed out on the server',
  failed: 'its workflow failed',
};

/**
 * Reads the state of a run in progress; null if its settings cannot be read, for example without the encryption key.
 */
export async function readUnderWay(client: Client, runId: string): Promise<RunState | null> {
  const workflowId = sweepWorkflowId(runId);
  try {
    return describeUnderWay(await readSteering(client, workflowId, await readSweepInput(client, workflowId)), runId);
  } catch {
    return null;
  }
}

/** @param pausedFor reason why the run paused itself, or null */
export function describeUnderWay(
  { paused, pausedFor = null }: { readonly paused: boolean; readonly pausedFor?: string | null },
  runId: string,
): RunState {
  if (!paused) return { status: 'running', reason: null, command: null };
  const reason = pausedFor === null ? PAUSE_EFFECT : haltedSentence(pausedFor);
  return { status: 'paused', reason, command: `npx tauflow resume ${runId}` };
}

/**
 * @param manifest null if the log does not say that the run has ended
 * @param resume command that runs unfinished episodes
 */
export function describeAtRest(
  { status, manifest }: { readonly status: string; readonly manifest: Pick<RunManifest, 'status'> | null },
  resume: string,
): RunState {
  const hasEnd = manifest !== null && manifest.status !== 'running';
  const reason = hasEnd ? null : (ENDS[status] ?? null);
  return { status, reason, command: reason === null ? null : resume };
}

/** Formats reason and command on one line; null for a run in progress or finished. */
export function explainState({ reason, command }: Pick<RunState, 'reason' | 'command'>): string | null {
  if (reason === null || command === null) return null;
  return `${reason}; continue with: ${command}`;
}

/** Time for which a state is shown before the next query, in ms. */
const FRESH_MS = 3_000;
/** Time that a page waits for the server, in ms. */
const PATIENCE_MS = 2_000;

interface CachedState {
  readonly at: number;
  readonly state: Promise<RunState | null>;
  /** The previous state, which is shown during a query. */
  last: RunState | null;
}

/** Queries the states of runs on the server repeatedly, for `view`. */
export class StateFinder {
  readonly #context: CliContext;
  readonly #states = new Map<string, CachedState>();
  #temporal: Promise<TemporalConnection> | null = null;

  constructor(context: CliContext) {
    this.#context = context;
  }

  /** @returns null if no state is known in time */
  async find(log: RunLog): Promise<RunState | null> {
    const now = performance.now();
    let known = this.#states.get(log.paths.folder);
    if (known === undefined || now - known.at > FRESH_MS) {
      const asked: CachedState = { at: now, state: this.#ask(log), last: known?.last ?? null };
      void asked.state.then((state) => (asked.last = state));
      this.#states.set(log.paths.folder, asked);
      known = asked;
    }
    const { state, last } = known;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<RunState | null>((resolve) => {
      timer = setTimeout(() => resolve(last), PATIENCE_MS);
    });
    return await Promise.race([state, late]).finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    await (await this.#temporal?.catch(() => null))?.close();
  }

  async #ask(log: RunLog): Promise<RunState | null> {
    const temporal = this.#connect();
    try {
      const { client } = await temporal;
      const sweep = await seeSweep(client, sweepWorkflowId(log.runId));
      if (sweep?.status === 'running') return await readUnderWay(client, log.runId);
      return this.#atRest(log, sweep?.status ?? 'interrupted');
    } catch {
      // The next question connects anew: a local server may have moved to another port.
      if (this.#temporal === temporal) this.#temporal = null;
      await (await temporal.catch(() => null))?.close();
      // `list` and `status` show the same if they cannot reach the server.
      return this.#atRest(log, 'interrupted');
    }
  }

  #atRest(log: RunLog, status: string): RunState {
    return describeAtRest({ status, manifest: null }, formatResumeCommand(log, this.#context));
  }

  #connect(): Promise<TemporalConnection> {
    const { cwd: workDir, home, env } = this.#context;
    const silent = () => undefined;
    this.#temporal ??= connect({ workDir, home, env, local: 'find', onProgress: silent, onWait: silent });
    return this.#temporal;
  }
}
