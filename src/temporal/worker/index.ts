/** Temporal workers of this process, with the workflow bundle that they run. */

export { installRuntime, startWorkers, type WorkerPool, type WorkerPoolOptions } from './worker.ts';
