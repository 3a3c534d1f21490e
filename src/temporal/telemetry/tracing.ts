/**
 * Traces of a process: what its client, its activities and its workflows do, sent by OTLP/HTTP. Imported only where
 * traces are on, because OpenTelemetry is loaded with it.
 */

import { propagation, trace, context as activeContext } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { globalErrorHandler, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResourcesSync, envDetectorSync, Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryActivityOutboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import { firstLine } from '../../errors/index.ts';
import { describeActivitySpan } from './activity-spans.ts';
import { ListedOnly } from './exported-spans.ts';
import type { TraceSettings } from './settings.ts';

export interface Tracing {
  /** Of the client that starts and steers sweeps. */
  readonly client: WorkflowClientInterceptor;
  /** Of every Worker of the process. */
  readonly activity: readonly ActivityInterceptorsFactory[];
  /** Where workflows, whose sandbox reaches nothing, hand their spans out. */
  readonly sinks: NonNullable<WorkerOptions['sinks']>;
  /** Sends what is left, for at most a few seconds. */
  stop(): Promise<void>;
}

/** A collector that does not answer must not keep a command from ending. */
const STOP_MS = 3_000;

/**
 * To be called once in a process.
 * @param warn is told once when spans cannot be sent; the work goes on without them
 */
export function startTracing(settings: TraceSettings, warn: (message: string) => void): Tracing {
  warnOnce(settings.endpoint, warn);
  const exporter = settings.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const processor = new BatchSpanProcessor(new ListedOnly(exporter));
  const resource = new Resource({ 'service.name': 'tauflow', 'service.version': settings.version }).merge(
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    detectResourcesSync({ detectors: [envDetectorSync] }),
  );
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  activeContext.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

  return {
    client: clientInterceptor(),
    activity: [
      (context) => ({
        inbound: new OpenTelemetryActivityInboundInterceptor(context),
        outbound: new OpenTelemetryActivityOutboundInterceptor(context),
      }),
      describeActivitySpan,
    ],
    sinks: { ...{ exporter: makeWorkflowExporter(processor, resource) } },
    stop: () => withinTime(provider.shutdown().catch(globalErrorHandler), STOP_MS),
  };
}

/** What changes something is traced; looking on, which commands do every second, is not. */
function clientInterceptor(): WorkflowClientInterceptor {
  const temporals = new OpenTelemetryWorkflowClientInterceptor();
  return {
    start: (input, next) => temporals.start(input, next),
    startWithDetails: (input, next) => temporals.startWithDetails(input, next),
    startUpdate: (input, next) => temporals.startUpdate(input, next),
    signal: (input, next) => temporals.signal(input, next),
    cancel: (input, next) => temporals.cancel(input, next),
  };
}

function warnOnce(endpoint: string, warn: (message: string) => void): void {
  let isTold = false;
  setGlobalErrorHandler((error) => {
    if (isTold) return;
    isTold = true;
    warn(`traces cannot be sent to ${endpoint} (${firstLine(error)}); the work goes on without them`);
  });
}

async function withinTime(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
