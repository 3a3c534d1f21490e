/** Copies of log folders in an object store. */

export { LocalFolder, verifyPieces } from './local-folder.ts';
export { isSafePath } from './plan.ts';
export { syncLogs, type SyncOutcome, type SyncSides } from './sync.ts';
