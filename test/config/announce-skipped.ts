/** Says once, before the first test, what this machine lacks, and so which tests are skipped. */

import { whyNoReference } from '../conformance/differential/reference-process.ts';
import { NO_REFERENCE, referenceDir } from '../helpers/reference-folder.ts';
import { NO_TAU3, tau3Dir } from '../helpers/tau3-folder.ts';

/** Each project loads this file anew. */
const said = globalThis as { tauflowSkippedSaid?: boolean };

/** Called by vitest for each project. */
export function setup(): void {
  if (said.tauflowSkippedSaid === true) return;
  said.tauflowSkippedSaid = true;
  if (referenceDir === null) tell(`tests on the reference's data are skipped: ${NO_REFERENCE}`);
  if (tau3Dir === null) tell(`tests on the data of τ³-bench are skipped: ${NO_TAU3}`);
  const reason = whyNoReference();
  if (reason !== null) tell(`tests side by side with the Python reference are skipped: ${reason}`);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
