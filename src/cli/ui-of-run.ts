/** Address that the links of a run on disk lead to. */

import type { RunManifest } from '../results/log/index.ts';
import { findUiUrl } from '../temporal/client/index.ts';
import type { CliContext } from './context.ts';

/** @returns the Temporal UI of the server that the run was on; null where that is not known */
export async function uiOfRun(manifest: RunManifest | null, { cwd }: Pick<CliContext, 'cwd'>): Promise<string | null> {
  const address = manifest?.temporal?.address;
  return address === undefined ? null : findUiUrl(address, cwd);
}
