/** Parts of this module that its tests use beyond its entry point. */

export { normalCdf, normalQuantile } from './proportions.ts';
export { binomial } from './pass-hat.ts';
