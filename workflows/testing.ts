/** Parts of this module that its tests use beyond its entry point. */

export { readFailure, refuseNewer } from './failures.ts';
export type { ScheduledRunResult } from './scheduled-run.ts';
export { TauSweep, TauTask, episodeAttributes, sweepMemo } from './visibility.ts';
