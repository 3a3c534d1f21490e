/** The runs of a log folder or of a store, for operations on several of them. */

import type { RunRef } from '../../evaluation/index.ts';
import { LogFiles, RunLog } from '../index.ts';
import type { LogStore } from './log-store.ts';
import type { RunPart } from './parts.ts';

export interface RunLogs {
  /** Lists names in the log folder with a beginning: names of runs, and in a folder also of other files. */
  list(beginning: string): Promise<string[]>;
  /**
   * Runs work on the log of a run. In a store, changes are written before this returns, and the work may be repeated.
   * @param part part of the run that the work reads
   */
  use<T>(runId: string, part: RunPart, work: (log: RunLog) => Promise<T>): Promise<T>;
}

/** @param store store of the log folder's address; null for a folder */
export function openRunLogs(logDir: string, store: LogStore | null): RunLogs {
  const toRunRef = (runId: string): RunRef => ({ runId, logDir });
  if (store !== null) {
    return {
      list: (beginning) => store.listRuns(beginning),
      use: (runId, part, work) => store.change(toRunRef(runId), part, work),
    };
  }
  return {
    list: async (beginning) => (await new LogFiles(logDir).names(logDir)).filter((name) => name.startsWith(beginning)),
    use: (runId, _, work) => work(new RunLog(toRunRef(runId))),
  };
}
