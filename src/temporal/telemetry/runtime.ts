/** The SDK's runtime of a process: its log, and where metrics go. */

import { DefaultLogger, type TelemetryOptions } from '@temporalio/worker';
import { BUCKETS } from './activity-metrics.ts';
import { formatLogLine, type LogLine } from './log-lines.ts';
import type { LogSettings, MetricsSettings } from './settings.ts';

export function loggerOf(settings: LogSettings): DefaultLogger {
  return new DefaultLogger(settings.level, (line) => {
    if (settings.level === 'DEBUG' || !isChatter(line)) settings.write(formatLogLine(line, settings));
  });
}

/**
 * The SDK tells how each Worker is made and which state it is in, and warns of those without workflows, which are those
 * of model calls. The process itself says when it works.
 */
function isChatter({ level, message, meta }: LogLine): boolean {
  if (meta?.['sdkComponent'] !== 'worker') return false;
  return level === 'INFO' || message.startsWith('No workflows registered');
}

export function metricsOptions(settings: MetricsSettings): NonNullable<TelemetryOptions['metrics']> {
  const shared = { useSecondsForDurations: true, histogramBucketOverrides: { ...BUCKETS } };
  if (settings.kind === 'prometheus') return { prometheus: { ...shared, bindAddress: settings.bindAddress } };
  const { url, headers, intervalMs } = settings;
  return { otel: { ...shared, url, http: true, headers: { ...headers }, metricsExportInterval: intervalMs } };
}
