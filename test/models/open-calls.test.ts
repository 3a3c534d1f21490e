/** Calls without an output, over each of the three APIs. */

import { afterEach, describe, expect, it } from 'vitest';
import { createModelCaller, type ExpandedMessage, type ModelRequest } from '../../src/models/index.ts';
import { answerOpenCalls } from '../../src/models/testing.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerJson, completion, KEY, openaiEnv, startFakeProvider } from './helpers.ts';
import { MESSAGES_KEY, startStrictMessages } from './wires/strict-messages.ts';
import { startStrictResponses } from './wires/strict-responses.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const call = (id: string, name = 'respond') => ({ id, type: 'function', function: { name, arguments: '{}' } }) as const;
const calls = (...ids: string[]): ExpandedMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
});
const user = (content: string): ExpandedMessage => ({ role: 'user', content });
const output = (id: string, content: string): ExpandedMessage => ({
  role: 'tool',
  tool_call_id: id,
  name: 'respond',
  content,
});

describe('a call without an output', () => {
  it("gets the user's answer as its output", () => {
    expect(answerOpenCalls([user('Hi'), calls('a'), user('Yes.'), user('Now.')])).toEqual([
      user('Hi'),
      calls('a'),
      output('a', 'Yes.'),
      user('Now.'),
    ]);
  });

  it('gets an empty output without an answer', () => {
    expect(answerOpenCalls([calls('a', 'b'), output('a', 'x'), calls('c')])).toEqual([
      calls('a', 'b'),
      output('a', 'x'),
      output('b', ''),
      calls('c'),
      output('c', ''),
    ]);
  });

  it('is not found if each call has an output', () => {
    const whole = [user('Hi'), calls('a', 'b'), output('b', 'x'), output('a', 'y'), user('Yes.')];
    expect(answerOpenCalls(whole)).toEqual(whole);
  });
});

const request = {
  messages: [
    user('Hi'),
    calls('a', 'b'),
    user('Yes.'),
    calls('c'),
    { role: 'assistant', content: 'Well.' } as const,
    user('Go on.'),
  ],
  tools: [{ type: 'function', function: { name: 'respond', parameters: { type: 'object' } } }],
  temperature: null,
  idempotencyKey: 'k',
} as const;

describe('a request with open calls', () => {
  const send = (
    sent: Pick<ModelRequest, 'provider' | 'model' | 'wire'>,
    env: Readonly<Record<string, string | undefined>>,
  ) => createModelCaller((name) => resolveProvider(name, env))({ ...request, ...sent }, { timeoutMs: 10_000 });

  it('is accepted by the Responses API', async () => {
    const server = await startStrictResponses(KEY, () => ({ content: 'Done.' }));
    open.push(server);
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url };
    const { message } = await send({ provider: 'openai', model: 'gpt-5.6', wire: 'responses' }, env);
    expect(message.content).toBe('Done.');
    expect(server.refusals).toEqual([]);
  });

  it('is accepted by the Messages API', async () => {
    const server = await startStrictMessages(() => ({ blocks: '[{"type": "text", "text": "Done."}]' }));
    open.push(server);
    const env = { ANTHROPIC_API_KEY: MESSAGES_KEY, ANTHROPIC_BASE_URL: server.url };
    const { message } = await send({ provider: 'anthropic', model: 'claude-sonnet-4-5', wire: 'messages' }, env);
    expect(message.content).toBe('Done.');
    expect(server.refusals).toEqual([]);
  });

  it('has an output after each call in chat completions', async () => {
    const provider = await startFakeProvider(answerJson(completion()));
    open.push(provider);
    await send({ provider: 'openai', model: 'gpt-4o' }, openaiEnv(provider));
    const roles = (provider.requests[0]?.body['messages'] as readonly { readonly role: string }[]).map(
      ({ role }) => role,
    );
    expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant', 'user']);
  });
});
