/** Parts of this module that its tests use beyond its entry point. */

export { solve } from './episode.ts';
export { asAgentError, outcomeOf } from './failures.ts';
export { modelCalls } from './model-calls.ts';
export { TauSweep, TauTask, episodeAttributes } from './visibility.ts';
