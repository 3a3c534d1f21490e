import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Context } from '@temporalio/activity';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallModel, ModelReply, ModelRequest } from '../../../src/models/index.ts';
import {
  MAX_ATTRIBUTE_CHARS,
  MAX_TEXT_CHARS,
  traceContent,
  traceStepContent,
} from '../../../src/temporal/telemetry/testing.ts';

const TOOL = { name: 'get_order_details', description: 'Details of an order.', parameters: { type: 'object' } };
const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: TOOL.name, arguments: '{"order_id":"#W1"}' },
} as const;
const REQUEST: ModelRequest = {
  provider: 'openai',
  model: 'gpt-4o',
  temperature: 0,
  idempotencyKey: 'key',
  messages: [
    { role: 'system', content: 'The policy, with SECRET in it.' },
    { role: 'user', content: 'Where is my order?' },
    { role: 'assistant', content: null, tool_calls: [CALL] },
    { role: 'tool', tool_call_id: 'call_1', name: TOOL.name, content: '{"status": "pending"}' },
  ],
  tools: [{ type: 'function', function: TOOL }],
};
const REPLY: ModelReply = {
  message: { role: 'assistant', content: '<think>Easy.</think>It is pending.', tool_calls: [CALL] },
  finishReason: 'tool_calls',
  usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
  usageReported: true,
  servedModel: 'gpt-4o',
  fingerprint: null,
  requestId: null,
  latencyMs: 1,
};
const CALL_PART = { type: 'tool_call', id: 'call_1', name: TOOL.name, arguments: { order_id: '#W1' } };
const redact = (text: string) => text.replaceAll('SECRET', '[redacted]');

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

beforeEach(() => exporter.reset());
afterAll(() => context.disable());

/** Attributes of the span that is active while the work is done; lists are parsed. */
async function attributesWhile(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const span = provider.getTracer('test').startSpan('chat');
  await context.with(trace.setSpan(context.active(), span), work).catch(() => undefined);
  span.end();
  const attributes = exporter.getFinishedSpans()[0]?.attributes ?? {};
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) =>
      typeof value === 'string' && value.startsWith('[') ? [name, JSON.parse(value) as unknown] : [name, value],
    ),
  );
}

function attributesOfCall(request: Partial<ModelRequest> = {}, reply: Partial<ModelReply> = {}) {
  const callModel: CallModel = () => Promise.resolve({ ...REPLY, ...reply });
  return attributesWhile(() => traceContent(callModel, redact)({ ...REQUEST, ...request }, { timeoutMs: 1 }));
}

describe("a model call's span", () => {
  it('has its messages, its tools and its reply in the form of the conventions', async () => {
    expect(await attributesOfCall()).toEqual({
      'gen_ai.input.messages': [
        { role: 'system', parts: [{ type: 'text', content: 'The policy, with [redacted] in it.' }] },
        { role: 'user', parts: [{ type: 'text', content: 'Where is my order?' }] },
        { role: 'assistant', parts: [CALL_PART] },
        {
          role: 'tool',
          parts: [{ type: 'tool_call_response', id: 'call_1', response: '{"status": "pending"}' }],
        },
      ],
      'gen_ai.tool.definitions': [{ type: 'function', ...TOOL }],
      'gen_ai.output.messages': [
        {
          role: 'assistant',
          parts: [{ type: 'reasoning', content: 'Easy.' }, { type: 'text', content: 'It is pending.' }, CALL_PART],
          finish_reason: 'tool_call',
        },
      ],
    });
  });

  it('has the instructions apart where the API takes them apart', async () => {
    const attributes = await attributesOfCall({ wire: 'messages' });
    expect(attributes['gen_ai.system_instructions']).toEqual([
      { type: 'text', content: 'The policy, with [redacted] in it.' },
    ]);
    expect((attributes['gen_ai.input.messages'] as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
  });

  it('keeps arguments that are no JSON as they were written', async () => {
    const broken = { ...CALL, function: { name: TOOL.name, arguments: '{"order_id": SECRET' } };
    const { 'gen_ai.output.messages': output } = await attributesOfCall(
      {},
      { message: { role: 'assistant', content: null, tool_calls: [broken] } },
    );
    expect(output).toMatchObject([{ parts: [{ type: 'tool_call', arguments: '{"order_id": [redacted]' }] }]);
  });

  it('has what was sent when the call fails', async () => {
    const fails: CallModel = () => Promise.reject(new Error('429'));
    const attributes = await attributesWhile(() => traceContent(fails, redact)(REQUEST, { timeoutMs: 1 }));
    expect(Object.keys(attributes)).toEqual(['gen_ai.input.messages', 'gen_ai.tool.definitions']);
  });

  it('is bounded: long texts are cut, and the earliest messages left out', async () => {
    const messages = Array.from({ length: 10 }, (_, i) => ({
      role: 'user' as const,
      content: `${i}${'x'.repeat(MAX_TEXT_CHARS)}`,
    }));
    const attributes = await attributesOfCall({ messages });
    const shown = attributes['gen_ai.input.messages'] as { parts: [{ content: string }] }[];
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_ATTRIBUTE_CHARS);
    expect(shown.map(({ parts: [{ content }] }) => content.slice(0, 1))).toEqual(['7', '8', '9']);
    expect(shown[0]?.parts[0].content).toMatch(/xx… \[1 more characters\]$/);
    expect(attributes['tau.input.messages.left_out']).toBe(7);
  });
});

describe("a step's span", () => {
  async function attributesOfStep(activityType: string) {
    const action = { name: TOOL.name, kwargsJson: '{"order_id": "SECRET"}' };
    const { inbound } = traceStepContent(redact)({ info: { activityType } } as unknown as Context);
    return await attributesWhile(async () =>
      inbound?.execute?.({ args: [{ action }], headers: {} }, () => Promise.resolve({ observation: 'a SECRET' })),
    );
  }

  it('has the arguments and the result', async () => {
    expect(await attributesOfStep('step')).toEqual({
      'gen_ai.tool.call.arguments': '{"order_id": "[redacted]"}',
      'gen_ai.tool.call.result': 'a [redacted]',
    });
  });

  it('is the only activity that has them', async () => {
    expect(await attributesOfStep('grade')).toEqual({});
  });
});
