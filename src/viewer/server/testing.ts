/** Parts of this module that its tests use beyond its entry point. */

export { VersionedCache, findViewed } from './folder.ts';
export { LiveReader } from './live.ts';
export { RunReader } from './run.ts';
export { searchLines } from './search.ts';
