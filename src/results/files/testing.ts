/** Parts of this module that its tests use beyond its entry point. */

export { parseResults } from './read.ts';
export { resultsEntry } from './write.ts';
