/** Parts of this module that its tests use beyond its entry point. */

export { addRunFlags, givenFlags } from './flags.ts';
export { ALIASES, runOptions, type RawRunOptions } from './names.ts';
export { defaultOf, parseRunOptions } from './parse.ts';
export { keyedConfig, recordedOptions } from './record.ts';
