/** Parts of this module that its tests use beyond its entry point. */

export { entryPath, shelfName, parseShelf } from './folder.ts';
export { canonicalJson, completionKey } from './key.ts';
export type { CompletionPlace } from './store.ts';
