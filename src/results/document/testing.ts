/** Parts of this module that its tests use beyond its entry point. */

export { escapeMarkup } from './markdown.ts';
