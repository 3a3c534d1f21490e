import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/errors/index.ts';
import { jsonLogLine } from '../../src/cli/testing.ts';
import { logSettings, metricsSettings, traceSettings } from '../../src/host/testing.ts';
import { formatLogLine } from '../../src/temporal/telemetry/testing.ts';
import { inProcessContext } from './in-process.ts';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('traces', () => {
  it('are off while no collector is named', () => {
    expect(traceSettings({})).toBeNull();
    expect(traceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeNull();
  });

  it('are on when one is', () => {
    expect(traceSettings(COLLECTOR)).toMatchObject({ protocol: 'http/protobuf', endpoint: 'http://127.0.0.1:4318/' });
    expect(traceSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/v1/traces' })).not.toBeNull();
    expect(traceSettings({ ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })?.protocol).toBe('http/json');
  });

  it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('are off with %j', (off) => {
    expect(traceSettings({ ...COLLECTOR, ...off })).toBeNull();
  });

  it('are refused in a protocol that is not spoken, with the way out', () => {
    const grpc = { ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(() => traceSettings(grpc)).toThrow(/is grpc.*http\/protobuf or http\/json.*4318.*OTEL_SDK_DISABLED=true/);
    expect(() => traceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(UsageError);
  });

  it('name their collector without what may be a key', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:secret@t.example/x?token=secret' };
    expect(traceSettings(env)?.endpoint).toBe('https://t.example/x');
  });
});

describe('content of messages in traces', () => {
  const CAPTURE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

  it.each([undefined, '', 'false', 'NO_CONTENT'])('is off with %j', (value) => {
    const env = value === undefined ? COLLECTOR : { ...COLLECTOR, [CAPTURE]: value };
    expect(traceSettings(env)).toMatchObject({ content: null });
    expect(traceSettings(env)).not.toHaveProperty('batches');
  });

  it.each(['true', 'span_only', 'SPAN_AND_EVENT'])('is on with %j, in smaller batches and without keys', (value) => {
    const env = { ...COLLECTOR, [CAPTURE]: value, OPENAI_API_KEY: 'nobodys-key-0123456789' };
    const settings = traceSettings(env);
    expect(settings?.content?.('with nobodys-key-0123456789 in it')).toBe('with [redacted] in it');
    expect(settings?.batches).toEqual({ maxExportBatchSize: 32, maxQueueSize: 512 });
    expect(traceSettings({ ...env, OTEL_BSP_MAX_QUEUE_SIZE: '9' })?.batches).toEqual({ maxExportBatchSize: 32 });
  });

  it.each(['EVENT_ONLY', 'yes'])('is refused with %j', (value) => {
    expect(() => traceSettings({ ...COLLECTOR, [CAPTURE]: value })).toThrow(/must be SPAN_ONLY .* events/);
  });
});

describe('metrics', () => {
  it('are off while nothing asks for them', async () => {
    expect(await metricsSettings({})).toBeNull();
    expect(await metricsSettings({ ...COLLECTOR, OTEL_METRICS_EXPORTER: 'none' })).toBeNull();
    expect(await metricsSettings({ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  });

  it('go to the collector, with its headers', async () => {
    const env = {
      ...COLLECTOR,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc,team=a%20b',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'api-key=def',
      OTEL_METRIC_EXPORT_INTERVAL: '5000',
    };
    expect(await metricsSettings(env)).toEqual({
      kind: 'otlp',
      url: 'http://127.0.0.1:4318/v1/metrics',
      headers: { 'api-key': 'def', team: 'a b' },
      intervalMs: 5000,
    });
  });

  it('are served for Prometheus where that is asked for', async () => {
    const env = { ...COLLECTOR, TAUFLOW_METRICS: '127.0.0.1:9464' };
    expect(await metricsSettings(env)).toEqual({ kind: 'prometheus', bindAddress: '127.0.0.1:9464' });
  });

  it.each(['9464', 'localhost:9464', 'metrics'])('are refused at %j', async (address) => {
    await expect(metricsSettings({ TAUFLOW_METRICS: address })).rejects.toThrow(/such as 127\.0\.0\.1:9464/);
  });
});

describe('logs', () => {
  const settings = (env: Record<string, string>) => logSettings(inProcessContext([], { env }).context, 'INFO');

  it('are lines for people at the usual level', () => {
    expect(settings({})).toMatchObject({ level: 'INFO', format: 'text' });
  });

  it('are JSON, and at another level, where that is asked for', () => {
    expect(settings({ TAUFLOW_LOG: 'json', TAUFLOW_LOG_LEVEL: 'debug' })).toMatchObject({
      level: 'DEBUG',
      format: 'json',
    });
  });

  it.each<Record<string, string>>([{ TAUFLOW_LOG: 'xml' }, { TAUFLOW_LOG_LEVEL: 'loud' }])(
    'are refused as %j',
    (env) => {
      expect(() => settings(env)).toThrow(UsageError);
    },
  );

  it('have no key of the environment in them', () => {
    const { redact } = settings({ OPENAI_API_KEY: 'abcdefghijklmnop', OTEL_EXPORTER_OTLP_HEADERS: 'x=1234567890' });
    expect(redact('abcdefghijklmnop and x=1234567890')).toBe('[redacted] and [redacted]');
  });

  it.each(['text', 'json'])('have nothing in them that steers a terminal, as %s', (format) => {
    const { redact } = settings({ TAUFLOW_LOG: format });
    const reason = '503 a\u001b]52;c;cm0gLXJm\u0007b \u001b]0;owned\u0007\u001b[2Jc\u009b1mK\u202ed\r';
    const meta = { sdkComponent: 'activity', reason } as const;
    const message = 'model call failed and will be made again';
    const line = { level: 'WARN', message, meta, timestampNanos: 0n } as const;
    const text = formatLogLine(line, { format: format === 'json' ? 'json' : 'text', redact });
    expect(text).toContain('503 ab cKd');
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]|cm0gLXJm|owned/);
  });

  it('report what a command says, with its level', () => {
    const at = new Date(0);
    const line = (text: string) => JSON.parse(jsonLogLine(text, at)) as unknown;
    const timestamp = '1970-01-01T00:00:00.000Z';
    expect(line('run started')).toEqual({ timestamp, level: 'INFO', message: 'run started' });
    expect(line('warning: it rains')).toEqual({ timestamp, level: 'WARN', message: 'it rains' });
    expect(line('error: it pours')).toEqual({ timestamp, level: 'ERROR', message: 'it pours' });
  });
});
