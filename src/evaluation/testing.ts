/** Parts of this module that its tests use beyond its entry point. */

export { extendDigest, flattenMessages, prefixDigest, spliceChain } from './transcript.ts';
