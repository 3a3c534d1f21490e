/** Parts of this module that its tests use beyond its entry point. */

export { addRunFlags, givenFlags } from './flags.ts';
