/** Parts of this module that its tests use beyond its entry point. */

export { isNever, skippedTime } from './cron.ts';
export { lastScheduledRuns } from './runs.ts';
