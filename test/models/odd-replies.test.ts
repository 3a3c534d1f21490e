/** Replies as servers send them beside the API: what was paid for is used, whatever is odd about it. */

import { afterEach, describe, expect, it } from 'vitest';
import { createModelCaller, ModelCallError, type ModelReply } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerJson, answerText, completion, startFakeProvider, type Answer, type FakeProvider } from './helpers.ts';

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

type WireName = 'chat' | 'responses' | 'messages';

async function reply(answer: Answer, wire: WireName = 'chat'): Promise<ModelReply> {
  const provider = await startFakeProvider(answer);
  open.push(provider);
  const callModel = createModelCaller((name) => resolveProvider(name, { CUSTOM_BASE_URL: provider.url }));
  const request = { provider: 'custom', wire, model: 'm', messages: [], temperature: 0, idempotencyKey: 'k' };
  return callModel({ ...request, messages: [{ role: 'user', content: 'Hi' }] }, { timeoutMs: 10_000 });
}

const usages = (usage: unknown) =>
  ({
    chat: completion({ content: 'Hello.' }, { usage }),
    responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] }], usage },
    messages: { content: [{ type: 'text', text: 'Hello.' }], usage },
  }) as const;
const WIRES = ['chat', 'responses', 'messages'] as const;
const counts = (wire: WireName, prompt: unknown, completed: unknown) =>
  wire === 'chat'
    ? { prompt_tokens: prompt, completion_tokens: completed }
    : { input_tokens: prompt, output_tokens: completed };

describe.each(WIRES)('usage over %s', (wire) => {
  it.each([
    [12.5, '7', 13, 7],
    ['100', 3.0, 100, 3],
    ['12.4', 5, 12, 5],
  ])('is read from %j and %j', async (prompt, completed, promptTokens, completionTokens) => {
    expect(await reply(answerJson(usages(counts(wire, prompt, completed))[wire]), wire)).toMatchObject({
      message: { content: 'Hello.' },
      usage: { promptTokens, completionTokens },
      usageReported: true,
      repairs: ['token counts that are not whole numbers'],
    });
  });

  it.each([-1, 'many', [[3]], { n: 3 }, 1e300, true])('is unknown for %j, and the reply is used', async (count) => {
    expect(await reply(answerJson(usages(counts(wire, count, 5))[wire]), wire)).toMatchObject({
      message: { content: 'Hello.' },
      usage: { promptTokens: 0, completionTokens: 5 },
      usageReported: false,
      repairs: ['token counts that cannot be read'],
    });
  });

  it.each(['none', 3, [[]], {}, { details: null }])('is absent for %j', async (usage) => {
    expect(await reply(answerJson(usages(usage)[wire]), wire)).toMatchObject({
      message: { content: 'Hello.' },
      usageReported: false,
    });
  });

  it('lacks details in another form', async () => {
    const usage = {
      ...counts(wire, 10, 5),
      prompt_tokens_details: 'none',
      completion_tokens_details: [1],
      input_tokens_details: 3,
      output_tokens_details: 'none',
    };
    expect(await reply(answerJson(usages(usage)[wire]), wire)).toMatchObject({
      usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 0, reasoningTokens: 0 },
      usageReported: true,
    });
  });

  it('is kept beside invalid names', async () => {
    const odd = { model: 7, system_fingerprint: {}, id: null };
    const given = { ...usages(counts(wire, 1, 1))[wire], ...odd };
    expect(await reply(answerJson(given), wire)).toMatchObject({ servedModel: 'm', fingerprint: null });
  });
});

it('tokens read from the cache are not counted as reasoning', async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 65,
    prompt_tokens_details: { cached_tokens: 50 },
  };
  expect((await reply(answerJson(completion({}, { usage })))).usage).toEqual({
    promptTokens: 60,
    completionTokens: 5,
    cachedTokens: 50,
    reasoningTokens: 0,
  });
});

/** The body of a reply with one tool call, its arguments as JSON text of the body. */
function called(wire: WireName, args: string | null, reason?: string): string {
  const given = args === null ? '' : `, "${wire === 'messages' ? 'input' : 'arguments'}": ${args}`;
  if (wire === 'chat') {
    return `{"choices": [{"finish_reason": "${reason ?? 'tool_calls'}", "message": {"content": null,
      "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f"${given}}}]}}]}`;
  }
  if (wire === 'responses') {
    return `{"status": "${reason ?? 'completed'}", "output": [{"type": "function_call", "call_id": "c", "name": "f"${given}}]}`;
  }
  return `{"content": [{"type": "tool_use", "id": "c", "name": "f"${given}}], "stop_reason": "${reason ?? 'tool_use'}"}`;
}

const callsOf = ({ message }: ModelReply) => message.tool_calls?.map(({ function: { arguments: text } }) => text);

describe('tool arguments', () => {
  it.each(['chat', 'responses'] as const)('as an object keep their numbers over %s', async (wire) => {
    const read = await reply(answerText(called(wire, '{"a": 131.0, "b": {"é": [1e2]}}')), wire);
    expect(callsOf(read)).toEqual(['{"a": 131.0, "b": {"\\u00e9": [100.0]}}']);
    expect(read.repairs).toEqual(['tool arguments as an object']);
  });

  it('as text are an object over messages', async () => {
    const read = await reply(answerText(called('messages', '"{\\"a\\": 131.0}"')), 'messages');
    expect(callsOf(read)).toEqual(['{"a": 131.0}']);
    expect(read.repairs).toEqual(['tool arguments as an object']);
  });

  it.each(['chat', 'responses'] as const)('are {} if they are empty over %s', async (wire) => {
    const texts = ['', ' ', 'null', ' null\n', 'None', '""', '"{}"', '[]'].map((text) => JSON.stringify(text));
    for (const args of [...texts, 'null', '[]', null]) {
      const read = await reply(answerText(called(wire, args)), wire);
      expect(callsOf(read)).toEqual(['{}']);
      expect(read.repairs).toEqual(['empty tool arguments, read as {}']);
    }
  });

  it('are {} if they are empty over messages', async () => {
    for (const args of ['{}', '""', '"null"', 'null', '[]', null]) {
      expect(callsOf(await reply(answerText(called('messages', args)), 'messages'))).toEqual(['{}']);
    }
  });

  it('are unchanged if they are not an object', async () => {
    for (const text of ['7', '"f"', '[1]', 'nul', '{}{}']) {
      expect(callsOf(await reply(answerText(called('chat', JSON.stringify(text)))))).toEqual([text]);
    }
  });

  it('stay empty if the token limit cut the reply before them', async () => {
    expect(callsOf(await reply(answerText(called('chat', '""', 'length'))))).toEqual(['']);
    expect(callsOf(await reply(answerText(called('responses', '""', 'incomplete')), 'responses'))).toEqual(['']);
  });

  it('are found in the older form of one call', async () => {
    const read = await reply(answerJson(completion({ content: null, function_call: { name: 'f', arguments: '{}' } })));
    expect(read).toMatchObject({
      message: { tool_calls: [{ id: 'call_0', function: { name: 'f', arguments: '{}' } }] },
    });
    expect(read.repairs).toEqual(['a tool call outside the list of calls']);
  });

  it('belong to calls with distinct ids', async () => {
    const calls = [7, 'a', 'a'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }));
    const { message } = await reply(answerJson(completion({ content: null, tool_calls: calls })));
    expect(message.tool_calls?.map(({ id }) => id)).toEqual(['7', 'a', 'call_2']);
  });
});

describe('words', () => {
  it('of a refusal are the reply', async () => {
    for (const content of [null, '', undefined]) {
      const read = await reply(answerJson(completion({ content, refusal: 'I cannot do that.' })));
      expect(read.message.content).toBe('I cannot do that.');
    }
  });

  it('are read behind a byte order mark', async () => {
    for (const wire of WIRES) {
      const body = `\uFEFF${JSON.stringify(usages({})[wire])}`;
      expect((await reply(answerText(body), wire)).message.content).toBe('Hello.');
    }
  });

  it('are read as plain text where the API has parts', async () => {
    const response = { output: [{ type: 'message', content: 'Hello.' }] };
    expect((await reply(answerJson(response), 'responses')).message.content).toBe('Hello.');
    expect((await reply(answerJson({ content: 'Hello.' }), 'messages')).message.content).toBe('Hello.');
    expect((await reply(answerJson(completion({ content: ['Hel', { text: 'lo.' }] })))).message.content).toBe('Hello.');
  });
});

describe('a reply that did not end well', () => {
  const ended = (finish_reason: string, more: object = {}) =>
    answerJson({ choices: [{ finish_reason, message: { role: 'assistant', content: 'I have can' }, ...more }] });

  it.each([
    [ended('error'), 'ModelUnavailable'],
    [ended('error', { error: { code: 502, message: 'Provider disconnected' } }), 'ModelUnavailable'],
    [ended('error', { error: { code: 429, message: 'slow down' } }), 'RateLimited'],
    [ended('error', { native_finish_reason: 'MALFORMED_FUNCTION_CALL' }), 'MalformedReply'],
    [ended('function_call_filter: MALFORMED_FUNCTION_CALL'), 'MalformedReply'],
    [ended('stop', { native_finish_reason: 'MALFORMED_FUNCTION_CALL' }), 'MalformedReply'],
    [ended('insufficient_system_resource'), 'ModelUnavailable'],
    [ended('network_error'), 'ModelUnavailable'],
    [ended('content_filter: PROHIBITED_CONTENT'), 'ContentFilter'],
    [ended('sensitive'), 'ContentFilter'],
    [ended('content_filter'), 'ContentFilter'],
    [ended('stop', { provider_specific_fields: { native_finish_reason: 'TOO_MANY_TOOL_CALLS' } }), 'MalformedReply'],
    [ended('error', { native_finish_reason: 'RECITATION' }), 'ContentFilter'],
  ])('is a failure: case %#', async (answer, type) => {
    const error: unknown = await reply(answer).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ failure: { type } });
  });

  it('has no message if the token limit was too low for one', async () => {
    const answer = answerJson({ choices: [{ finish_reason: 'length' }] });
    expect(await reply(answer)).toMatchObject({ message: { content: null }, finishReason: 'length' });
  });
});

/** Google's list of reasons for a candidate without an answer, and what each means here. */
const GOOGLE: readonly [reason: string, type: string][] = [
  ...[
    ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MODEL_ARMOR'],
    ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'],
  ].map((reason): [string, string] => [reason, 'ContentFilter']),
  ...['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'].map(
    (reason): [string, string] => [reason, 'MalformedReply'],
  ),
  ['MISSING_THOUGHT_SIGNATURE', 'RequestRefused'],
  ...['OTHER', 'IMAGE_OTHER', 'NO_IMAGE', 'FINISH_REASON_UNSPECIFIED'].map((reason): [string, string] => [
    reason,
    'ModelUnavailable',
  ]),
];

describe('a reply without words that Gemini ends', () => {
  const empty = { message: { role: 'assistant' } };

  it.each(GOOGLE)('with %s is a %s, at Google and behind gateways', async (reason, type) => {
    const failed = { failure: { type, retryable: type === 'ModelUnavailable' } };
    for (const choice of [
      { ...empty, finish_reason: reason },
      { ...empty, finish_reason: reason.toLowerCase() },
      { ...empty, finish_reason: `FinishReason.${reason}` },
      { finish_reason: reason },
      { ...empty, finish_reason: 'stop', native_finish_reason: reason },
      { ...empty, finish_reason: 'stop', provider_specific_fields: { native_finish_reason: reason } },
      { message: { role: 'assistant', content: '' }, finish_reason: 'error', native_finish_reason: reason },
    ]) {
      await expect(reply(answerJson({ choices: [choice] }))).rejects.toMatchObject(failed);
    }
    const message = { content: [], stop_reason: reason };
    await expect(reply(answerJson(message), 'messages')).rejects.toMatchObject(failed);
    const response = { output: [], status: 'incomplete', incomplete_details: { reason } };
    await expect(reply(answerJson(response), 'responses')).rejects.toMatchObject(failed);
  });

  it.each(['content_filter', 'function_call_filter'])('with a reason of its filter %s that is new', async (filter) => {
    const type = filter === 'content_filter' ? 'ContentFilter' : 'MalformedReply';
    const answer = answerJson({ choices: [{ ...empty, finish_reason: `${filter}: SOMETHING_NEW` }] });
    await expect(reply(answer)).rejects.toMatchObject({ failure: { type } });
  });

  it('is used if it has text and the reason does not concern it', async () => {
    const answer = answerJson({ choices: [{ message: { content: 'Hello.' }, finish_reason: 'OTHER' }] });
    expect(await reply(answer)).toMatchObject({ message: { content: 'Hello.' }, finishReason: 'OTHER' });
  });
});

it('a refusal without text is a refusal over all wires', async () => {
  const answers: readonly [WireName, object][] = [
    ['chat', completion({ content: null, refusal: '' })],
    ['chat', completion({ content: [{ type: 'refusal', refusal: '' }] })],
    ['chat', { choices: [{ finish_reason: 'refusal', message: { content: '' } }] }],
    ['messages', { content: [], stop_reason: 'refusal' }],
    ['messages', { content: [{ type: 'text', text: 'I ca' }], stop_reason: 'refusal' }],
    ['responses', { output: [{ type: 'message', content: [{ type: 'refusal', refusal: '' }] }], status: 'completed' }],
    ['responses', { output: [], status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
  ];
  for (const [wire, answer] of answers) {
    await expect(reply(answerJson(answer), wire)).rejects.toMatchObject({
      failure: { type: 'ContentFilter', retryable: false },
    });
  }
});

describe('the usage of an unusable reply', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 7, input_tokens: 100, output_tokens: 7 };
  const nameless = { id: 'c', function: { name: '', arguments: '{}' } };
  const cases: readonly [WireName, object][] = [
    ['chat', { choices: [{ finish_reason: 'content_filter', message: { content: '' } }] }],
    ['chat', { choices: [{ finish_reason: 'error', message: { content: 'I' } }] }],
    ['chat', { choices: [{ finish_reason: 'function_call_filter: MALFORMED_FUNCTION_CALL' }] }],
    ['chat', { choices: [{ finish_reason: 'OTHER', message: { role: 'assistant' } }] }],
    ['chat', { choices: [{ message: { content: null, tool_calls: [nameless] } }] }],
    ['chat', { choices: [] }],
    ['chat', { error: { message: 'upstream' } }],
    ['responses', { output: [], status: 'incomplete', incomplete_details: { reason: 'content_filter' } }],
    [
      'responses',
      { output: [], status: 'failed', error: { code: 'server_error', message: 'The server had an error' } },
    ],
    ['responses', { output: [{ type: 'function_call', name: '' }], status: 'completed' }],
    ['messages', { content: [], stop_reason: 'refusal' }],
    ['messages', { content: [{ type: 'tool_use', id: 'c', name: '', input: {} }], stop_reason: 'tool_use' }],
  ];

  it.each(cases)('is counted over %s: %j', async (wire, body) => {
    const error: unknown = await reply(answerJson({ ...body, model: 'm-1', usage }), wire).catch((e: unknown) => e);
    const paid = { usageReported: true, servedModel: 'm-1', usage: { promptTokens: 100, completionTokens: 7 } };
    expect(error).toMatchObject({ failure: { paid } });
  });

  it('is unknown if the usage of a usable reply cannot be parsed', async () => {
    const unknown = { failure: { paid: { usageReported: false, usage: { promptTokens: 0 } } } };
    for (const answer of [
      answerJson(cases[0]?.[1] ?? {}),
      answerText('{"choices": [{"message": {"content": "I'),
      answerText(' '.repeat(17 * 1024 ** 2)),
    ]) {
      await expect(reply(answer)).rejects.toMatchObject(unknown);
    }
  });

  it('is absent if the answer is not a reply', async () => {
    for (const answer of [
      answerText('<html>Hello</html>', 200, 'text/html'),
      answerText(''),
      answerJson({ error: { message: 'upstream' } }),
      answerJson({ choices: [] }),
      answerJson({ error: { message: 'busy' } }, 503),
    ]) {
      const error: unknown = await reply(answer).catch((thrown: unknown) => thrown);
      expect((error as ModelCallError).failure.paid).toBeUndefined();
    }
  });
});

describe('an impossible tool call', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const nameless = {
    chat: completion({ content: null, tool_calls: [{ id: 'c', function: { name: '', arguments: '{}' } }] }),
    responses: { output: [{ type: 'function_call', call_id: 'c', name: null, arguments: '{}' }] },
    messages: { content: [{ type: 'tool_use', id: 'c', name: '', input: {} }] },
  } as const;

  it.each(WIRES)("is the model's own over %s: without a name, or with arguments nested without end", async (wire) => {
    for (const answer of [answerJson(nameless[wire]), answerText(called(wire, `{"a": ${deep}}`))]) {
      const error: unknown = await reply(answer, wire).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ failure: { type: 'MalformedReply', retryable: false } });
    }
  });
});

describe('an unrequested stream of events', () => {
  const events = (...data: object[]) =>
    answerText(
      [': waiting', '', ...data.map((each) => `data: ${JSON.stringify(each)}\n`), 'data: [DONE]\n'].join('\n'),
      200,
      'text/event-stream',
    );
  const delta = { choices: [{ index: 0, delta: { content: 'Hel' } }] };

  it.each(WIRES)('is a failure of the set-up over %s', async (wire) => {
    await expect(reply(events(delta), wire)).rejects.toMatchObject({
      failure: {
        type: 'RequestRefused',
        message: 'the provider answered with a stream of events, and none was asked for',
      },
    });
  });

  it.each([
    [{ message: 'Trying to keep the first 15857 tokens when context the overflows.' }, 'ContextOverflow'],
    ['The number of tokens to keep from the initial prompt is greater than the context length', 'ContextOverflow'],
    [{ code: 429, message: 'slow down' }, 'RateLimited'],
  ])('is the failure of the error in it: %j', async (error, type) => {
    await expect(reply(events(delta, { error }))).rejects.toMatchObject({ failure: { type } });
  });

  it('is not detected if only its end mark follows a complete reply', async () => {
    for (const wire of WIRES) {
      const body = `${JSON.stringify(usages({})[wire])}\n\ndata: [DONE]\n\n`;
      expect((await reply(answerText(body, 200, 'text/event-stream'), wire)).message.content).toBe('Hello.');
    }
  });
});

it.each([null, '', ' \n'])(
  'a reply without text or calls is sent back as text that servers accept: %j',
  async (content) => {
    const provider = await startFakeProvider(answerJson(completion({ content: 'Hello.' })));
    open.push(provider);
    const callModel = createModelCaller((name) => resolveProvider(name, { CUSTOM_BASE_URL: provider.url }));
    const messages = [{ role: 'user', content: 'Hi' } as const, { role: 'assistant', content } as const];
    const request = { provider: 'custom', model: 'm', messages, temperature: 0, idempotencyKey: 'k' };
    await callModel(request, { timeoutMs: 10_000 });
    expect(provider.requests[0]?.body['messages']).toEqual([messages[0], { role: 'assistant', content: '(no text)' }]);
  },
);
