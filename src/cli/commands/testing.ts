/** Parts of this module that its tests use beyond its entry point. */

export { defineWorkerCommand } from './worker.ts';
