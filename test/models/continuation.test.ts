/** A provider's continuation goes back to it, byte for byte, and to nobody else. */

import { afterEach, expect, it } from 'vitest';
import { createModelCaller, type ModelRequest } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerJson, completion, KEY, startFakeProvider, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

const request: ModelRequest = {
  provider: 'gemini',
  model: 'gemini-3-pro',
  messages: [{ role: 'user', content: 'Hi' }],
  temperature: null,
  idempotencyKey: 'run-1/5',
};
const signature = { google: { thought_signature: 'c2lnbmVk/+==' } };
const toolCalls = [
  { id: 'a', type: 'function', function: { name: 'look_up', arguments: '{}' }, extra_content: signature },
  { id: 'b', type: 'function', function: { name: 'look_up', arguments: '{}' } },
];

async function serve(message: Record<string, unknown>) {
  const provider = await startFakeProvider(answerJson(completion(message)));
  open.push(provider);
  const env = Object.fromEntries(
    ['GEMINI', 'DEEPSEEK', 'GROQ', 'VLLM'].flatMap((name) => [
      [`${name}_BASE_URL`, provider.url],
      [`${name}_API_KEY`, KEY],
    ]),
  );
  return { provider, callModel: createModelCaller((name) => resolveProvider(name, env)) };
}

const options = { timeoutMs: 10_000 };

it('a tool call gets its signature back, and those of uncounted calls are left out', async () => {
  const { provider, callModel } = await serve({ content: null, tool_calls: toolCalls });
  const { message } = await callModel(request, options);
  expect(message.continuation).toMatchObject({ provider: 'gemini', model: 'gemini-3-pro', wire: 'chat' });
  expect(message.tool_calls?.[0]).not.toHaveProperty('extra_content');
  const kept = { ...message, tool_calls: message.tool_calls?.slice(0, 1) ?? [] };
  const result = { role: 'tool', tool_call_id: 'a', name: 'look_up', content: 'found' } as const;
  await callModel({ ...request, messages: [...request.messages, kept, result] }, options);
  const sent = provider.requests[1]?.body['messages'];
  expect(sent).toEqual([
    request.messages[0],
    { role: 'assistant', content: null, tool_calls: toolCalls.slice(0, 1) },
    result,
  ]);
});

it('a model gets its own reasoning back', async () => {
  const { provider, callModel } = await serve({ content: 'Hello', reasoning_content: 'They greet.', reasoning: '' });
  const asked = { ...request, provider: 'deepseek', model: 'deepseek/deepseek-v4' };
  const { message } = await callModel(asked, options);
  await callModel({ ...asked, messages: [message] }, options);
  expect(provider.requests[1]?.body['messages']).toEqual([
    { role: 'assistant', content: 'Hello', reasoning_content: 'They greet.' },
  ]);
});

it.each([
  ['another provider', { provider: 'vllm', model: 'gemini-3-pro' }],
  ['another model', { provider: 'gemini', model: 'gemini-3-flash' }],
])('%s gets no reasoning back', async (_, other) => {
  const { provider, callModel } = await serve({ content: null, tool_calls: toolCalls.slice(0, 1) });
  const { message } = await callModel(request, options);
  await callModel({ ...request, ...other, messages: [message] }, options);
  expect(JSON.stringify(provider.requests[1]?.body)).not.toContain(signature.google.thought_signature);
});

it('nothing is kept for a provider that refuses unknown fields', async () => {
  const { callModel } = await serve({ content: 'Hello', reasoning: 'They greet.' });
  const { message } = await callModel({ ...request, provider: 'groq', model: 'qwen-3' }, options);
  expect(message).toEqual({ role: 'assistant', content: 'Hello' });
});
