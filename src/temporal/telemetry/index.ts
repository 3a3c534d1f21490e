/** Telemetry of a process: logs, metrics and traces of its workers, activities and workflows. */

import type { TraceSettings, Tracing } from './tracing.ts';

export { LOG_LEVELS, logActivities, createLogSink, type LogLevel, type LogSettings } from './logs.ts';
export { measureActivities, metricsOptions, type MetricsSettings } from './metrics.ts';
export type { TraceSettings, Tracing } from './tracing.ts';

/**
 * Starts tracing, once per process; OpenTelemetry is loaded only here.
 * @param warn called once if spans cannot be sent; work continues without them
 */
export async function startTracing(settings: TraceSettings, warn: (message: string) => void): Promise<Tracing> {
  const tracing = await import('./tracing.ts');
  return tracing.startTracing(settings, warn);
}
