/**
 * Traces of a process: spans of its client, its activities and its workflows, sent by OTLP/HTTP. It is imported only if
 * traces are on, because it loads OpenTelemetry.
 */

import { randomUUID } from 'node:crypto';
import {
  SpanKind,
  SpanStatusCode,
  context as activeContext,
  propagation,
  trace,
  type AttributeValue,
  type Attributes,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator, globalErrorHandler, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { Resource, detectResourcesSync, envDetectorSync } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type BufferConfig,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptors, ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryActivityOutboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { CallModel } from '../../models/index.ts';
import type { Redact } from '../../io/index.ts';
import { firstLine } from '../../errors/index.ts';
import { traceContent, traceStepContent } from './content.ts';
import {
  toConventionalProvider,
  toModelAnswer,
  toModelCall,
  type TracedAnswer,
  type TracedCall,
} from './model-calls.ts';
import { parseWorkflowId } from '../../evaluation/index.ts';
import { sumUsage, type RecordInput, type StepInput, type StepOutput } from '../../episode/index.ts';
import type { GradeOutput } from '../../benchmarks/index.ts';

/**
 * Settings of the traces. Address, headers and limits are OpenTelemetry's own variables, which its exporter reads
 * itself.
 */
export interface TraceSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Address of the collector, for the warning if it does not answer. */
  readonly endpoint: string;
  /** Tauflow's version, for the trace's resource. */
  readonly version: string;
  /** Redacts the content of model and tool calls before it is exported; null: no content is exported. */
  readonly content: Redact | null;
  /** Limits of the batches of spans. @default OpenTelemetry's variables */
  readonly batches?: Pick<BufferConfig, 'maxExportBatchSize' | 'maxQueueSize'>;
}

export interface Tracing {
  /** Interceptor of the client that starts and steers sweeps. */
  readonly client: WorkflowClientInterceptor;
  /** Wraps the process's model calls, to trace them. */
  readonly traceCalls: (callModel: CallModel) => CallModel;
  /** Interceptors of every Worker of the process. */
  readonly activity: readonly ActivityInterceptorsFactory[];
  /** Sink for spans of workflows, because their sandbox has no other access. */
  readonly sinks: NonNullable<WorkerOptions['sinks']>;
  /** Sends the remaining spans, for at most a few seconds. */
  stop(): Promise<void>;
}

/** Longest wait for a collector, in ms, so that a silent collector does not keep a command from ending. */
const STOP_MS = 3_000;

/**
 * Starts the traces of a process; call it once.
 * @param warn called once if spans cannot be sent; work continues without them
 */
export function startTracing(settings: TraceSettings, warn: (message: string) => void): Tracing {
  warnOnce(settings.endpoint, warn);
  const exporter = settings.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const { content } = settings;
  const processor = new BatchSpanProcessor(new ListedOnly(exporter), settings.batches);
  const service = {
    'service.name': 'tauflow',
    'service.version': settings.version,
    'service.instance.id': randomUUID(),
  };
  const resource = new Resource(service).merge(
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
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
      ...(content === null ? [] : [traceStepContent(content)]),
    ],
    traceCalls: (callModel) => (content === null ? callModel : traceContent(callModel, content)),
    sinks: { ...{ exporter: makeWorkflowExporter(processor, resource) } },
    stop: () => withinMs(provider.shutdown().catch(globalErrorHandler), STOP_MS),
  };
}

/** Traces calls that change something. Other calls are not traced, because commands read every second. */
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
  let isReported = false;
  setGlobalErrorHandler((error) => {
    if (isReported) return;
    isReported = true;
    warn(`traces cannot be sent to ${endpoint} (${firstLine(error)}); the work goes on without them`);
  });
}

async function withinMs(work: Promise<void>, ms: number): Promise<void> {
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

type ExportCallback = Parameters<SpanExporter['export']>[1];

/** Passes spans on to `inner` without error texts, memos and unlisted attributes. */
export class ListedOnly implements SpanExporter {
  readonly #inner: SpanExporter;

  constructor(inner: SpanExporter) {
    this.#inner = inner;
  }

  export(spans: ReadableSpan[], callback: ExportCallback): void {
    this.#inner.export(spans.map(listedOnly), callback);
  }

  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.#inner.shutdown();
  }
}

/** Attributes that the interceptors of workflows, activities and clients name differently, with their common names. */
const RENAMED: Readonly<Record<string, string>> = { workflowId: 'temporalWorkflowId', runId: 'run_id' };

const LISTED: ReadonlySet<string> = new Set([
  ...['temporalWorkflowId', 'temporalActivityId', 'temporalUpdateId', 'run_id', 'workflowType', 'taskQueue'],
  ...['namespace', 'error.type', 'http.response.status_code'],
]);

/** OpenTelemetry's event of a graded episode. */
const EVALUATION = 'gen_ai.evaluation.result';

const isListed = (name: string): boolean => LISTED.has(name) || /^(?:tau|gen_ai)\./.test(name);

function listedOnly(span: ReadableSpan): ReadableSpan {
  const { parentSpanId } = span;
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    // Without the status's message and the SDK's events, which contain error texts.
    status: { code: span.status.code },
    events: span.events
      .filter(({ name }) => name === EVALUATION)
      .map(({ name, time, attributes }) => ({ name, time, attributes: listedAttributes(attributes ?? {}) })),
    attributes: listedAttributes(span.attributes),
    links: span.links.map(({ context }) => ({ context: bareContext(context) })),
    resource: span.resource,
    instrumentationLibrary: span.instrumentationLibrary,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function listedAttributes(given: Attributes): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const known = RENAMED[name] ?? name;
    if (value !== undefined && isListed(known)) attributes[known] = value;
  }
  const workflowId = attributes['temporalWorkflowId'];
  return typeof workflowId === 'string' ? { ...attributes, ...placeAttributes(workflowId) } : attributes;
}

/** Returns the attributes `tau.run`, and `tau.lane`, `tau.task`, `tau.trial`, `tau.fork` if the workflow has them. */
function placeAttributes(workflowId: string): Attributes {
  const place = Object.entries(parseWorkflowId(workflowId)) as [string, string | number][];
  return Object.fromEntries(place.map(([name, value]) => [`tau.${name}`, value]));
}

function bareContext({ traceId, spanId, traceFlags }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags };
}

/** Adds facts to the active span, which Temporal's interceptor has started. */
export function describeActivitySpan({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        const span = trace.getActiveSpan();
        span?.setAttribute('tau.attempt', info.attempt);
        const work = () => next(input);
        try {
          const [first] = input.args;
          const call = toModelCall(info.activityType, first);
          if (call !== null) return await modelCall(call, info, work);
          switch (info.activityType) {
            case 'step':
              return await runInSpan(span, stepAttributes(first as StepInput), work, stepResultAttributes);
            case 'grade':
              return await runInSpan(span, {}, work, gradeAttributes);
            case 'record':
              addEvaluation(span, first as RecordInput);
              return await runInSpan(span, recordAttributes(first as RecordInput), work);
            default:
              return await work();
          }
        } catch (error) {
          span?.setAttributes(failureAttributes(error));
          throw error;
        }
      },
    },
  };
}

type Work = () => ReturnType<NonNullable<NonNullable<ActivityInterceptors['inbound']>['execute']>>;

async function runInSpan<Output>(
  span: Span | undefined,
  before: Attributes,
  work: Work,
  after: (output: Output) => Attributes = () => ({}),
): Promise<unknown> {
  span?.setAttributes(before);
  const output = await work();
  span?.setAttributes(after(output as Output));
  return output;
}

/** Starts a span for a model call inside its activity's span, because the conventions require a client span. */
async function modelCall(asked: TracedCall, info: Context['info'], work: Work): Promise<unknown> {
  const { model, maxCompletionTokens, role, call, seed, episode, format } = asked;
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': toConventionalProvider(model.provider),
    'gen_ai.request.model': model.model,
    'gen_ai.output.type': format,
    'tau.task': episode.taskId,
    'tau.trial': episode.trial,
    'tau.role': role,
    'tau.call': call,
    'tau.attempt': info.attempt,
    temporalActivityId: info.activityId,
    ...(seed === null ? {} : { 'gen_ai.request.seed': seed }),
    ...(maxCompletionTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxCompletionTokens }),
    ...(model.temperature === null ? {} : { 'gen_ai.request.temperature': model.temperature }),
    'gen_ai.request.top_p': model.top_p,
    'gen_ai.conversation.id': info.workflowExecution?.workflowId,
    temporalWorkflowId: info.workflowExecution?.workflowId,
  };
  const tracer = trace.getTracer('tauflow');
  return await tracer.startActiveSpan(`chat ${model.model}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const output = await work();
      const answer = toModelAnswer(output);
      if (answer !== null) span.setAttributes(answerAttributes(answer));
      return output;
    } catch (error) {
      span.setAttributes(failureAttributes(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

function answerAttributes({ usage, servedModel, finishReason, costUsd, cached }: TracedAnswer): Attributes {
  return {
    'gen_ai.response.model': servedModel,
    'gen_ai.response.finish_reasons': [finishReason],
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
    ...(usage.cacheWriteTokens === undefined
      ? {}
      : { 'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens }),
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
    ...(costUsd === null ? {} : { 'tau.cost_usd': costUsd }),
    ...(cached === true ? { 'tau.cached': true } : {}),
  };
}

/** Matches names of tools; any other name is the model's own text. */
const ACTION_NAME = /^[A-Za-z_][\w-]{0,63}$/;

function stepAttributes({ action, writes }: StepInput): Attributes {
  const name = ACTION_NAME.test(action.name) ? action.name : 'not a name';
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'tau.action': name,
    'tau.writes': writes.length,
  };
}

function stepResultAttributes({ changed, done }: StepOutput): Attributes {
  return { 'tau.changed': changed, 'tau.done': done };
}

function gradeAttributes(output: GradeOutput): Attributes {
  return output.kind === 'graded' ? { 'tau.reward': output.info.reward } : {};
}

function recordAttributes({ outcome, reward, steps, usage }: RecordInput): Attributes {
  const { costUsd } = sumUsage(usage);
  return {
    'tau.outcome': outcome.kind,
    'tau.reward': reward,
    'tau.steps': steps.length,
    ...(costUsd === null ? {} : { 'tau.cost_usd': costUsd }),
  };
}

/**
 * Adds an event for an episode with a score. Infrastructure errors, and episodes in which the agent only decided, have
 * no score.
 */
function addEvaluation(span: Span | undefined, { grade, outcome, reward }: RecordInput): void {
  const isCut = outcome.kind === 'max_steps' || outcome.kind === 'agent_error';
  if (grade?.kind !== 'graded' && !isCut) return;
  span?.addEvent(EVALUATION, {
    'gen_ai.evaluation.name': 'tau_bench.reward',
    'gen_ai.evaluation.score.value': reward,
    'gen_ai.evaluation.score.label': reward === 1 ? 'pass' : 'fail',
  });
}

/**
 * Returns the kind of a failure, and the provider's status if there was one. The message is left out, because it may
 * quote a prompt.
 */
function failureAttributes(error: unknown): Attributes {
  if (!(error instanceof ApplicationFailure)) return { 'error.type': error instanceof Error ? error.name : 'Error' };
  const [details] = (error.details ?? []) as [{ readonly status?: unknown } | null | undefined];
  const status = details?.status;
  return {
    'error.type': error.type ?? 'ApplicationFailure',
    ...(typeof status === 'number' ? { 'http.response.status_code': status } : {}),
  };
}
