/**
 * The process host: starts and stops the parts that a command needs: telemetry, the connection, checks, rate limits,
 * the scripted model, workers.
 */

export type { ScriptedOptions } from './activities.ts';
export { cachePlace } from './completion-cache.ts';
export { serveHealth } from './health.ts';
export { withHost, type WorkerHost } from './host.ts';
export { chooseProviders, leftToOthers, requireProviders } from './providers.ts';
export { applyRateLimits, queuesOfRun, servedEndpoints, withEndpoints, type RunQueues } from './queues.ts';
export { startRunWorkers } from './run-workers.ts';
