/** Takes a run's folder before anything starts, and gives it back when nothing was started. */

import { rm, rmdir } from 'node:fs/promises';
import { RunLog, systemErrorCode } from '../../results/log/index.ts';
import type { RunRef } from '../../wire/index.ts';

export interface ClaimedLog {
  readonly log: RunLog;
  /** Takes away again what the claim has made, as far as nothing else is in it. */
  giveBack(): Promise<void>;
}

/**
 * @param isNamed whether a person named the run: then a folder that is there is the run's own; a made-up id must not
 *   meet the folder of another run that began in the same second, and gets a number
 * @throws ResultsError (`log_dir_unwritable`)
 */
export async function claimRunLog(run: RunRef, isNamed: boolean): Promise<ClaimedLog> {
  for (let count = 1; ; count++) {
    const log = new RunLog(count === 1 ? run : { ...run, runId: `${run.runId}-${count}` });
    const made = await log.prepare();
    if (isNamed || made.includes(log.paths.folder)) return { log, giveBack: () => giveBack(log, made) };
  }
}

async function giveBack(log: RunLog, made: readonly string[]): Promise<void> {
  // In a folder that was there before, `run.json` is another's.
  if (made.includes(log.paths.folder)) {
    await rm(log.paths.run, { force: true });
    await rm(log.paths.token, { force: true });
  }
  for (const folder of [...made].reverse()) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
      return;
    }
  }
}
