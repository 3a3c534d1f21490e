/** Parts of this module that its tests use beyond its entry point. */

export { airlineTasks } from './airline/tasks/domain.ts';
export { generatePack, type GeneratedPack } from './generate.ts';
export { DIFFICULTIES, LEVELS, type Difficulty, type GenerateOptions } from './options.ts';
export { Random } from './random.ts';
export { retailTasks } from './retail/tasks/domain.ts';
export { drawTasks, type DrawOptions } from './tasks/draw-tasks.ts';
export { literal, named, statement } from './tasks/ground.ts';
export { findDefects, type Claim } from './tasks/proof.ts';
export { DrawContext, Script, type Family, type TaskDomain } from './tasks/scenario.ts';
