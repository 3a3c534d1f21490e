export { logActivities } from './activity-logs.ts';
export { measureActivities } from './activity-metrics.ts';
export { loggerOf, metricsOptions } from './runtime.ts';
export { LOG_LEVELS, type LogLevel, type LogSettings, type MetricsSettings, type TraceSettings } from './settings.ts';
export { startTracing, type Tracing } from './tracing.ts';
