/** Parts of this module that its tests use beyond its entry point. */

export * from './index.ts';
export { drawUnit } from './draw.ts';
export { invert, renameInAnswer } from './names.ts';
export type { CallPlace, TakenCall } from './port.ts';
