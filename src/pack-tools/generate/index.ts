export { generatePack } from './generate.ts';
export { DIFFICULTIES, flagOf, type GenerateOptions } from './options.ts';
export { writePack } from './write.ts';
