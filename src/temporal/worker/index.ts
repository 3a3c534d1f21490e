export { installRuntime, startWorkers, type WorkerPool } from './worker.ts';
