/** Parts of this module that its tests use beyond its entry point. */

export { Archive } from './archive.ts';
export { parsePart, readJsonParts, type Choice } from './json-parts.ts';
