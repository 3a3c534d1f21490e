/** Parts of this module that its tests use beyond its entry point. */

export { readFailure } from './failures.ts';
export { TauSweep, TauTask, episodeAttributes } from './visibility.ts';
