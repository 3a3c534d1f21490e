import { afterEach, describe, expect, it } from 'vitest';
import type { WireName } from '../../src/agents/index.ts';
import { isDict, parseJson } from '../../src/benchmarks/python/index.ts';
import { createModelCaller, ModelCallError, type ModelRequest } from '../../src/models/index.ts';
import { findRefused } from '../../src/models/testing.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerError, answerJson, completion, openaiEnv, startFakeProvider } from './helpers.ts';
import type { Answer, FakeProvider, SeenRequest } from './helpers.ts';
import { cpuMs } from '../helpers/linear.ts';

const BODY = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Hello, my name is "seed".' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'thought',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: {} }],
    },
    { role: 'tool', tool_call_id: 'c', name: 'f', content: 'done' },
  ],
  tools: [],
  temperature: 0,
  top_p: 0.9,
  seed: 7,
  reasoning_effort: 'low',
  max_tokens: 99,
  response_format: { type: 'json_object' },
  store: false,
};

function findIn(refusal: string, request: object, wire: WireName = 'chat'): string | null {
  const body = parseJson(JSON.stringify(request));
  if (!isDict(body)) throw new Error('a request is an object');
  return findRefused(refusal, body, wire);
}

describe('the field that a refusal names', () => {
  it.each<[string, unknown, string | null]>([
    // OpenAI
    [
      'a value that is not taken',
      {
        error: {
          message: "Unsupported value: 'temperature' does not support 0 with this model; only the default is taken.",
          param: 'temperature',
          code: 'unsupported_value',
        },
      },
      'temperature',
    ],
    [
      'the cap’s other name',
      {
        error: {
          message: "Unsupported parameter: 'max_tokens' does not work here. Use 'max_completion_tokens'.",
          param: 'max_tokens',
          code: 'unsupported_parameter',
        },
      },
      'max_tokens>max_completion_tokens',
    ],
    ['an argument', { error: { message: 'Unrecognized request argument supplied: seed', param: null } }, 'seed'],
    [
      'a field of a message by its place',
      { error: { message: "Unknown parameter: 'messages[2].name'.", param: 'messages[2].name' } },
      'messages[].name',
    ],
    [
      'an effort that it has no level for is left to the person',
      {
        error: {
          message: "Unsupported value: 'reasoning_effort' does not support 'low'. Supported values are: 'high'.",
          param: 'reasoning_effort',
        },
      },
      null,
    ],
    [
      'tools that want another wire',
      {
        error: {
          message: 'Function tools with reasoning_effort are not supported here. Please use /v1/responses.',
          param: 'reasoning_effort',
        },
      },
      null,
    ],
    // Anthropic, Bedrock
    ['what is deprecated', { error: { message: '`temperature` is deprecated for this model.' } }, 'temperature'],
    ['bare words', { message: 'The model returned errors: temperature is deprecated for this model.' }, 'temperature'],
    [
      'extra inputs',
      { error: { message: 'messages.1.reasoning_content: Extra inputs are not permitted' } },
      'messages[].reasoning_content',
    ],
    ['two at once', { error: { message: '`temperature` and `top_p` cannot both be given' } }, 'temperature'],
    // Google
    [
      'an unknown name',
      [{ error: { code: 400, message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' } }],
      'seed',
    ],
    // Mistral, vLLM
    [
      'a place in a list',
      {
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'messages', 2, 'tool', 'name'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
      },
      'messages[].name',
    ],
    [
      'a place in a text',
      {
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'reasoning_effort'), 'msg': 'Extra inputs are not permitted'}]",
      },
      'reasoning_effort',
    ],
    // Groq
    ['a property', { error: { message: "'messages.2' : property 'name' is unsupported" } }, 'messages[].name'],
    [
      'a property of a call',
      { error: { message: "'messages.1.tool_calls.0' : property 'extra_content' is unsupported" } },
      'messages[].tool_calls[].extra_content',
    ],
    // xAI, Moonshot
    ['camel case', { error: 'Argument not supported on this model: reasoningEffort' }, 'reasoning_effort'],
    ['one value only', { error: { message: 'invalid temperature: only 1 is allowed for this model' } }, 'temperature'],
    // LiteLLM
    [
      'a format that must be another',
      { error: "'response_format.type' must be 'json_schema' or 'text'" },
      'response_format',
    ],
    ['a list', { error: { message: "m does not support parameters: ['response_format']" } }, 'response_format'],
    // Nothing to leave out
    ['what is essential', { error: { message: "Unknown parameter: 'tools'", param: 'tools' } }, null],
    ['another field', { error: { message: "Unknown parameter: 'presence_penalty'", param: 'presence_penalty' } }, null],
    ['a refusal of something else', { error: { message: 'the model m is unknown' } }, null],
    ['an ordinary word', { error: { message: 'unknown store, or name of a tool not allowed' } }, null],
    ['too large a cap', { error: { message: 'max_tokens is not allowed to exceed 8192', param: 'max_tokens' } }, null],
    ['a bad request', { error: { message: 'temperature must be a number' } }, null],
  ])('%s', (_, refusal, field) => {
    expect(findIn(JSON.stringify(refusal), BODY)).toBe(field);
  });

  it('is not the token limit on the messages wire, which requires it', () => {
    const refusal = '{"error": {"message": "max_tokens: unsupported"}}';
    expect(findIn(refusal, BODY, 'messages')).toBeNull();
    expect(
      findIn(
        '{"message": "output_config.effort: Extra inputs are not permitted"}',
        { output_config: { effort: 'low' } },
        'messages',
      ),
    ).toBe('output_config.effort');
  });

  it('is searched in a bounded part of a hostile answer, in linear time', async () => {
    const spentMs = await cpuMs(() => {
      for (const word of ["'", 'name ', 'unsupported ', '"param": "', 'property   ']) {
        findIn(`unsupported ${word.repeat(200_000)}`, BODY);
      }
    });
    expect(spentMs).toBeLessThan(500);
  });
});

/** Refuses each of the fields as OpenAI does, one at a time. */
const refusing =
  (...fields: string[]): Answer =>
  (response, request) => {
    const field = fields.find((name) => name in request.body);
    const refusal = answerError(400, { message: `Unsupported parameter: '${String(field)}'.`, param: field ?? null });
    (field === undefined ? answerJson(completion()) : refusal)(response, request);
  };

describe('a call of a model that refuses a field', () => {
  const open: FakeProvider[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((provider) => provider.close()));
  });

  async function start(...answers: Answer[]) {
    const provider = await startFakeProvider(...answers);
    open.push(provider);
    const callModel = createModelCaller((name) => resolveProvider(name, openaiEnv(provider)));
    const call = (changes: Partial<ModelRequest> = {}) =>
      callModel(
        { provider: 'openai', model: 'new', messages: [], temperature: 0, idempotencyKey: 'k', ...changes },
        { timeoutMs: 10_000 },
      );
    return { call, requests: provider.requests };
  }
  const keysOf = (requests: readonly SeenRequest[]) => requests.map(({ headers }) => headers['idempotency-key']);

  it('is repeated at once without it, and later calls leave it out', async () => {
    const { call, requests } = await start(refusing('temperature', 'seed'));
    expect(await call({ seed: 3 })).toMatchObject({ leftOut: ['temperature', 'seed'] });
    expect(keysOf(requests)).toEqual(['k', 'k/less-1', 'k/less-2']);
    expect(requests.at(-1)?.body).toEqual({ model: 'new', messages: [] });
    expect(await call({ seed: 3 })).toMatchObject({ leftOut: ['temperature', 'seed'] });
    expect(requests).toHaveLength(4);
    expect(await call({ temperature: null })).not.toHaveProperty('leftOut');
    expect(requests).toHaveLength(5);
  });

  it('affects later calls of the same model and effort only', async () => {
    const { call, requests } = await start(refusing('temperature'));
    await call();
    await call({ model: 'other' });
    await call({ reasoning_effort: 'low' });
    expect(requests).toHaveLength(6);
  });

  it('is repeated with the token limit under its other name', async () => {
    const { call, requests } = await start(refusing('max_completion_tokens'));
    const { leftOut } = await call({ maxCompletionTokens: 99 });
    expect(leftOut).toEqual(['max_completion_tokens (sent as max_tokens)']);
    expect(requests.at(-1)?.body).toMatchObject({ max_tokens: 99 });
  });

  it('fails with the provider’s text if no repetition helps, without effect on later calls', async () => {
    const refusal = answerError(400, { message: "Unsupported parameter: 'temperature'.", param: 'temperature' });
    const { call, requests } = await start(refusal);
    await expect(call()).rejects.toThrow(ModelCallError);
    expect(requests).toHaveLength(2);
    await expect(call()).rejects.toThrow(/temperature/);
    expect(requests[2]?.body).toHaveProperty('temperature', 0);
  });

  it('makes a limited number of requests', async () => {
    const fields = Object.fromEntries('abcdefgh'.split('').map((letter) => [`field_${letter}`, 1]));
    const { call, requests } = await start(refusing(...Object.keys(fields)));
    await expect(call({ extra_body: fields })).rejects.toThrow(/field_e/);
    expect(requests).toHaveLength(5);
  });

  it('sends back the same numbers over messages, and affects later calls there too', async () => {
    const provider = await startFakeProvider(
      answerError(400, { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' }),
      answerJson({
        type: 'message',
        role: 'assistant',
        model: 'claude-new',
        content: [{ type: 'text', text: 'Hello.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
    open.push(provider);
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: new URL(provider.url).origin };
    const callModel = createModelCaller((name) => resolveProvider(name, env));
    const request = {
      provider: 'anthropic',
      model: 'claude-new',
      wire: 'messages',
      messages: [{ role: 'user', content: 'Hello.' }],
      temperature: 0,
      extra_body: { metadata: { limit: 1e21 } },
      idempotencyKey: 'k',
    } as const;
    expect(await callModel(request, { timeoutMs: 10_000 })).toMatchObject({ leftOut: ['temperature'] });
    expect(provider.requests).toHaveLength(2);
    expect(provider.requests[1]?.body).not.toHaveProperty('temperature');
    expect(provider.requests[1]?.body['messages']).toEqual(provider.requests[0]?.body['messages']);
    expect(await callModel(request, { timeoutMs: 10_000 })).toMatchObject({ leftOut: ['temperature'] });
    expect(provider.requests).toHaveLength(3);
  });

  it('ignores a provider’s header with left-out fields', async () => {
    const { call } = await start(answerJson(completion(), 200, { 'x-tauflow-left-out': 'nonsense' }));
    expect(await call()).not.toHaveProperty('leftOut');
  });
});
