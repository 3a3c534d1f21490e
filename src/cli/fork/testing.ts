/** Parts of this module that its tests use beyond its entry point. */

export { forkConfig, originConfig, unpricedModels } from './config.ts';
