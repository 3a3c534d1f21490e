import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';

import { ListedOnly } from '../../../src/temporal/telemetry/testing.ts';

function exportedSpan() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ListedOnly(exporter))] });
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED };
  const span = provider.getTracer('test').startSpan('RunActivity:step', {
    kind: SpanKind.CLIENT,
    links: [{ context, attributes: { secret: 'a text' } }],
    attributes: {
      workflowId: 'nightly/task-17/trial-2',
      runId: 'd00d',
      memo: 'a text',
      'tau.action': 'get_user_details',
      'gen_ai.usage.input_tokens': 5,
      'exception.message': 'a text',
    },
  });
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'a text' });
  span.recordException(new Error('a text'));
  span.addEvent('gen_ai.evaluation.result', { 'gen_ai.evaluation.score.value': 1, explanation: 'a text' });
  span.end();
  const [exported] = exporter.getFinishedSpans();
  if (exported === undefined) throw new Error('no span was exported');
  return { span, exported };
}

it('a span leaves with what is listed and nothing else', () => {
  const { exported } = exportedSpan();
  expect(exported.attributes).toEqual({
    temporalWorkflowId: 'nightly/task-17/trial-2',
    run_id: 'd00d',
    'tau.run': 'nightly',
    'tau.task': 17,
    'tau.trial': 2,
    'tau.action': 'get_user_details',
    'gen_ai.usage.input_tokens': 5,
  });
  expect(exported.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(exported.events).toMatchObject([
    { name: 'gen_ai.evaluation.result', attributes: { 'gen_ai.evaluation.score.value': 1 } },
  ]);
  expect(JSON.stringify({ ...exported, resource: null })).not.toContain('a text');
});

it('stays the span that it was', () => {
  const { span, exported } = exportedSpan();
  expect(exported.name).toBe('RunActivity:step');
  expect(exported.kind).toBe(SpanKind.CLIENT);
  expect(exported.spanContext()).toEqual(span.spanContext());
  expect(exported.links).toMatchObject([{ context: { spanId: 'b'.repeat(16) } }]);
});
