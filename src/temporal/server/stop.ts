/** Ends the server of a working folder; its database and ports are kept for the next start. */

import { findServer, findStateDir } from './ensure.ts';
import { endProcess, findServersOf, isServerProcess } from './processes.ts';
import { readNewest, update } from './state.ts';

/**
 * @returns the pid of the server that was ended, or null when none ran
 * @throws ServerError `stop-failed`
 */
export async function stopServer(workDir: string): Promise<number | null> {
  // Waits for one that is just starting, and for one that hangs.
  const found = await findServer(workDir);
  const stateDir = await findStateDir(workDir);
  const newest = await readNewest(stateDir);
  const record = newest?.record ?? null;
  if (newest === null || record === null) return null;

  const pids = new Set(found === null ? [] : [found.pid]);
  if (record.status === 'running' && (await isServerProcess(record.pid, record.dbFile)) === true) pids.add(record.pid);
  for (const { pid } of (await findServersOf(record.dbFile)) ?? []) pids.add(pid);
  for (const pid of pids) await endProcess(pid);
  if (record.status !== 'stopped') await update(stateDir, newest, { ...record, status: 'stopped' });
  const [first] = pids;
  return first ?? null;
}
