/** Parts of this module that its tests use beyond its entry point. */

export { fewShotsText } from './few-shots.ts';
