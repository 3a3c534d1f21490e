/** Parts of this module that its tests use beyond its entry point. */

export { announceRun, resumeCommand, workerCommand } from './announce.ts';
export { readEarlierRuns } from './earlier-runs.ts';
export { modelForDspy } from './fastworkflow-python.ts';
export { formatOpenAction, parseObservationLine } from './outside.ts';
export { describeRepeatedEpisodes } from './repeated.ts';
