/** Parts of this module that its tests use beyond its entry point. */

export { tracingModule, workflowBundle, writeBundle } from './bundle.ts';
export { engineFlags } from './engine-flags.ts';
export { runRestarting } from './worker.ts';
