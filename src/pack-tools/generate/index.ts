/** Generates synthetic packs: tables, texts, and tasks whose ground truth is proven. */

export { generatePack } from './generate.ts';
export { DIFFICULTIES, flagOf, type GenerateOptions } from './options.ts';
export { writePack } from './write.ts';
