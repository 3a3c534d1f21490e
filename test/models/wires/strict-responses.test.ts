/** The strict service refuses what it is there to refuse, in the words that the client reads. */

import { afterEach, expect, it } from 'vitest';
import { createModelCaller, type ModelRequest } from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { KEY } from '../helpers.ts';
import { checkRequest, reasoningItem, startStrictResponses, type StrictResponses } from './strict-responses.ts';

const open: StrictResponses[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const call = { id: 'fc_g_1', type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'a', output: 'found' };
const reasoning = reasoningItem('rs_g', call) as { readonly encrypted_content: string };
const user = { type: 'message', role: 'user', content: 'Hi' };
const tool = { type: 'function', name: 'f', parameters: {}, strict: false };
const request = {
  model: 'gpt-5.6',
  store: false,
  include: ['reasoning.encrypted_content'],
  tools: [tool],
  input: [user, reasoning, call, output],
};

it('the strict service accepts its own output items', () => {
  expect(() => {
    checkRequest(request);
  }).not.toThrow();
});

const { encrypted_content: sealed } = reasoning;
it.each([
  ['a field of chat completions', { messages: [] }, "Unknown parameter: 'messages'"],
  ['a seed', { seed: 1 }, "Unknown parameter: 'seed'"],
  ['a temperature of a model that reasons', { temperature: 0 }, "'temperature' is not supported"],
  ['encrypted reasoning that is stored', { store: true }, 'not stored'],
  ['encrypted reasoning of a model without any', { model: 'gpt-4o' }, 'not supported with this model'],
  ['a nested tool', { tools: [{ type: 'function', function: tool }] }, "Unknown parameter: 'tools[0].function'"],
  ['a cap below the least', { max_output_tokens: 1 }, 'max_output_tokens'],
  ['JSON mode without the word', { text: { format: { type: 'json_object' } } }, "the word 'json'"],
  ['reasoning that nothing follows', { input: [user, reasoning] }, 'without its required following item'],
  [
    'reasoning before another item',
    { input: [user, reasoning, { ...call, arguments: '{"a": 1}' }, output] },
    'without its required following item',
  ],
  ['an item without its reasoning', { input: [user, call, output] }, "without its required 'reasoning' item"],
  [
    'reasoning that was changed',
    { input: [user, { ...reasoning, encrypted_content: `A${sealed}` }, call, output] },
    'could not be verified',
  ],
  [
    'reasoning that was to be stored',
    { input: [user, { ...reasoning, encrypted_content: undefined }, call, output] },
    'not found',
  ],
  ['a call without its output', { input: [user, reasoning, call] }, 'No tool output found'],
  ['an output without its call', { input: [user, output] }, 'No tool call found'],
  [
    'words of the assistant as input',
    { input: [{ ...user, role: 'assistant', content: [{ type: 'input_text', text: 'Hi' }] }] },
    "Invalid value: 'input_text'",
  ],
])('the strict service refuses %s', (_, change, message) => {
  expect(() => {
    checkRequest({ ...request, ...change });
  }).toThrow(message);
});

it('the client plays two turns with the strict service, and leaves out a refused field', async () => {
  const server = await startStrictResponses(KEY, ({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { content: 'Done.' }
      : { content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
  );
  open.push(server);
  const callModel = createModelCaller((name) =>
    resolveProvider(name, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url }),
  );
  const asked: ModelRequest = {
    provider: 'openai',
    model: 'gpt-5.6',
    wire: 'responses',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    temperature: 0,
    idempotencyKey: 'k',
  };
  const first = await callModel(asked, { timeoutMs: 10_000 });
  expect(first.leftOut).toEqual(['temperature']);
  const { tool_calls: calls = [] } = first.message;
  const kept = { ...first.message, tool_calls: calls.slice(0, 1) };
  const result = { role: 'tool', tool_call_id: 'a', name: 'f', content: 'found' } as const;
  const second = await callModel({ ...asked, messages: [...asked.messages, kept, result] }, { timeoutMs: 10_000 });
  expect(second.message.content).toBe('Done.');
  expect(server.refusals).toHaveLength(1);
});
