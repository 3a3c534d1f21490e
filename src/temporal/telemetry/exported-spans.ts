/**
 * What leaves this machine of a span: what is listed here, and nothing else. The interceptors put whatever the SDK knows
 * into attributes, and the messages of errors into events; a memo, a prompt or a customer's address could be among it.
 */

import type { Attributes, AttributeValue, SpanContext } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { parseWorkflowId } from '../../wire/index.ts';

type ExportCallback = Parameters<SpanExporter['export']>[1];

/** Passes spans on to `inner` without texts of the conversation, of errors, or of arguments. */
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

/** The interceptors of workflows, activities and clients have two names each for these. */
const RENAMED: Readonly<Record<string, string>> = { workflowId: 'temporalWorkflowId', runId: 'run_id' };

const LISTED: ReadonlySet<string> = new Set([
  ...['temporalWorkflowId', 'temporalActivityId', 'temporalUpdateId', 'run_id', 'workflowType', 'taskQueue'],
  ...['namespace', 'error.type', 'http.response.status_code'],
]);

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
    // Its message is an error's, and so are the events.
    status: { code: span.status.code },
    events: [],
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

/** `tau.run`, and `tau.lane`, `tau.task`, `tau.trial`, `tau.fork` where the workflow has them. */
function placeAttributes(workflowId: string): Attributes {
  const place = Object.entries(parseWorkflowId(workflowId)) as [string, string | number][];
  return Object.fromEntries(place.map(([name, value]) => [`tau.${name}`, value]));
}

function bareContext({ traceId, spanId, traceFlags }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags };
}
