/** Parts of this module that its tests use beyond its entry point. */

export { trainForImport } from './train.ts';
