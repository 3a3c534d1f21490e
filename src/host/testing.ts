/** Parts of this module that its tests use beyond its entry point. */

export type { HealthSource } from './health.ts';
export type { HostParts, ProcessHost, WorkerNeeds } from './host.ts';
export { putUp } from './put-up.ts';
export { logSettings, metricsSettings, traceSettings } from './telemetry.ts';
