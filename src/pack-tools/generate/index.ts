/** Generates synthetic packs: tables, texts, and tasks whose ground truth is proven. */

export { generatePack, writePack } from './generate.ts';
export { DIFFICULTIES, flagOf, type GenerateOptions } from './options.ts';
