/** Parts of this module that its tests use beyond its entry point. */

export { windUp, type Patience, type Winding } from './cancel.ts';
export { parseSelection, selectEpisodes } from './rerun.ts';
