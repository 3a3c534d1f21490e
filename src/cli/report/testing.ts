/** Parts of this module that its tests use beyond its entry point. */

export { verdict } from './print.ts';
