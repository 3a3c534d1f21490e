/** Says once, before the first test, what this machine lacks, and so which tests are skipped. */

import { whyNoReference } from '../conformance/differential/reference-process.ts';
import { NO_REFERENCE, referenceDir } from '../helpers/reference-folder.ts';

/** Each project loads this file anew. */
const said = globalThis as { tauflowSkippedSaid?: boolean };

/** Called by vitest for each project. */
export function setup(): void {
  if (said.tauflowSkippedSaid === true) return;
  said.tauflowSkippedSaid = true;
  if (referenceDir === null) tell(`tests on the reference's data are skipped: ${NO_REFERENCE}`);
  const reason = whyNoReference();
  if (reason !== null) tell(`tests side by side with the Python reference are skipped: ${reason}`);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
