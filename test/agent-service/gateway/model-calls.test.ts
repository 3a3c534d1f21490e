import { Anthropic } from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it, vi } from 'vitest';
import type { TurnBinding } from '../../../src/agent-service/index.ts';
import { TranscriptStore, writeRawRequest } from '../../../src/models/index.ts';
import type { ModelCallRequest, ModelCallResult, RefusedCall } from '../../../src/agent-service/pure.ts';
import type { Message } from '../../../src/agents/index.ts';
import { completion } from '../../models/helpers.ts';
import { bindingWith, send, serve } from './helpers.ts';

const TOOL_CALLS = [
  { id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"order_id": "#W1", "n": 131.0}' } },
  { id: 'call_2', type: 'function', function: { name: 'broken', arguments: '{"order_id": ' } },
];

const CHAT = completion({ content: 'Let me look.', tool_calls: TOOL_CALLS }, { created: 1 }, 'tool_calls');

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-5',
  error: null,
  incomplete_details: null,
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'An order.' }], encrypted_content: 'x' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'get_order',
      arguments: '{"order_id": "#W1"}',
      status: 'completed',
    },
  ],
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 15,
  },
};

const MESSAGE_TEXT =
  '{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[' +
  '{"type":"thinking","thinking":"An order.","signature":"sig"},{"type":"text","text":"Let me look."},' +
  '{"type":"tool_use","id":"toolu_1","name":"get_order","input":{"order_id":"#W1","n":131.0}}],' +
  '"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}';

/** A model that gives one answer, and what it was asked: bodies as they go to the provider. */
function modelWith(body: string, status = 200) {
  const store = new TranscriptStore();
  const calls: ModelCallRequest[] = [];
  const bodies: unknown[] = [];
  const headers: unknown[] = [];
  const modelCall = (call: ModelCallRequest): Promise<ModelCallResult | RefusedCall> => {
    calls.push(call);
    const items = store.resolve(call.transcript.thread, call.transcript);
    if (items === undefined) return Promise.resolve({ refused: 'transcript', message: 'send it whole' });
    const written = writeRawRequest(contentsOf(items), call.wire, 'served');
    bodies.push(JSON.parse(written.body));
    headers.push(written.headers);
    return Promise.resolve({ status, body });
  };
  return { calls, bodies, headers, modelCall };
}

function contentsOf(messages: readonly Message[]): string[] {
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
}

async function openaiAt(binding: Partial<TurnBinding>): Promise<OpenAI> {
  const { openaiUrl } = (await serve()).open(bindingWith(binding));
  return new OpenAI({ baseURL: openaiUrl, apiKey: 'anything', maxRetries: 2 });
}

async function anthropicAt(binding: Partial<TurnBinding>): Promise<Anthropic> {
  const { anthropicUrl } = (await serve()).open(bindingWith(binding));
  return new Anthropic({ baseURL: anthropicUrl, apiKey: 'anything', maxRetries: 2 });
}

const TOOLS = [{ type: 'function', function: { name: 'get_order', parameters: { type: 'object' } } }] as const;
const HELLO = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
] as const;

describe('chat completions', () => {
  it('reach the provider as they were written, and come back as they are', async () => {
    const { modelCall, calls, bodies } = modelWith(JSON.stringify(CHAT));
    const client = await openaiAt({ modelCall });
    const body = { model: 'gpt-4o', messages: [...HELLO], tools: [...TOOLS], temperature: 0, seed: 3 };
    expect(await client.chat.completions.create(body)).toEqual(CHAT);
    expect(bodies).toEqual([{ ...body, model: 'served' }]);
    expect(calls[0]).toMatchObject({
      ...{ request: 3, attempt: 2, wire: 'chat', model: 'gpt-4o' },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      transcript: { keep: 0 },
    });
  });

  it.each([
    ['planner', 'planner'],
    ['param-extraction', 'param-extraction'],
    ['Agent One', undefined],
    ['x'.repeat(41), undefined],
    ['', undefined],
  ])('carry the role that the agent names: %j', async (name, role) => {
    const { modelCall, calls } = modelWith(JSON.stringify(CHAT));
    const client = await openaiAt({ modelCall });
    const headers = { 'x-tauflow-role': name };
    await client.chat.completions.create({ model: 'gpt-4o', messages: [...HELLO] }, { headers });
    expect(calls[0]?.role).toBe(role);
  });

  it('are streamed where the agent asks for that', async () => {
    const { modelCall, calls, bodies } = modelWith(JSON.stringify(CHAT));
    const client = await openaiAt({ modelCall });
    const body = { model: 'gpt-4o', messages: [...HELLO], tools: [...TOOLS] };
    const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message).toMatchObject({ content: 'Let me look.', tool_calls: TOOL_CALLS });
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    expect(final.usage).toEqual(CHAT['usage']);
    expect(chunks.map(({ object }) => object)).toEqual(chunks.map(() => 'chat.completion.chunk'));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: CHAT['usage'] });
    // Whole or streamed, the provider is asked the same.
    await client.chat.completions.create(body);
    expect(bodies[0]).toEqual(bodies[1]);
    expect(calls[0]?.digest).toBe(calls[1]?.digest);
  });

  it('have no usage in their stream unless the agent asks for it', async () => {
    const { modelCall } = modelWith(JSON.stringify(completion()));
    const client = await openaiAt({ modelCall });
    const stream = await client.chat.completions.create({ model: 'gpt-4o', messages: [...HELLO], stream: true });
    let said = '';
    for await (const chunk of stream) {
      said += chunk.choices[0]?.delta.content ?? '';
      expect(chunk).not.toHaveProperty('usage');
    }
    expect(said).toBe('Hello.');
  });
});

describe('responses', () => {
  const asked = { model: 'gpt-5', input: [{ role: 'user' as const, content: 'Hello' }], instructions: 'Be kind.' };

  it('reach the provider as they were written, and come back as they are', async () => {
    const { modelCall, bodies } = modelWith(JSON.stringify(RESPONSE));
    const client = await openaiAt({ modelCall });
    const { output, usage, output_text: said } = await client.responses.create(asked);
    expect({ output, usage, said }).toEqual({ output: RESPONSE.output, usage: RESPONSE.usage, said: 'Let me look.' });
    await client.responses.create({ model: 'gpt-5', input: 'Hello' });
    expect(bodies).toEqual([
      { ...asked, model: 'served' },
      { model: 'served', input: 'Hello' },
    ]);
  });

  it('are streamed where the agent asks for that', async () => {
    const { modelCall, bodies } = modelWith(JSON.stringify(RESPONSE));
    const client = await openaiAt({ modelCall });
    const stream = client.responses.stream(asked);
    const types: string[] = [];
    const numbers: number[] = [];
    let args = '';
    for await (const event of stream) {
      types.push(event.type);
      numbers.push(event.sequence_number);
      if (event.type === 'response.function_call_arguments.delta') args += event.delta;
    }
    const final = await stream.finalResponse();
    expect(final.output).toMatchObject(RESPONSE.output);
    expect(final.output_text).toBe('Let me look.');
    expect(final.usage).toEqual(RESPONSE.usage);
    expect(args).toBe('{"order_id": "#W1"}');
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(types.at(-1)).toBe('response.completed');
    expect(types).toContain('response.output_text.delta');
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(bodies).toEqual([{ ...asked, model: 'served' }]);
  });

  it.each(['incomplete', 'failed'] as const)('that are %s end their stream so', async (status) => {
    const { modelCall } = modelWith(JSON.stringify({ ...RESPONSE, status, output: [] }));
    const client = await openaiAt({ modelCall });
    const types: string[] = [];
    for await (const { type } of await client.responses.create({ ...asked, stream: true })) types.push(type);
    expect(types.at(-1)).toBe(`response.${status}`);
  });
});

describe("Anthropic's messages", () => {
  const asked = {
    model: 'claude',
    max_tokens: 100,
    system: 'Be kind.',
    messages: [{ role: 'user' as const, content: 'Hi' }],
  };

  it('reach the provider as they were written, with their version and beta, and come back as they are', async () => {
    const { modelCall, bodies, headers } = modelWith(MESSAGE_TEXT);
    const client = await anthropicAt({ modelCall });
    const options = { headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'interleaved-thinking' } };
    expect(await client.messages.create(asked, options)).toMatchObject(JSON.parse(MESSAGE_TEXT) as object);
    expect(bodies).toEqual([{ ...asked, model: 'served' }]);
    expect(headers).toEqual([options.headers]);
  });

  it('are streamed where the agent asks for that', async () => {
    const { modelCall, bodies } = modelWith(MESSAGE_TEXT);
    const client = await anthropicAt({ modelCall });
    const stream = client.messages.stream(asked);
    const json: string[] = [];
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
        json.push(event.delta.partial_json);
    }
    expect(await stream.finalMessage()).toMatchObject(JSON.parse(MESSAGE_TEXT) as object);
    expect(json.join('')).toBe('{"order_id":"#W1","n":131.0}');
    expect([types[0], ...types.slice(-2)]).toEqual(['message_start', 'message_delta', 'message_stop']);
    expect(bodies).toEqual([{ ...asked, model: 'served' }]);
  });
});

describe('a conversation', () => {
  const turns = (...contents: readonly string[]) =>
    contents.map((content, at) => ({ role: at % 2 === 0 ? ('user' as const) : ('assistant' as const), content }));

  it('is sent once as it grows, from request to request of an episode', async () => {
    const { modelCall, calls, bodies } = modelWith(JSON.stringify(completion()));
    const gateway = await serve();
    for (const contents of [['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e']]) {
      const turn = gateway.open(bindingWith({ modelCall }));
      const client = new OpenAI({ baseURL: turn.openaiUrl, apiKey: 'anything' });
      await client.chat.completions.create({ model: 'gpt-4o', messages: turns(...contents) });
      await turn.close();
    }
    expect(calls.map(({ transcript: { keep, items } }) => [keep, items.length])).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
    expect(bodies.at(-1)).toEqual({ model: 'served', messages: turns('a', 'b', 'c', 'd', 'e') });
    expect(new Set(calls.map(({ digest }) => digest)).size).toBe(3);
  });

  it('does not disturb another one, of the same beginning or at the same time', async () => {
    const { modelCall, calls, bodies } = modelWith(JSON.stringify(completion()));
    const client = await openaiAt({ modelCall });
    const ask = (...contents: readonly string[]) =>
      client.chat.completions.create({ model: 'gpt-4o', messages: turns(...contents) });
    await ask('a', 'b', 'c', 'd');
    await ask('a', 'x', 'y', 'z');
    await ask('other');
    calls.length = 0;
    bodies.length = 0;
    await Promise.all([ask('a', 'b', 'c', 'd', 'e'), ask('a', 'x', 'y', 'z', '!'), ask('other', 'o', 'p')]);
    expect(calls.map(({ transcript }) => transcript.items.length).sort()).toEqual([1, 1, 2]);
    expect(bodies).toHaveLength(3);
  });

  it('has a thread for each of its calls that are made at once', async () => {
    const { modelCall, calls } = modelWith(JSON.stringify(completion()));
    const held: (() => void)[] = [];
    const client = await openaiAt({
      modelCall: async (call) => {
        await new Promise<void>((resolve) => {
          held.push(resolve);
          if (held.length === 2) for (const end of held) end();
        });
        return modelCall(call);
      },
    });
    const ask = () => client.chat.completions.create({ model: 'gpt-4o', messages: turns('same') });
    await Promise.all([ask(), ask()]);
    expect(new Set(calls.map(({ transcript }) => transcript.thread)).size).toBe(2);
  });

  it('is sent whole where the episode does not know its beginning, and after a call that was refused', async () => {
    const known = modelWith(JSON.stringify(completion()));
    const other = modelWith(JSON.stringify(completion()));
    let modelCall: TurnBinding['modelCall'] = known.modelCall;
    const client = await openaiAt({ modelCall: (call) => modelCall(call) });
    const ask = (...contents: readonly string[]) =>
      client.chat.completions.create({ model: 'gpt-4o', messages: turns(...contents) });
    await ask('a');
    modelCall = other.modelCall;
    await ask('a', 'b', 'c');
    expect(other.calls.map(({ transcript }) => transcript.keep)).toEqual([2, 0]);
    modelCall = () => Promise.resolve({ refused: 'stale', message: 'Too late.' });
    await expect(ask('a', 'b', 'c', 'd', 'e')).rejects.toThrow('Too late.');
    modelCall = other.modelCall;
    await ask('a', 'b', 'c', 'd', 'e');
    expect(other.calls.at(-1)?.transcript.keep).toBe(0);
    expect(other.bodies.at(-1)).toEqual({ model: 'served', messages: turns('a', 'b', 'c', 'd', 'e') });
  });
});

/** A busy machine is slow. */
const PATIENT = { timeout: 20_000 };

describe('refusals and errors', () => {
  it.each([
    ['stale', 409],
    ['diverged', 409],
    ['over', 410],
    ['invalid', 400],
  ] as const)('are written as the API writes them: %s', async (refused, status) => {
    const modelCall = vi.fn(() => Promise.resolve({ refused, message: 'One sentence.' }));
    const openai = await openaiAt({ modelCall });
    const error = await openai.chat.completions.create({ model: 'm', messages: [] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status, code: refused, message: `${String(status)} One sentence.` });
    // No client repeats them by itself.
    expect(modelCall).toHaveBeenCalledTimes(1);
    const anthropic = await anthropicAt({ modelCall });
    const asked = { model: 'm', max_tokens: 1, messages: [] };
    await expect(anthropic.messages.create(asked)).rejects.toMatchObject({ status });
    expect(modelCall).toHaveBeenCalledTimes(2);
  });

  it('of the provider are the agent’s to see, also where it wants a stream', async () => {
    const body = '{"error":{"message":"too long","type":"invalid_request_error","code":"context_length_exceeded"}}';
    const client = await openaiAt({ modelCall: modelWith(body, 400).modelCall });
    const asked = { model: 'm', messages: [...HELLO] };
    for (const stream of [true, false]) {
      await expect(client.chat.completions.create({ ...asked, stream })).rejects.toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
      });
    }
  });

  it('say nothing of what went wrong in the worker, and are not repeated', async () => {
    const modelCall = vi.fn(() => Promise.reject(new Error('task-17 is unreachable')));
    const client = await openaiAt({ modelCall });
    const error: unknown = await client.chat.completions
      .create({ model: 'm', messages: [] })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 500, code: 'unavailable' });
    expect(String(error)).not.toContain('17');
    expect(modelCall).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['no JSON', 'model=x', 400],
    ['a list', '[]', 400],
    ['no model', '{"messages":[]}', 400],
    ['deep nesting', `{"model":"m","messages":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
    ['what no history takes', JSON.stringify({ model: 'm', messages: [{ content: 'x'.repeat(1_300_000) }] }), 413],
  ])('refuse %s', async (_what, body, status) => {
    const modelCall = vi.fn(modelWith('{}').modelCall);
    const { openaiUrl } = (await serve()).open(bindingWith({ modelCall }));
    expect((await send(`${openaiUrl}/chat/completions`, body)).status).toBe(status);
    expect(modelCall).not.toHaveBeenCalled();
  });

  it('hand on a reply of an unknown form as it is', async () => {
    const { openaiUrl } = (await serve()).open(bindingWith({ modelCall: modelWith('{"odd":1}').modelCall }));
    const { body } = await send(`${openaiUrl}/chat/completions`, { model: 'm', messages: [], stream: true });
    expect(body).toEqual({ odd: 1 });
  });

  it('carry out eight calls at a time', async () => {
    let most = 0;
    let open = 0;
    const ends: (() => void)[] = [];
    const modelCall = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => ends.push(resolve));
      open -= 1;
      return { status: 200, body: '{}' };
    };
    const { openaiUrl } = (await serve()).open(bindingWith({ modelCall }));
    const answers = Array.from({ length: 20 }, (_, at) =>
      send(`${openaiUrl}/chat/completions`, { model: 'm', messages: [at] }),
    );
    await expect.poll(() => ends.length, PATIENT).toBe(8);
    for (let ended = 0; ended < 20; ended++) {
      await expect.poll(() => ends.length, PATIENT).toBeGreaterThan(0);
      ends.shift()?.();
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(most).toBe(8);
  });
});

it('a client that has lost patience and calls again gets the answer to its first call', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { modelCall, calls } = modelWith(JSON.stringify(completion()));
  const { openaiUrl } = (await serve()).open(bindingWith({ modelCall: (call) => held.then(() => modelCall(call)) }));
  let sent = 0;
  const client = new OpenAI({
    ...{ baseURL: openaiUrl, apiKey: 'anything', timeout: 1_000, maxRetries: 1 },
    fetch: (input, init) => {
      sent += 1;
      if (sent === 2) release();
      return fetch(input, init);
    },
  });
  const { choices } = await client.chat.completions.create({ model: 'm', messages: [...HELLO] });
  expect(choices[0]?.message.content).toBe('Hello.');
  expect([sent, calls.length]).toEqual([2, 1]);
});
