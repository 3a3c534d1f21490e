/** Parts of this module that its tests use beyond its entry point. */

export { failureOfEntry, failureOfRecord } from './failures.ts';
export { readVerdict, verdictFile } from './verdict.ts';
