/** Copies of log folders in an object store. */

export { syncLogs, type SyncOutcome, type SyncSides } from './sync.ts';
