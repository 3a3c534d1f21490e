/** Agents on each API, by the official SDKs: all of them make the task's moves. */

import { Anthropic } from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources';
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelCaller, type ExpandedMessage } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import type { WireName } from '../../src/agents/index.ts';
import { CANCEL, LOOK_UP, task, tinyPack } from './helpers.ts';

const POLICY = 'Be kind.';
const FIRST = 'Hi. [case shop-3fa91c/test/0 s1]';
const MOVES = [
  ['get_order_details', { order_id: '#W1' }],
  ['cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' }],
  'Here is what you asked for: 54.0. Your request is complete.',
];
const MOST_CALLS = 10;
const NAMES = ['get_order_details', 'cancel_pending_order'];
const parameters = { type: 'object', properties: {}, additionalProperties: true } as const;

let model: ScriptedModel;
beforeAll(async () => {
  const pack = tinyPack([task('Cancel my order.', [LOOK_UP, CANCEL], ['54.0'])]);
  model = await startScriptedModel({ packs: [pack] });
});
afterAll(() => model.close());

const openai = () => new OpenAI({ baseURL: model.url, apiKey: 'any', maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL: model.url.replace(/\/v1$/, ''), apiKey: 'any', maxRetries: 0 });

/** Record of what an agent does: calls, as name and arguments, and then what it says. */
type Done = unknown[];

async function playChat(isStreamed: boolean, name: string): Promise<Done> {
  const done: Done = [];
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: POLICY },
    { role: 'user', content: FIRST },
  ];
  const tools = NAMES.map((each) => ({ type: 'function', function: { name: each, parameters } }) as const);
  while (done.length < MOST_CALLS) {
    const body = { model: name, messages, tools };
    const { completions } = openai().chat;
    const { choices } = await (isStreamed
      ? completions.stream(body).finalChatCompletion()
      : completions.create({ ...body, stream: false }));
    const said = choices[0]?.message;
    if (said === undefined) break;
    messages.push(said);
    for (const call of said.tool_calls ?? []) {
      if (call.type !== 'function') continue;
      done.push([call.function.name, JSON.parse(call.function.arguments)]);
      messages.push({ role: 'tool', tool_call_id: call.id, content: 'ok' });
    }
    if (said.tool_calls === undefined) return [...done, said.content];
  }
  return done;
}

/** Way in which an agent on Responses keeps its conversation. */
type Keeping = 'items' | 'previous_response_id' | 'references';

async function playResponses(isStreamed: boolean, name: string, keeping: Keeping = 'items'): Promise<Done> {
  const done: Done = [];
  let input: ResponseInputItem[] = [{ role: 'user', content: FIRST }];
  let previous: string | null = null;
  const tools = NAMES.map((each) => ({ type: 'function', name: each, parameters, strict: false }) as const);
  while (done.length < MOST_CALLS) {
    const body = { model: name, instructions: POLICY, input, tools, previous_response_id: previous };
    const { responses } = openai();
    const response: Response = await (isStreamed ? responses.stream(body).finalResponse() : responses.create(body));
    const calls = response.output.filter((item) => item.type === 'function_call');
    const outputs = calls.map(({ call_id }): ResponseInputItem => {
      return { type: 'function_call_output', call_id, output: 'ok' };
    });
    for (const call of calls) done.push([call.name, JSON.parse(call.arguments)]);
    if (calls.length === 0) return [...done, response.output_text];
    if (keeping === 'previous_response_id') {
      previous = response.id;
      input = outputs;
    } else {
      const own = response.output.map((item): ResponseInputItem =>
        keeping === 'references' ? { type: 'item_reference', id: item.id ?? '' } : (item as ResponseInputItem),
      );
      input = [...input, ...own, ...outputs];
    }
  }
  return done;
}

async function playMessages(isStreamed: boolean, name: string): Promise<Done> {
  const done: Done = [];
  const messages: MessageParam[] = [{ role: 'user', content: FIRST }];
  const tools = NAMES.map((each) => ({ name: each, input_schema: parameters }));
  while (done.length < MOST_CALLS) {
    const body = { model: name, max_tokens: 1_000, system: POLICY, messages, tools };
    const said = await (isStreamed
      ? anthropic().messages.stream(body).finalMessage()
      : anthropic().messages.create({ ...body, stream: false }));
    messages.push({ role: 'assistant', content: said.content });
    const calls = said.content.filter((block) => block.type === 'tool_use');
    for (const call of calls) done.push([call.name, call.input]);
    if (said.stop_reason !== 'tool_use') {
      return [...done, said.content.map((block) => (block.type === 'text' ? block.text : '')).join('')];
    }
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
    });
  }
  return done;
}

const PLAYERS: Readonly<Record<WireName, (isStreamed: boolean, name: string) => Promise<Done>>> = {
  chat: playChat,
  responses: playResponses,
  messages: playMessages,
};

describe.each(Object.keys(PLAYERS) as WireName[])('the scripted model on the wire %s', (wire) => {
  it.each([false, true])('plays the task for the official SDK, streamed: %s', async (isStreamed) => {
    expect(await PLAYERS[wire](isStreamed, 'gpt-4o')).toEqual(MOVES);
  });

  it('has its thoughts handed back', async () => {
    if (wire !== 'chat') expect(await PLAYERS[wire](false, 'oracle+thinking')).toEqual(MOVES);
    else await expect(playChat(false, 'oracle:7')).rejects.toThrow('There is no scripted model oracle:7');
  });

  it("plays the task for the program's own client", async () => {
    const call = createModelCaller((name) => resolveProvider(name, {}, { scriptedUrl: model.url }));
    const done: Done = [];
    const messages: ExpandedMessage[] = [
      { role: 'system', content: POLICY },
      { role: 'user', content: FIRST },
    ];
    const tools = NAMES.map((each) => ({ type: 'function', function: { name: each, parameters } }) as const);
    while (done.length < MOVES.length) {
      const settings = { provider: 'scripted', model: 'oracle+thinking', wire, temperature: 0 } as const;
      const { message, usageReported, repairs } = await call(
        { ...settings, messages, tools, idempotencyKey: 'key' },
        { timeoutMs: 10_000 },
      );
      expect([usageReported, repairs]).toEqual([true, undefined]);
      messages.push(message);
      for (const { id, function: called } of message.tool_calls ?? []) {
        done.push([called.name, JSON.parse(called.arguments)]);
        messages.push({ role: 'tool', tool_call_id: id, name: called.name, content: 'ok' });
      }
      if (message.tool_calls === undefined) done.push(message.content);
    }
    expect(done).toEqual(MOVES);
  });

  it('refuses in the form of its API', async () => {
    const path = { chat: 'chat/completions', responses: 'responses', messages: 'messages' }[wire];
    const response = await fetch(`${model.url}/${path}`, { method: 'POST', body: '{"model": "oracle"}' });
    const body = (await response.json()) as { type?: string; error: Record<string, unknown> };
    const refused = wire === 'responses' ? 'input' : 'messages';
    expect([response.status, body.type, body.error['type']]).toEqual([
      400,
      wire === 'messages' ? 'error' : undefined,
      'invalid_request_error',
    ]);
    expect(String(body.error['message'])).toContain(refused);
  });
});

describe('a conversation on Responses', () => {
  it.each(['previous_response_id', 'references'] as const)('may be continued by %s', async (keeping) => {
    expect(await playResponses(false, 'gpt-4o', keeping)).toEqual(MOVES);
  });

  it.each([
    [{ previous_response_id: 'resp_other' }, 'The scripted model has given no response with the id resp_other.'],
    [{ conversation: 'conv_1' }, 'No conversations are stored here'],
    [{ background: true }, 'leave out background'],
  ])('is refused with %j', async (beside, message) => {
    await expect(openai().responses.create({ model: 'm', input: FIRST, ...beside })).rejects.toThrow(message);
  });
});

it('counts tokens as Anthropic does', async () => {
  const counted = anthropic().messages.countTokens({ model: 'm', messages: [{ role: 'user', content: '12345678' }] });
  expect(await counted).toMatchObject({ input_tokens: 2 });
});
