/** The reader of chat completions, where an answer is long and broken. */

import { expect, it } from 'vitest';

import { outlineRequest, type ModelRequest } from '../../../src/models/index.ts';
import { listKeyVariables, providerRow, resolveProvider } from '../../../src/models/providers.ts';
import { createChatWire, readChatReply } from '../../../src/models/wires/testing.ts';

it.each([
  ['moonshot', 'kimi-k2.6', 'none', { thinking: { type: 'disabled' } }],
  ['moonshot', 'kimi-k3', 'low', { reasoning_effort: 'low' }],
  ['zai', 'glm-5.3', 'high', { reasoning_effort: 'high' }],
  ['zai', 'glm-4.7', 'none', { thinking: { type: 'disabled' } }],
  ['deepseek', 'deepseek-v4-pro', 'max', { reasoning_effort: 'max' }],
  ['deepseek', 'deepseek-v4-pro', 'none', { thinking: { type: 'disabled' } }],
  ['together', 'zai-org/GLM-4.7', 'none', { reasoning_effort: 'none' }],
])('asks %s/%s for the effort %s as it takes one', async (provider, model, reasoning_effort, fields) => {
  const settings = { provider, model, temperature: null, reasoning_effort };
  expect((await outlineRequest(settings, {})).settings).toEqual(fields);
});

const envelope = { requestedModel: 'm', requestId: null, latencyMs: 1, removeKey: (text: string) => text };

it.each(['tool_calls', 'content'])('reads the words beside a million bad items in %s', (field) => {
  const bad = new Array<number>(1_000_000).fill(1);
  const message = { content: 'Hi', [field]: field === 'content' ? [...bad, 'Hi'] : bad };
  const reply = readChatReply(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }), envelope);
  expect(reply).toMatchObject({ message: { content: 'Hi' }, repairs: ['parts that cannot be read'] });
});

it.each([
  ['openrouter', { cost: 0.02 }, 0.02],
  ['openrouter', { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } }, 0.021],
  ['openrouter', { cost: '0.02' }, undefined],
  ['openai', { cost: 0.02 }, undefined],
])('reads what a call costs from %s: %j', (provider, usage, expected) => {
  const body = { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }], usage };
  const reply = readChatReply(JSON.stringify(body), envelope, providerRow(provider));
  expect(reply.reportedCostUsd).toBe(expected);
});

/** The body that a provider is sent. */
async function sentTo(provider: string, model: string, messages: ModelRequest['messages']): Promise<SentBody> {
  const bodies: SentBody[] = [];
  const keep: typeof fetch = (_, init) => {
    bodies.push(JSON.parse(init?.body as string) as SentBody);
    return Promise.resolve(new Response('{}'));
  };
  const { baseUrlVariable, baseUrl } = providerRow(provider);
  const env = {
    [listKeyVariables(providerRow(provider))[0] ?? '']: 'k',
    [baseUrlVariable]: baseUrl ?? 'http://nowhere.invalid/v1',
  };
  const request = { provider, model, messages, temperature: null, idempotencyKey: 'k' };
  await createChatWire(resolveProvider(provider, env), keep).send(request, model, { timeoutMs: 1_000 });
  const [body] = bodies;
  if (body === undefined) throw new Error('nothing was sent');
  return body;
}

interface SentBody {
  readonly messages: readonly { readonly tool_calls?: readonly object[]; readonly tool_call_id?: string }[];
  readonly [field: string]: unknown;
}

const call = (id: string) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{}' } }) as const;
const result = (id: string) => ({ role: 'tool', tool_call_id: id, name: 'look_up', content: 'found' }) as const;
/** A fork's conversation, whose first steps another provider's model made. */
const FORKED: ModelRequest['messages'] = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: null, tool_calls: [call('call_0'), call('toolu_01')] },
  result('call_0'),
  result('toolu_01'),
  { role: 'assistant', content: null, tool_calls: [call('call_0')] },
  result('call_0'),
  { role: 'assistant', content: null, tool_calls: [call('a1B2c3D4e')] },
  result('a1B2c3D4e'),
];

it('sends Mistral ids of nine letters and digits, each result under that of its call', async () => {
  const { messages } = await sentTo('mistral', 'mistral-large-4', FORKED);
  const ids = messages.flatMap(({ tool_calls: calls = [], tool_call_id: id }) => [
    ...calls.map((each) => (each as { id: string }).id),
    ...(id === undefined ? [] : [id]),
  ]);
  expect(ids).toEqual([
    ...['call00001', 'call00002', 'call00001', 'call00002', 'call00003', 'call00003'],
    ...['a1B2c3D4e', 'a1B2c3D4e'],
  ]);
});

it.each([
  ['gemini', 'gemini-3.5-flash', true],
  ['vertex', 'google/gemini-3-pro', true],
  ['gemini', 'gemini-2.5-flash', false],
  ['openrouter', 'google/gemini-3-pro', false],
])('says to %s/%s that calls of another model have no signature: %s', async (provider, model, says) => {
  const { messages } = await sentTo(provider, model, FORKED);
  const mark = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } };
  const signed = messages.map(({ tool_calls: calls = [] }) => calls.map((each) => 'extra_content' in each));
  expect(signed.filter((calls) => calls.length > 0)).toEqual([[says, false], [says], [says]]);
  if (says) expect(messages[1]?.tool_calls?.[0]).toMatchObject(mark);
});

it('asks for a cache where it must be asked for, and names the conversation where that is advised', async () => {
  const start = FORKED.slice(0, 1);
  expect(await sentTo('openrouter', 'anthropic/claude-opus-5', start)).toMatchObject({
    cache_control: { type: 'ephemeral' },
  });
  expect(await sentTo('openrouter', 'openai/gpt-5.6', start)).not.toHaveProperty('cache_control');
  const { prompt_cache_key: key } = await sentTo('openai', 'gpt-4o', FORKED.slice(0, 4));
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect((await sentTo('openai', 'gpt-4o', FORKED))['prompt_cache_key']).toBe(key);
  expect(await sentTo('groq', 'llama', FORKED)).not.toHaveProperty('prompt_cache_key');
});
