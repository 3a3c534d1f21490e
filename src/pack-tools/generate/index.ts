export { generatePack } from './generate.ts';
export { DIFFICULTIES } from './level.ts';
export { flagOf, type GenerateOptions } from './options.ts';
export { writePack } from './write.ts';
