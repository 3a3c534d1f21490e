/** Parts of this module that its tests use beyond its entry point. */

export { groupByRun, isOfRuns, isSynced } from './plan.ts';
