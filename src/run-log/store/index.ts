/** Run logs in an object store, and the parts of them that operations read. */

export { createLogStores, type LogStore, type StorePlaces } from './log-store.ts';
export { openRunLogs, type RunLogs } from './run-logs.ts';
export { RunLogElsewhereError, createRunFolders, type RunFolderDeps, type RunFolders } from './run-folders.ts';
export { COMPARISON, RUN_HEAD, WHOLE_RUN, forkedPart, judgedPart, selectRecords, type RunPart } from './parts.ts';
