/** The runs of a log folder or of a store, for operations that are about more than one of them. */

import type { RunRef } from '../../evaluation/index.ts';
import { LogFiles, RunLog } from '../index.ts';
import type { LogStore } from './log-store.ts';
import type { RunPart } from './parts.ts';

export interface RunLogs {
  /** Names in the log folder that begin so: those of runs, and of a folder also those of other files. */
  list(beginning: string): Promise<string[]>;
  /**
   * Works on the log of a run. In a store, what the work has changed is there when this returns, and the work may be
   * done more than once.
   * @param part what the work reads
   */
  use<T>(runId: string, part: RunPart, work: (log: RunLog) => Promise<T>): Promise<T>;
}

/** @param store that of the log folder's address; null: it is a folder */
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
