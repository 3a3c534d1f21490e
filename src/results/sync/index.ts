/** Copies of log folders in an object store. */

export { LocalFolder } from './local-folder.ts';
export { isSafePath } from './plan.ts';
export { syncLogs, type SyncOutcome, type SyncSides } from './sync.ts';
export { verified } from './verified.ts';
