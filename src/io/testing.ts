/** Parts of this module that its tests use beyond its entry point. */

export { innermostReason } from './innermost-reason.ts';
export type { StreamOptions, WriteCondition } from './object-store/object-store.ts';
export { isConditionFailed, toStoreError } from './object-store/s3-errors.ts';
