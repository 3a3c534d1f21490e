/** Parts of this module that its tests use beyond its entry point. */

export type { CodecServer } from './server.ts';
