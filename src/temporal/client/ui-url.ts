/** Where a server's Temporal UI is. */

import { findStateDir, readNewest, toLocalServer } from '../server/index.ts';

/**
 * For a run that is on disk: the UI of the server it ran on, which need not be running. A folder's server comes back
 * with the same ports wherever they are free.
 *
 * @param address as in the run's `run.json`
 * @returns null for any other server: nothing says where its UI is
 */
export async function findUiUrl(address: string, workDir: string): Promise<string | null> {
  const stateDir = await findStateDir(workDir);
  const record = (await readNewest(stateDir))?.record ?? null;
  const local = record === null ? null : toLocalServer(stateDir, record, false);
  return local?.address === address ? local.uiUrl : cloudUi(address);
}

export function cloudUi(address: string): string | null {
  return /\.(tmprl\.cloud|temporal\.io)(:\d+)?$/.test(address) ? 'https://cloud.temporal.io' : null;
}
