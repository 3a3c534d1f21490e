/** Parts of this module that its tests use beyond its entry point. */

export { LogStore } from './log-store.ts';
export { inWritingOrder, isKept } from './parts.ts';
