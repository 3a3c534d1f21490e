/** Connections for commands, and the run that a command is about: in progress on a server, or in the log folder. */

import { checkRunId, resolveLogPlace, type RunLog, type RunManifest } from '../run-log/index.ts';
import { RUN_HEAD } from '../run-log/store/index.ts';
import {
  connect,
  ensureSearchAttributes,
  readConfiguration,
  seeSweep,
  type SeenSweep,
  type TemporalConnection,
  findUiUrl,
} from '../temporal/client/index.ts';
import { firstLine, UnreachableError, UsageError } from '../errors/index.ts';
import { ServerError, isUnreachable } from '../temporal/errors.ts';
import { attributeKeysOf } from '../../workflows/client.ts';
import { sweepWorkflowId, type EvaluationConfig } from '../evaluation/index.ts';
import type { CliContext } from './context.ts';
import { formatResumeCommand, noSuchRun } from './run-log.ts';
import { accessRun, type RunAccess } from '../run-setup/index.ts';
import { findPackByRef, type PackPlaces } from '../benchmarks/packs/index.ts';
import type { FindPack } from '../results/report/index.ts';

export interface PlaceFlags {
  readonly logDir: string;
}

interface FoundRun {
  readonly runId: string;
  /** Reads facts of the run that `log` lacks. */
  readonly access: RunAccess;
  /** The run's log: its folder and main documents; for a store, a copy of their state when the run was found. */
  readonly log: RunLog;
  /** Manifest of the run; null if the run's log is in another folder. */
  readonly manifest: RunManifest | null;
}

export interface RunUnderWay extends FoundRun {
  readonly temporal: TemporalConnection;
  readonly sweep: SeenSweep;
}

export interface RunAtRest extends FoundRun {
  /** Connection to the server; null if no server answers. */
  readonly temporal: TemporalConnection | null;
  /** The run's newest sweep; null if no server answers, or if the server does not know it. */
  readonly sweep: SeenSweep | null;
  /** Status in `run.json`; `interrupted` if it says that the run is in progress and no server has it. */
  readonly status: string;
  /** Reason why the configured server could not be reached; null if it answered, or if no server is expected. */
  readonly unreachable: ServerError | null;
}

interface RunCases<T> {
  underWay(run: RunUnderWay): Promise<T>;
  atRest(run: RunAtRest): Promise<T>;
}

/**
 * Finds a run. It never starts a server, because a stopped server has no run in progress.
 * @throws UsageError if neither the log folder nor the server knows the run
 */
export async function findRun<T>(
  runId: string,
  { logDir }: PlaceFlags,
  context: CliContext,
  cases: RunCases<T>,
): Promise<T> {
  const access = await accessRun({ runId: checkRunId(runId), logDir: resolveLogPlace(logDir, context.cwd) }, context);
  const log = await access.read(RUN_HEAD);
  const manifest = await log.readRun();
  const { cwd: workDir, home, env } = context;
  let temporal: TemporalConnection;
  try {
    temporal = await connect({ workDir, home, env, local: 'find', onProgress: () => undefined, onWait: context.log });
  } catch (error) {
    if (!(error instanceof ServerError) || !isUnreachable(error)) throw error;
    if (manifest === null) throw noSuchRun(log, `no server can be asked: ${firstLine(error)}`);
    const status = restingStatus(manifest, null);
    return cases.atRest({ runId, temporal: null, sweep: null, access, log, manifest, status, unreachable: error });
  }
  try {
    const sweep = await seeSweep(temporal.client, sweepWorkflowId(runId));
    if (sweep?.status === 'running') return await cases.underWay({ runId, temporal, sweep, access, log, manifest });
    if (manifest === null && sweep === null) {
      throw noSuchRun(log, `the Temporal server at ${temporal.address} has none`);
    }
    const status = restingStatus(manifest, sweep);
    return await cases.atRest({ runId, temporal, sweep, access, log, manifest, status, unreachable: null });
  } finally {
    await temporal.close();
  }
}

/** Returns the status of a run that is not in progress, from its log, otherwise from the server. */
export function restingStatus(manifest: RunManifest | null, sweep: SeenSweep | null): string {
  if (manifest !== null && manifest.status !== 'running') return manifest.status;
  return sweep?.status ?? 'interrupted';
}

/**
 * Returns the error for an attempt to steer a run that is not in progress.
 * @param wayOn command that does the same for such a run
 */
export function notUnderWay(run: RunAtRest, context: CliContext, wayOn?: string): Error {
  const { runId, status, unreachable } = run;
  const goOn = wayOn ?? `\`${formatResumeCommand(run.log, context)}\` resumes it`;
  if (unreachable === null || status !== 'interrupted') {
    return new UsageError(`the run ${runId} is not under way (${statusWord(status)}); ${goOn}.`);
  }
  if (readConfiguration(context.env).address !== null) return unreachable;
  return new UnreachableError(
    `the run ${runId} is stopped because no Temporal server runs for ${context.cwd}; ${goOn}, with its server.`,
  );
}

export function statusWord(status: string): string {
  return status.replaceAll('_', ' ');
}

/** @returns the Temporal UI of the run's server; null if unknown */
export async function uiOfRun(manifest: RunManifest | null, { cwd }: Pick<CliContext, 'cwd'>): Promise<string | null> {
  const address = manifest?.temporal?.address;
  return address === undefined ? null : findUiUrl(address, cwd);
}

/** Returns a function that finds packs, for commands that also work without a pack. */
export function packFinder({ home }: PackPlaces): FindPack {
  return (ref) => findPackByRef(ref, home === undefined ? {} : { home });
}

/**
 * Registers the search attributes. @returns true if workflows may be started with them; if not, the reason is logged
 */
export async function registerAttributes(
  { connection, namespace }: Pick<TemporalConnection, 'connection' | 'namespace'>,
  config: Partial<Pick<EvaluationConfig, 'conditions'>>,
  { log }: CliContext,
): Promise<boolean> {
  const report = await ensureSearchAttributes(connection, namespace, attributeKeysOf(config));
  if (report.kind === 'unavailable') log(`warning: ${report.reason}`);
  return report.kind === 'ready';
}

/**
 * Runs work with a connection.
 * @param local `start` starts a local server if none runs; `find` only connects, and prints the server's address if it
 * has to wait
 */
export async function withTemporal<T>(
  context: CliContext,
  local: 'start' | 'find',
  work: (temporal: TemporalConnection) => Promise<T>,
): Promise<T> {
  const { cwd: workDir, home, env } = context;
  const callbacks =
    local === 'start' ? { onProgress: context.log } : { onProgress: () => undefined, onWait: context.log };
  const temporal = await connect({ workDir, home, env, local, ...callbacks });
  try {
    return await work(temporal);
  } finally {
    await temporal.close();
  }
}
