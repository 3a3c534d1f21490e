/** A run log as `run` leaves it, made without a server: for what resumes it, attaches to it, or reports it. */

import { parseRunOptions } from '../../src/run-setup/index.ts';
import type { RawRunOptions } from '../../src/run-setup/options/index.ts';
import { resolveRequest, type RunRequest } from '../../src/run-setup/index.ts';
import { openRun, RunLog } from '../../src/run-log/index.ts';
import { testHome } from '../helpers/temporal-environment.ts';

export interface RecordedRun {
  readonly log: RunLog;
  readonly request: RunRequest;
}

/** Request of these options, as the run `mine` under `results` of the folder. */
export async function askedRun(cwd: string, options: RawRunOptions): Promise<RunRequest> {
  const context = { cwd, home: testHome(), now: new Date(0) };
  return resolveRequest(parseRunOptions({ runId: 'mine', model: 'oracle', ...options }), context);
}

/** @param status how far the run is said to be */
export async function recordedRun(
  cwd: string,
  options: RawRunOptions,
  status: 'running' | 'completed' = 'running',
): Promise<RecordedRun> {
  const request = await askedRun(cwd, options);
  const log = new RunLog(request.run);
  await log.prepare();
  const facts = { label: 'FW', versions: {}, temporal: null, notes: request.notes };
  const { manifest } = await openRun(log, { ...request, workflowId: 'mine' }, facts);
  await log.writeRun({ ...manifest, status, endedAt: status === 'running' ? null : manifest.startedAt });
  return { log, request };
}
