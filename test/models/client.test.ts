import { afterEach, describe, expect, it } from 'vitest';
import { createModelCaller, ModelCallError, type CallModel, type ModelRequest } from '../../src/models/index.ts';
import type { ModelFailure } from '../../src/models/testing.ts';
import { listKeyVariables, ProviderError, PROVIDERS, resolveProvider } from '../../src/models/providers.ts';
import {
  answerError,
  answerHalf,
  answerHeadersOnly,
  answerJson,
  answerNothing,
  answerReset,
  answerText,
  completion,
  KEY,
  openaiEnv,
  startFakeProvider,
  type Answer,
  type FakeProvider,
} from './helpers.ts';

const request: ModelRequest = {
  provider: 'openai',
  model: 'openai/gpt-4o',
  messages: [{ role: 'user', content: 'Hi' }],
  temperature: 0,
  idempotencyKey: 'run-1/5',
};

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

async function serve(...answers: readonly Answer[]): Promise<{ provider: FakeProvider; callModel: CallModel }> {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  return { provider, callModel: createModelCaller((name) => resolveProvider(name, openaiEnv(provider))) };
}

async function failureOf(call: Promise<unknown>): Promise<ModelFailure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelCallError)) throw new Error('expected a failed model call', { cause: error });
  expect(error.cause).toBeUndefined();
  expect(`${String(error.stack)}${JSON.stringify(error)}`).not.toContain(KEY);
  return error.failure;
}

const options = { timeoutMs: 10_000 };

describe('a model call', () => {
  it('sends what it was asked to and maps what comes back', async () => {
    const toolCalls = [
      { id: 'call_a', type: 'function', function: { name: 'look_up', arguments: '{"id": 131.0}' } },
      { id: 'call_b', type: 'function', function: { name: 'look_up', arguments: 'not json' } },
    ];
    const { provider, callModel } = await serve(answerJson(completion({ content: null, tool_calls: toolCalls })));
    const tool = { type: 'function', function: { name: 'look_up' } } as const;
    const reply = await callModel({ ...request, tools: [tool], seed: 7, format: 'json' }, options);
    expect(reply).toEqual({
      message: { role: 'assistant', content: null, tool_calls: toolCalls },
      finishReason: 'stop',
      usage: { promptTokens: 1000, completionTokens: 100, cachedTokens: 400, reasoningTokens: 30 },
      usageReported: true,
      servedModel: 'gpt-4o-2024-08-06',
      fingerprint: 'fp_1',
      requestId: 'req_1',
      latencyMs: expect.any(Number) as number,
    });
    const [seen] = provider.requests;
    expect(seen?.url).toBe('/v1/chat/completions');
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'idempotency-key': 'run-1/5' });
    expect(seen?.body).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 0,
      seed: 7,
      tools: [tool],
      response_format: { type: 'json_object' },
    });
  });

  it('leaves out fields that were not set', async () => {
    const { provider, callModel } = await serve(answerJson(completion()));
    await callModel({ ...request, temperature: null }, options);
    expect(Object.keys(provider.requests[0]?.body ?? {})).toEqual(['model', 'messages']);
  });

  it('sends earlier tool calls and their results back unchanged', async () => {
    const { provider, callModel } = await serve(answerJson(completion()));
    const messages = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', name: 'look_up', content: 'found' },
      { role: 'assistant', content: 'Done.' },
    ] as const;
    await callModel({ ...request, messages }, options);
    expect(provider.requests[0]?.body['messages']).toEqual(messages);
  });

  it("sends the address's query with the request", async () => {
    const provider = await startFakeProvider(answerJson(completion()));
    open.push(provider);
    const env = { AZURE_API_KEY: KEY, AZURE_OPENAI_BASE_URL: `${provider.url}/?api-version=preview` };
    await createModelCaller((name) => resolveProvider(name, env))({ ...request, provider: 'azure' }, options);
    expect(provider.requests[0]?.url).toBe('/v1/chat/completions?api-version=preview');
  });

  it('accepts a reply with few fields', async () => {
    const body = {
      choices: [
        {
          message: {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
            tool_calls: [],
          },
        },
      ],
    };
    const { callModel } = await serve(answerText(JSON.stringify(body)));
    expect(await callModel(request, options)).toMatchObject({
      message: { role: 'assistant', content: 'ab' },
      finishReason: 'unknown',
      usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
      usageReported: false,
      servedModel: 'gpt-4o',
      fingerprint: null,
      requestId: null,
    });
  });

  it('names a tool call that came without an id, and drops calls of other kinds', async () => {
    const calls = [{ type: 'custom', custom: {} }, { function: { name: 'look_up', arguments: '{}' } }];
    const { callModel } = await serve(answerJson(completion({ content: null, tool_calls: calls })));
    const { message } = await callModel(request, options);
    expect(message.tool_calls).toEqual([
      { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } },
    ]);
  });

  it('keeps the key out of a reply that echoes it', async () => {
    const { callModel } = await serve((response, seen) => {
      answerJson(completion({ content: `You sent ${String(seen.headers.authorization)}.` }))(response, seen);
    });
    expect((await callModel(request, options)).message.content).toBe('You sent Bearer [redacted].');
  });

  it.each<[string, Answer, RegExp]>([
    ['half a JSON text', answerText('{"choices": [{"message"'), /23 characters that are not whole JSON/],
    ['an empty body', answerText(''), /empty body/],
    ['an empty list of choices', answerJson({ choices: [] }), /without any choice/],
    ['an error with status 200', answerJson({ error: { message: 'upstream is out' } }), /error: upstream is out/],
    ['a broken connection', answerReset, /no connection to the provider: .*(socket hang up|closed|ECONNRESET)/],
    ['a connection that broke in the middle', answerHalf, /no connection to the provider: .*(terminated|closed)/],
  ])('reads %s as an unavailable model', async (_what, answer, message) => {
    const { provider, callModel } = await serve(answer);
    const failure = await failureOf(callModel(request, options));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true });
    expect(failure.message).toMatch(message);
    // Retrying is Temporal's business.
    expect(provider.requests).toHaveLength(1);
  });

  it.each<[string, Answer, RegExp]>([
    [
      'a page of HTML',
      answerText('<!doctype html><html>…</html>', 200, 'text/html'),
      /it is HTML; .*: <!doctype html>/,
    ],
    ['another text', answerText('hello'), /it is no JSON; it begins with: hello$/],
    ['no choices', answerJson({ reply: 'hello' }), /choices: .*; it begins with: \{"reply":"hello"\}$/],
    ['a null message', answerJson({ choices: [{ message: null }] }), /choices\.0\.message/],
    ['no message', answerJson({ choices: [{ finish_reason: 'stop' }] }), /choices\.0\.message/],
  ])('reads %s as not a completion, and shows it', async (_what, answer, message) => {
    const { callModel } = await serve(answer);
    const failure = await failureOf(callModel(request, options));
    expect(failure).toMatchObject({ type: 'NotACompletion', retryable: true });
    expect(failure.message).toMatch(/^the provider's answer is not a chat completion: /);
    expect(failure.message).toMatch(message);
  });

  it.each<[string, Answer]>([
    ['says nothing', answerNothing],
    ['sends headers and no body', answerHeadersOnly],
  ])('times out on a provider that %s', async (_what, answer) => {
    const { provider, callModel } = await serve(answer);
    const failure = await failureOf(callModel(request, { timeoutMs: 100 }));
    expect(failure).toEqual({
      type: 'ModelUnavailable',
      retryable: true,
      isTimeout: true,
      message: 'the provider did not answer within 0.1 s',
    });
    await provider.abandoned;
  });

  it('rejects with ContentFilter for a withheld reply', async () => {
    const { callModel } = await serve(answerJson(completion({ content: '' }, {}, 'content_filter')));
    expect(await failureOf(callModel(request, options))).toMatchObject({ type: 'ContentFilter', retryable: false });
  });

  it.each<[Answer, string, string]>([
    [answerError(400, { message: 'bad temperature' }), 'RequestRefused', '400 bad temperature'],
    [answerJson({ detail: 'Not Found' }, 404), 'RequestRefused', '404 {"detail":"Not Found"}'],
    [answerJson({ message: "model's maximum context length is 8" }, 400), 'ContextOverflow', "400 model's maximum"],
    [answerText('<html>Bad gateway</html>', 502, 'text/html'), 'ModelUnavailable', '502 with an HTML page'],
    [answerText('', 503), 'ModelUnavailable', '503 status code (no body)'],
  ])("has the provider's text in an error", async (answer, type, message) => {
    const { callModel } = await serve(answer);
    const failure = await failureOf(callModel(request, options));
    expect(failure.type).toBe(type);
    expect(failure.message).toContain(message);
  });

  it('keeps the key out of an error that quotes it', async () => {
    const { callModel } = await serve(answerError(401, { message: `Incorrect API key provided: ${KEY}.` }));
    const failure = await failureOf(callModel(request, options));
    expect(failure.message).toBe('401 Incorrect API key provided: [redacted]');
    expect(failure).toMatchObject({ type: 'NotAuthorised', requestId: 'req_1', status: 401 });
  });

  it.each<[string, (header: string) => string]>([
    ['base64', (header) => Buffer.from(header).toString('base64')],
    ['base64url', (header) => Buffer.from(`x${header}`).toString('base64url')],
    ['base64 of all headers', (header) => Buffer.from(`{"authorization":"${header}"}`).toString('base64')],
    ['hex', (header) => Buffer.from(header).toString('hex')],
    ['upper-case hex', (header) => Buffer.from(header).toString('hex').toUpperCase()],
  ])('keeps the key out of an error that echoes the header in %s', async (_what, encode) => {
    const { callModel } = await serve((response, seen) => {
      const message = `upstream refused ${encode(String(seen.headers.authorization))} (bad gateway)`;
      answerError(400, { message }, { 'x-request-id': encode(String(seen.headers.authorization)) })(response, seen);
    });
    const failure = await failureOf(callModel(request, options));
    expect(failure.message).toContain('[redacted]');
    for (const text of [failure.message, failure.requestId ?? '']) {
      for (const word of text.split(/\s/)) {
        const decoded = [Buffer.from(word, 'base64').toString('latin1'), Buffer.from(word, 'hex').toString('latin1')];
        for (const plain of decoded) expect(plain).not.toContain(KEY.slice(8, 20));
      }
    }
  });

  it("keeps a key that is part of the address out of errors, and leaves the query's other values", async () => {
    const key = 'QueryKey0123456789';
    const env = (provider: FakeProvider) => ({
      CUSTOM_BASE_URL: `${provider.url}?api-version=2024-10-21-preview&key=${key}`,
    });
    const provider = await startFakeProvider((response, seen) => {
      answerError(400, { message: `cannot read ${seen.url}` })(response, seen);
    });
    open.push(provider);
    const callModel = createModelCaller((name) => resolveProvider(name, env(provider)));
    const failure = await failureOf(callModel({ ...request, provider: 'custom' }, options));
    expect(failure.message).toContain('api-version=2024-10-21-preview&key=[redacted]');
  });

  it('refuses an endless answer', async () => {
    const { callModel } = await serve((response) => {
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const pump = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pump);
      pump();
    });
    expect(await failureOf(callModel(request, options))).toMatchObject({ type: 'ReplyTooLong', retryable: false });
  });

  it('uses the status of an error with an endless body', async () => {
    const { provider, callModel } = await serve((response) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      const pump = () => {
        while (!response.destroyed && response.write('{"error": {"message": "out"}}'.repeat(1000)));
      };
      response.on('drain', pump);
      pump();
    });
    const failure = await failureOf(callModel(request, options));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true, status: 500 });
    expect(failure.message.length).toBeLessThanOrEqual(500);
    await provider.abandoned;
  });

  it('times out on a slow answer', async () => {
    const { provider, callModel } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drops = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drops));
    });
    const failure = await failureOf(callModel(request, { timeoutMs: 300 }));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', message: 'the provider did not answer within 0.3 s' });
    await provider.abandoned;
  });

  it.each(PROVIDERS.map((row) => [row.name, row] as const))(
    'sends the token limit in the form of %s',
    async (name, row) => {
      const provider = await startFakeProvider(answerJson(completion()));
      open.push(provider);
      const keys = Object.fromEntries(listKeyVariables(row).map((variable) => [variable, KEY]));
      const env = { ...keys, [row.baseUrlVariable]: provider.url };
      const callModel = createModelCaller((asked) => resolveProvider(asked, env));
      await callModel({ ...request, provider: name, maxCompletionTokens: 99 }, options);
      const { max_tokens: old, max_completion_tokens: now } = provider.requests[0]?.body ?? {};
      const expected = row.tokenCapField === null ? [] : [99];
      expect([old, now].filter((cap) => cap !== undefined)).toEqual(expected);
      expect(now).toBe(row.tokenCapField === 'max_completion_tokens' ? 99 : undefined);
    },
  );

  it('is repeated without the token limit if only the limit exceeds the context', async () => {
    const message = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens";
    const { provider, callModel } = await serve(answerError(400, { message }), answerJson(completion()));
    expect((await callModel({ ...request, maxCompletionTokens: 4096 }, options)).message.content).toBe('Hello.');
    expect(provider.requests.map(({ body }) => body['max_completion_tokens'])).toEqual([4096, undefined]);
    expect(provider.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['run-1/5', 'run-1/5/uncapped']);
  });

  it('rejects with ContextOverflow if the conversation does not fit without a limit', async () => {
    const message = "This model's maximum context length is 8192 tokens";
    const { provider, callModel } = await serve(answerError(400, { message }));
    const call = callModel({ ...request, maxCompletionTokens: 4096 }, options);
    expect(await failureOf(call)).toMatchObject({ type: 'ContextOverflow' });
    expect(provider.requests).toHaveLength(2);
  });

  it("rejects with the signal's reason if it is aborted, and closes the connection", async () => {
    const { provider, callModel } = await serve(answerNothing);
    const controller = new AbortController();
    const arrived = provider.arrived();
    const call = callModel(request, { ...options, signal: controller.signal });
    await arrived;
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await provider.abandoned;
  });

  it('does not start when it is already aborted', async () => {
    const { provider, callModel } = await serve(answerJson(completion()));
    await expect(callModel(request, { ...options, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(provider.requests).toEqual([]);
  });

  it("rejects with the provider's configuration error on every call", async () => {
    const callModel = createModelCaller((name) => resolveProvider(name, {}));
    await expect(callModel(request, options)).rejects.toThrow(ProviderError);
    await expect(callModel(request, options)).rejects.toThrow(/OPENAI_API_KEY is not set/);
  });

  it('resolves a provider once and uses one connection for calls in a row', async () => {
    const { provider } = await serve(answerJson(completion()));
    let resolved = 0;
    const callModel = createModelCaller((name) => {
      resolved += 1;
      return resolveProvider(name, openaiEnv(provider));
    });
    await callModel(request, options);
    await callModel(request, options);
    expect(resolved).toBe(1);
    expect(provider.requests[0]?.headers.connection).toBe('keep-alive');
  });

  it('does not read the environment', async () => {
    const before = process.env['OPENAI_ORG_ID'];
    process.env['OPENAI_ORG_ID'] = 'org-from-elsewhere';
    try {
      const { provider, callModel } = await serve(answerJson(completion()));
      await callModel(request, options);
      expect(provider.requests[0]?.headers).not.toHaveProperty('openai-organization');
    } finally {
      if (before === undefined) delete process.env['OPENAI_ORG_ID'];
      else process.env['OPENAI_ORG_ID'] = before;
    }
  });
});
