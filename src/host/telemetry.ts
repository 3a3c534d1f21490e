/**
 * Logs, metrics and traces of this process, configured by the environment: OpenTelemetry's own variables, and three of
 * this program (`TAUFLOW_METRICS`, `TAUFLOW_LOG`, `TAUFLOW_LOG_LEVEL`). Without them, nothing is sent, and
 * OpenTelemetry is not loaded.
 */

import {
  LOG_LEVELS,
  type LogLevel,
  type LogSettings,
  type MetricsSettings,
  type TraceSettings,
  type Tracing,
} from '../temporal/telemetry/index.ts';
import { createRedactor, forTerminal, type Redact } from '../io/index.ts';
import { UsageError } from '../errors/index.ts';
import { bindAddress, logFormat, version, type Surroundings } from './surroundings.ts';

interface Telemetry {
  /** Traces of the process; null: off. */
  readonly tracing: Tracing | null;
  /** Options of the client that starts and steers sweeps. */
  readonly client: { readonly interceptors?: { readonly workflow: Tracing['client'][] } };
  /**
   * Loads the SDK's worker and sets up its runtime, once, even if called several times. Call it before starting
   * workers.
   */
  readonly loadWorkers: () => Promise<void>;
  /** Sends unsent data, and stops. */
  readonly stop: () => Promise<void>;
}

/**
 * Sets up this process. Call it before anything else of Temporal's SDK.
 * @param worker default level of a worker's log; null: no worker runs in this process
 * @throws UsageError for an unusable variable, and for an address of metrics that another program uses
 */
export async function startTelemetry(context: Surroundings, worker: LogLevel | null): Promise<Telemetry> {
  const { env } = context;
  const traces = traceSettings(env);
  const metrics = await metricsSettings(env);
  const log = worker === null ? null : logSettings(context, worker);
  let loading: Promise<void> | null = null;
  const loadWorkers = () => (loading ??= log === null ? Promise.resolve() : installRuntime(log, metrics));
  // An address of metrics that is in use is refused before a server is started. Traces come after the runtime.
  if (metrics !== null || traces !== null) await loadWorkers();
  if (traces === null) return { tracing: null, client: {}, loadWorkers, stop: () => Promise.resolve() };
  const { startTracing } = await import('../temporal/telemetry/index.ts');
  const tracing = await startTracing(traces, (message) => context.log(`warning: ${message}`));
  const client = { interceptors: { workflow: [tracing.client] } };
  return { tracing, client, loadWorkers, stop: () => tracing.stop() };
}

async function installRuntime(log: LogSettings, metrics: MetricsSettings | null): Promise<void> {
  const { installRuntime: install } = await import('../temporal/worker/index.ts');
  try {
    install(log, metrics);
  } catch (error) {
    if (metrics?.kind !== 'prometheus') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `TAUFLOW_METRICS: metrics cannot be served at ${metrics.bindAddress} (${reason}); each process needs an address of its own.`,
    );
  }
}

export function logSettings({ env, debug, stderr }: Surroundings, usual: LogLevel): LogSettings {
  const given = setting(env, 'TAUFLOW_LOG_LEVEL')?.toUpperCase();
  const level = LOG_LEVELS.find((known) => known === given);
  if (given !== undefined && level === undefined) {
    throw new UsageError(`TAUFLOW_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ').toLowerCase()}.`);
  }
  const format = logFormat(env);
  if (format === null) throw new UsageError('TAUFLOW_LOG must be text or json.');
  const redact = createKeyRedactor(env);
  return {
    level: level ?? (debug ? 'INFO' : usual),
    format,
    // A provider's text reaches the log as well, and so a terminal.
    redact: (text) => forTerminal(redact(text)),
    write: (line) => void stderr.write(`${line}\n`),
  };
}

function createKeyRedactor(env: NodeJS.ProcessEnv): Redact {
  return createRedactor(keysIn(env));
}

/** Returns values of this process that must not appear in logs, by the names of their variables. */
function keysIn(env: NodeJS.ProcessEnv): (string | null)[] {
  const named = Object.entries(env).filter(([name]) => /KEY|TOKEN|SECRET|PASSWORD|HEADERS/i.test(name));
  // For headers (`authorization=…,x-key=…`), also each value by itself.
  return named.flatMap(([, value = '']) => [value.trim(), ...value.split(/[,=]/).map((part) => part.trim())]);
}

export function traceSettings(env: NodeJS.ProcessEnv): TraceSettings | null {
  const endpoint = setting(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? setting(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined || isOff(env, 'OTEL_TRACES_EXPORTER')) return null;
  requireUrl('OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', endpoint);
  const traces = { protocol: readProtocol(env, 'TRACES'), endpoint: shownUrl(endpoint), version };
  if (!capturesContent(env)) return { ...traces, content: null };
  return { ...traces, content: createKeyRedactor(env), batches: contentBatches(env) };
}

/** Limits batches of spans with content, which have tens of kilobytes each, to a size that collectors accept. */
function contentBatches(env: NodeJS.ProcessEnv): NonNullable<TraceSettings['batches']> {
  const isSet = (name: string) => setting(env, name) !== undefined;
  return {
    ...(isSet('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ? {} : { maxExportBatchSize: 32 }),
    ...(isSet('OTEL_BSP_MAX_QUEUE_SIZE') ? {} : { maxQueueSize: 512 }),
  };
}

const CONTENT_VARIABLE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

/** Accepts the values of OpenTelemetry's own instrumentations, and earlier ones (`true`, `false`). */
function capturesContent(env: NodeJS.ProcessEnv): boolean {
  const value = setting(env, CONTENT_VARIABLE)?.toUpperCase() ?? 'FALSE';
  if (['TRUE', 'SPAN_ONLY', 'SPAN_AND_EVENT'].includes(value)) return true;
  if (['FALSE', 'NO_CONTENT'].includes(value)) return false;
  throw new UsageError(
    `${CONTENT_VARIABLE} must be SPAN_ONLY (content in spans) or NO_CONTENT; events are not exported.`,
  );
}

/**
 * Returns the settings of metrics. Prometheus, if requested, takes precedence over OTLP, because a process has one
 * exporter of metrics.
 */
export async function metricsSettings(env: NodeJS.ProcessEnv): Promise<MetricsSettings | null> {
  const served = bindAddress(env, 'TAUFLOW_METRICS');
  if (served !== null) return { kind: 'prometheus', bindAddress: `${served.host}:${served.port}` };
  const own = setting(env, 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT');
  const shared = setting(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = own ?? (shared === undefined ? undefined : `${shared.replace(/(?<!\/)\/+$/, '')}/v1/metrics`);
  if (url === undefined || isOff(env, 'OTEL_METRICS_EXPORTER')) return null;
  requireUrl('OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', url);
  readProtocol(env, 'METRICS');
  const { baggageUtils } = await import('@opentelemetry/core');
  const headers = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_HEADERS'].map((name) =>
    baggageUtils.parseKeyPairsIntoRecord(setting(env, name)),
  );
  const intervalMs = Number(setting(env, 'OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000);
  if (!(intervalMs > 0)) throw new UsageError('OTEL_METRIC_EXPORT_INTERVAL must be a number of milliseconds above 0.');
  return { kind: 'otlp', url, headers: { ...headers[0], ...headers[1] }, intervalMs };
}

function isOff(env: NodeJS.ProcessEnv, exporter: string): boolean {
  const isDisabled = setting(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  return isDisabled || setting(env, exporter)?.toLowerCase() === 'none';
}

function readProtocol(env: NodeJS.ProcessEnv, signal: 'TRACES' | 'METRICS'): TraceSettings['protocol'] {
  const names = [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL'];
  const protocol = names.map((name) => setting(env, name)).find((value) => value !== undefined) ?? 'http/protobuf';
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol;
  throw new UsageError(
    `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, which is not spoken here; set it to http/protobuf or http/json and ` +
      "name the collector's HTTP port (usually 4318), or turn telemetry off with OTEL_SDK_DISABLED=true.",
  );
}

function requireUrl(names: string, url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new UsageError(`${names} is not a URL; write it as http(s)://host:port.`);
}

/** Returns the URL without user, password and query, which may contain a key. */
function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function setting(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
