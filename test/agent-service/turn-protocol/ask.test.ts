import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/models/index.ts';
import { askAgent, findAgent } from '../../../src/agent-service/index.ts';
import { answering, serve } from '../../helpers/stub-service.ts';
import { REQUEST } from './helpers.ts';

const TIME = { timeoutMs: 20_000 };

async function answerTo(body: string, status = 200) {
  const { url } = await serve(answering(status, body));
  return await askAgent({ url }, REQUEST, TIME);
}

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelCallError)) throw new Error(`no failure: ${String(error)}`);
  return error.failure;
}

describe('a request to an agent', () => {
  it('is posted whole to the address as given, with its key', async () => {
    const { url, received } = await serve(answering(200, '{"message": "Hello"}'));
    await askAgent({ url: `${url}?tenant=1`, key: 'secret-key-of-mine' }, REQUEST, TIME);
    const [{ method, path, headers, body } = { headers: {}, body: '' }] = received;
    expect([method, path]).toEqual(['POST', '/agent?tenant=1']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'e1/3',
      authorization: 'Bearer secret-key-of-mine',
    });
    expect(JSON.parse(body)).toEqual(REQUEST);
  });

  it('goes without a key where none is set', async () => {
    const { url, received } = await serve(answering(200, '{"message": "Hello"}'));
    await askAgent({ url, key: null }, REQUEST, TIME);
    expect(received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('follows a redirection within the service', async () => {
    const { url, received } = await serve((request, response) => {
      if (request.path === '/agent') answering(307, '', { location: '/agent/' })(request, response);
      else answering(200, '{"message": "Hello"}')(request, response);
    });
    expect((await askAgent({ url }, REQUEST, TIME)).answer).toEqual({ kind: 'message', content: 'Hello' });
    expect(received.map(({ path }) => path)).toEqual(['/agent', '/agent/']);
    expect(received[1]?.body).toBe(received[0]?.body);
  });
});

describe('an answer', () => {
  it.each([
    ['{"message": "Hello"}', { kind: 'message', content: 'Hello' }],
    ['{"message": ""}', { kind: 'message', content: '' }],
    ['{"end": true}', { kind: 'end' }],
    ['{"message": "Bye", "end": true}', { kind: 'end' }],
    ['{"message": "Hi", "tool_calls": [], "end": false, "usage": null, "more": 1}', { kind: 'message', content: 'Hi' }],
    ['{"message": "<think>They want #W1.</think>Hi"}', { kind: 'message', content: 'Hi' }],
    ['{"message": "Hi", "tool_calls": null}', { kind: 'message', content: 'Hi' }],
  ])('%s', async (body, answer) => {
    expect(await answerTo(body)).toEqual({ answer });
  });

  it('calls tools in either form, and keeps the spelling of numbers', async () => {
    const { answer } = await answerTo(
      `{"tool_calls": [
        {"id": "c1", "name": "a", "arguments": {"n": 131.0, "big": 12345678901234567890, "__proto__": {"é": 1}}},
        {"name": "b", "arguments": "{\\"n\\":  131.0}"},
        {"id": "c3", "type": "function", "function": {"name": "c", "arguments": "{}"}},
        {"function": {"name": "d", "arguments": {"n": 1.50}}},
        {"name": "e"}, {"name": "f", "arguments": ""}, {"name": "g", "arguments": null}
      ], "message": "a moment"}`,
    );
    expect(answer).toEqual({
      kind: 'tool_calls',
      calls: [
        {
          id: 'c1',
          name: 'a',
          argumentsJson: '{"n": 131.0, "big": 12345678901234567890, "__proto__": {"\\u00e9": 1}}',
        },
        { id: 'call_3_2', name: 'b', argumentsJson: '{"n":  131.0}' },
        { id: 'c3', name: 'c', argumentsJson: '{}' },
        { id: 'call_3_4', name: 'd', argumentsJson: '{"n": 1.5}' },
        { id: 'call_3_5', name: 'e', argumentsJson: '{}' },
        { id: 'call_3_6', name: 'f', argumentsJson: '{}' },
        { id: 'call_3_7', name: 'g', argumentsJson: '{}' },
      ],
    });
  });

  it('reports usage, whose unknown cost stays unknown', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, model: 'm' };
    const read = { promptTokens: 10, completionTokens: 2, cachedTokens: 0, reasoningTokens: 0, model: 'm' };
    const said = { message: 'Hi', usage };
    expect((await answerTo(JSON.stringify(said))).usage).toEqual({ ...read, calls: 1, costUsd: null });
    const priced = { message: 'Hi', usage: { ...usage, calls: 3, cost_usd: 0.25 } };
    expect((await answerTo(JSON.stringify(priced))).usage).toEqual({ ...read, calls: 3, costUsd: 0.25 });
  });

  it('whose usage cannot be read is heard all the same', async () => {
    const { url } = await serve(answering(200, '{"message": "Hi", "usage": {"cost_usd": "much"}}'));
    const problems: string[] = [];
    const heard = await askAgent({ url }, REQUEST, { ...TIME, onUnreadUsage: (problem) => problems.push(problem) });
    expect(heard).toEqual({ answer: { kind: 'message', content: 'Hi' } });
    expect(problems).toEqual(['cost_usd: Invalid input: expected number, received string']);
  });

  const TOO_DEEP = `{"tool_calls": [{"name": "a", "arguments": {"x": ${'['.repeat(2_000)}${']'.repeat(2_000)}}}]}`;
  it.each([
    ['Hello', 'what is no JSON: Hello'],
    ['', 'what is no JSON'],
    ['<!doctype html><p>Hi', 'what is no JSON: an HTML page'],
    ['[]', 'what is no answer (it: must be an object): []'],
    ['{}', 'no answer (give message, tool_calls or end): {}'],
    ['{"message": "<think>a"}', 'a thought and no message: {"message": "<think>a"}'],
    ['{"end": false}', 'no answer (give message, tool_calls or end): {"end": false}'],
    ['{"message": 7}', 'what is no answer (message: must be a text): {"message": 7}'],
    ['{"end": "yes"}', 'what is no answer (end: must be true or false): {"end": "yes"}'],
    ['{"tool_calls": {}}', 'what is no answer (tool_calls: must be a list): {"tool_calls": {}}'],
    [
      '{"tool_calls": ["x"]}',
      'what is no answer (tool_calls.0: must be an object with name and arguments): {"tool_calls": ["x"]}',
    ],
    [
      '{"tool_calls": [{"name": ""}]}',
      'what is no answer (tool_calls.0.name: must not be empty): {"tool_calls": [{"name": ""}]}',
    ],
    [
      '{"tool_calls": [{"function": {}}]}',
      'what is no answer (tool_calls.0: function.name must be a text): {"tool_calls": [{"function": {}}]}',
    ],
    [
      '{"tool_calls": [{"name": "a", "arguments": [1]}]}',
      'what is no answer (tool_calls.0: arguments must be an object, or JSON text of one): ' +
        '{"tool_calls": [{"name": "a", "arguments": [1]}]}',
    ],
    [
      '{"tool_calls": [{"id": "c", "name": "a"}, {"id": "c", "name": "b"}]}',
      'two calls of the id c: {"tool_calls": [{"id": "c", "name": "a"}, {"id": "c", "name": "b"}]}',
    ],
    ['too deep', `arguments that are nested too deep, or have too long a number: ${TOO_DEEP.slice(0, 199)}…`],
  ])('that is none is the agent’s error: %s', async (given, problem) => {
    const body = given === 'too deep' ? TOO_DEEP : given;
    const { url } = await serve(answering(200, body));
    const isNone = /no JSON|must be an object\)|no answer \(give/.test(problem);
    expect(await failureOf(askAgent({ url }, REQUEST, TIME))).toEqual({
      ...(isNone ? { isNoAnswer: true } : {}),
      type: 'InvalidAnswer',
      retryable: false,
      status: 200,
      message: `the agent at ${url} answered 200 with ${problem}`,
    });
  });

  it.each([201, 204])('of status %i is named by its status', async (status) => {
    const failure = await failureOf(answerTo('', status));
    expect(failure).toMatchObject({ type: 'InvalidAnswer', status });
    expect(failure.message).toMatch(new RegExp(`answered ${String(status)} with what is no JSON$`));
  });

  it('with too many calls, or too large, is the agent’s error', async () => {
    const calls = Array.from({ length: 129 }, () => ({ name: 'a' }));
    const many = await failureOf(answerTo(JSON.stringify({ tool_calls: calls })));
    expect(many).toMatchObject({ type: 'InvalidAnswer' });
    expect(many.message).toContain('(tool_calls: has more than 128 calls)');
    const large = await failureOf(answerTo(JSON.stringify({ message: 'x'.repeat(2 * 1024 * 1024) })));
    expect(large).toMatchObject({ type: 'InvalidAnswer', retryable: false });
    expect(large.message).toMatch(/answered with more than 2097152 bytes$/);
  });

  it('that is not UTF-8 is no JSON', async () => {
    const { url } = await serve(answering(200, Buffer.from([0x22, 0xff, 0x22])));
    expect((await failureOf(askAgent({ url }, REQUEST, TIME))).type).toBe('InvalidAnswer');
  });
});

describe('a failure', () => {
  it.each([
    [429, '', { 'retry-after': '7' }, 'RateLimited', 7_000],
    [429, '', {}, 'RateLimited', undefined],
    [503, '', { 'retry-after': '2' }, 'ModelUnavailable', 2_000],
    [500, '{"error": "boom"}', {}, 'ModelUnavailable', undefined],
    [502, '<html>', {}, 'ModelUnavailable', undefined],
    [408, '', {}, 'ModelUnavailable', undefined],
  ] as const)('%i %s is passing', async (status, body, headers, type, retryAfterMs) => {
    const { url } = await serve(answering(status, body, headers));
    const failure = await failureOf(askAgent({ url }, REQUEST, TIME));
    expect(failure).toMatchObject({ type, retryable: true, status });
    expect(failure.retryAfterMs).toBe(retryAfterMs);
  });

  it.each([
    [401, '', 'NotAuthorised', '; set TAUFLOW_AGENT_KEY on the worker'],
    [403, '{"detail": "no"}', 'NotAuthorised', ': {"detail": "no"}; set TAUFLOW_AGENT_KEY on the worker'],
    [400, 'what?', 'RequestRefused', ': what?'],
    [404, '{"detail":"Not Found"}', 'RequestRefused', ': {"detail":"Not Found"}; check --agent-url'],
    [405, '', 'RequestRefused', '; check --agent-url'],
    [409, '{"error": "busy"}', 'RequestRefused', ': {"error": "busy"}'],
    [404, '{"error": "unknown_episode"}', 'AgentForgot', ': {"error": "unknown_episode"}'],
    [409, '{"error": "unknown_episode"}', 'AgentForgot', ': {"error": "unknown_episode"}'],
    [404, '{"detail": {"error": "unknown_episode"}}', 'AgentForgot', ': unknown_episode'],
  ] as const)('%i %s is permanent', async (status, body, type, rest) => {
    const { url } = await serve(answering(status, body));
    const message = `the agent at ${url} answered ${String(status)}${rest}`;
    expect(await failureOf(askAgent({ url }, REQUEST, TIME))).toEqual({ type, retryable: false, status, message });
  });

  it("is the agent's own where it says so", async () => {
    const body = '{"error": "agent_failed", "message": "KeyError: size"}';
    const { url } = await serve(answering(500, body));
    const message = `the agent at ${url} has failed: KeyError: size`;
    expect(await failureOf(askAgent({ url }, REQUEST, TIME))).toEqual({
      ...{ type: 'AgentFailed', retryable: false, status: 500, message },
    });
    const { url: other } = await serve(answering(503, body));
    expect(await failureOf(askAgent({ url: other }, REQUEST, TIME))).toMatchObject({ type: 'ModelUnavailable' });
  });

  it('is a connection that is refused', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const url = `http://127.0.0.1:${String(port)}`;
    expect(await failureOf(askAgent({ url }, REQUEST, TIME))).toEqual({
      type: 'ModelUnavailable',
      isUnreached: true,
      retryable: true,
      message: `no answer from the agent at ${url}/: connect ECONNREFUSED 127.0.0.1:${String(port)}`,
    });
  });

  it('is a service that never answers', async () => {
    const { url } = await serve(() => undefined);
    expect(await failureOf(askAgent({ url }, REQUEST, { timeoutMs: 50 }))).toEqual({
      type: 'ModelUnavailable',
      retryable: true,
      isTimeout: true,
      message: `the agent at ${url} did not answer within 0.05 s`,
    });
  });

  it('is an answer that does not go on', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200);
      response.write('{"mess');
    });
    expect(await failureOf(askAgent({ url }, REQUEST, { timeoutMs: 50 }))).toMatchObject({
      type: 'ModelUnavailable',
      isTimeout: true,
    });
  });

  it.each(['before the answer', 'within the answer'])('is a connection that ends %s', async (when) => {
    const { url } = await serve((_, response) => {
      if (when === 'before the answer') response.socket?.destroy();
      else {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"mess', () => response.socket?.destroy());
      }
    });
    const failure = await failureOf(askAgent({ url }, REQUEST, TIME));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true });
    expect(failure.message).toMatch(/^no answer from the agent at http:/);
  });

  it.each([
    [307, 'http://127.0.0.2:1/x?key=1', 'to http://127.0.0.2:1/x'],
    [302, '/login', 'to ORIGIN/login'],
    [308, '/agent', 'to ORIGIN/agent'],
    [307, 'http://[', 'elsewhere'],
  ])('is a redirection that is not followed: %i %s', async (status, location, to) => {
    const { url, received } = await serve(answering(status, '', { location }));
    expect(await failureOf(askAgent({ url }, REQUEST, TIME))).toEqual({
      type: 'RequestRefused',
      retryable: false,
      status,
      message:
        `the agent at ${url} answered ${String(status)}, which leads ${to.replace('ORIGIN', new URL(url).origin)}; ` +
        'give --agent-url as it is there',
    });
    expect(received).toHaveLength(status === 308 ? 4 : 1);
  });

  it('shows no key', async () => {
    const key = 'agent-key-1234567890';
    const { url } = await serve(({ headers }, response) => {
      answering(400, `bad header: ${String(headers.authorization)}`)({} as never, response);
    });
    const { message } = await failureOf(askAgent({ url: url.replace('//', '//me:pass@'), key }, REQUEST, TIME));
    expect(message).toBe(`the agent at ${url} answered 400: bad header: Bearer [redacted]`);
  });

  it('is the caller’s reason where the caller gives up', async () => {
    const stop = new AbortController();
    const { url } = await serve(() => stop.abort(new Error('over')));
    await expect(askAgent({ url }, REQUEST, { ...TIME, signal: stop.signal })).rejects.toThrow('over');
  });
});

async function identityOf(service: Parameters<typeof findAgent>[0]) {
  return (await findAgent(service, TIME)).identity;
}

describe('the identity of an agent', () => {
  it('is what GET answers', async () => {
    const { url, received } = await serve(answering(200, '{"name": "mine", "version": "1.2", "protocol": "1"}'));
    expect(await identityOf({ url, key: 'key-of-the-agent' })).toEqual({
      status: 200,
      name: 'mine',
      version: '1.2',
      protocol: '1',
    });
    expect(received[0]).toMatchObject({ method: 'GET', path: '/agent' });
    expect(received[0]?.headers.authorization).toBe('Bearer key-of-the-agent');
  });

  it.each([
    [404, '{"name": "x"}', {}],
    [200, 'ok', {}],
    [200, 'null', {}],
    [200, '{"name": 7}', {}],
    [200, JSON.stringify({ name: 'x'.repeat(81) }), {}],
    [200, '{"name": "mine", "version": 2}', { name: 'mine' }],
  ])('is unknown where it does not say: %i %s', async (status, body, known) => {
    const { url } = await serve(answering(status, body));
    expect(await identityOf({ url })).toEqual({ status, name: null, version: null, protocol: null, ...known });
  });

  it('is no question for a service that does not answer', async () => {
    expect(await failureOf(findAgent({ url: 'http://127.0.0.1:1' }, TIME))).toMatchObject({
      type: 'ModelUnavailable',
    });
  });
});
