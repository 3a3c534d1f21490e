/**
 * Traces of workflows, with Temporal's own tracer, context and exporter for their sandbox. It is only in the traced
 * bundle, because each cached workflow has a copy of it.
 *
 * No function here is `async`, so that workflow code awaits the same promises as without traces. Temporal's
 * interceptors wrap them, which adds turns of the microtask queue, and can change the order of two simultaneous events.
 * So traces can be turned on and off in the middle of a run.
 *
 * An episode has a trace of its own, linked to the sweep's, because trace viewers cannot show thousands of episodes in
 * one trace. Signals, updates and queries are traced by their senders.
 */

import { context, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  ContinueAsNew,
  workflowInfo,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import {
  extractContextFromHeaders,
  headersWithContext,
  OpenTelemetryInternalsInterceptor,
  OpenTelemetryOutboundInterceptor,
  SPAN_DELIMITER,
  SpanName,
} from '../sdk-internals/workflow-tracing.ts';
import { costOfEpisode, type EpisodeSummary } from '../../evaluation/index.ts';

// The SDK requires this name.
export const interceptors: WorkflowInterceptorsFactory = () => ({
  // Created first, because it registers the tracer that the others use.
  outbound: [new OutboundInterceptor()],
  inbound: [inbound],
  internals: [new OpenTelemetryInternalsInterceptor()],
});

type Calls = Required<WorkflowOutboundCallsInterceptor>;

class OutboundInterceptor extends OpenTelemetryOutboundInterceptor {
  override scheduleActivity(...[input, next]: Parameters<Calls['scheduleActivity']>): Promise<unknown> {
    const span = startSpan(SpanName.ACTIVITY_START, input.activityType);
    return watchSpan(span, () => next({ ...input, headers: headersWithContext(input.headers) }));
  }

  override startChildWorkflowExecution(
    ...[input, next]: Parameters<Calls['startChildWorkflowExecution']>
  ): ReturnType<Calls['startChildWorkflowExecution']> {
    const span = startSpan(SpanName.CHILD_WORKFLOW_START, input.workflowType);
    span.setAttribute('tau.child', input.options.workflowId ?? '');
    return watchSpan(span, () => next({ ...input, headers: headersWithContext(input.headers) }));
  }

  override signalWorkflow(...[input, next]: Parameters<Calls['signalWorkflow']>): Promise<void> {
    const span = startSpan(SpanName.WORKFLOW_SIGNAL, input.signalName);
    return watchSpan(span, () => next({ ...input, headers: headersWithContext(input.headers) }));
  }
}

const inbound: WorkflowInboundCallsInterceptor = {
  execute(input, next) {
    const opener = extractContextFromHeaders(input.headers) ?? context.active();
    const { workflowType } = workflowInfo();
    const name = `${SpanName.WORKFLOW_EXECUTE}${SPAN_DELIMITER}${workflowType}`;
    if (workflowType !== 'episode') return watchSpan(tracer().startSpan(name, {}, opener), () => next(input));
    const link = trace.getSpanContext(opener);
    const span = tracer().startSpan(name, { root: true, links: link === undefined ? [] : [{ context: link }] });
    return watchSpan(span, () => next(input), summaryAttributes);
  },
};

const tracer = () => trace.getTracer('tauflow');

function startSpan(kind: SpanName, what: string): Span {
  return tracer().startSpan(`${kind}${SPAN_DELIMITER}${what}`);
}

/** Ends the span at the end of the work. @returns the work's own promise */
function watchSpan<T>(
  span: Span,
  start: () => Promise<T>,
  describe: (end: unknown) => Attributes = () => ({}),
): Promise<T> {
  const work = context.with(trace.setSpan(context.active(), span), start);
  void work.then(
    (result) => {
      span.setAttributes(describe(result)).setStatus({ code: SpanStatusCode.OK }).end();
    },
    (error: unknown) => {
      const [details]: unknown[] = error instanceof ApplicationFailure ? (error.details ?? []) : [];
      span
        .setAttributes({ ...describe(details), ...failureAttributes(error) })
        .setStatus({ code: toSpanStatus(error) })
        .end();
    },
  );
  return work;
}

function toSpanStatus(error: unknown): SpanStatusCode {
  if (error instanceof ContinueAsNew) return SpanStatusCode.OK;
  const isBenign = error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN;
  return isBenign ? SpanStatusCode.UNSET : SpanStatusCode.ERROR;
}

function failureAttributes(error: unknown): Attributes {
  if (error instanceof ContinueAsNew || !(error instanceof Error)) return {};
  return { 'error.type': (error instanceof ApplicationFailure ? error.type : undefined) ?? error.name };
}

/** @param end result of an episode, or the first detail of its failure */
function summaryAttributes(end: unknown): Attributes {
  if (typeof end !== 'object' || end === null || !('outcome' in end)) return {};
  const { outcome, reward, steps, calls, promptTokens, completionTokens, ...costs } = end as EpisodeSummary;
  const costUsd = costOfEpisode(costs);
  return {
    'tau.outcome': outcome,
    'tau.reward': reward,
    'tau.steps': steps,
    'tau.calls': calls,
    'tau.input_tokens': promptTokens,
    'tau.output_tokens': completionTokens,
    ...(costUsd === null ? {} : { 'tau.cost_usd': costUsd }),
  };
}
