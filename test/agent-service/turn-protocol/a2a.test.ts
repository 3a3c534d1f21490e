import { describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/models/index.ts';
import { askAgent, findAgent, type AgentService } from '../../../src/agent-service/index.ts';
import type { AskOptions } from '../../../src/agent-service/testing.ts';
import { data, startA2a, TaskState, text, type A2aCall } from '../../helpers/a2a-agent.ts';
import { answering, serve } from '../../helpers/stub-service.ts';
import { REQUEST } from './helpers.ts';

const TIME = { timeoutMs: 20_000 };
const FIRST = { ...REQUEST, request: 1, idempotency_key: 'e1/1' };
const EXTENSION = 'urn:tauflow:a2a:1';
const announcing = (params?: object) => ({
  card: { capabilities: { extensions: [{ uri: EXTENSION, ...(params === undefined ? {} : { params }) }] } },
});
const ACTION = '<json>{"name": "get_order_details", "arguments": {"order_id": "#W1", "total": 131.0}}</json>';

async function ask(service: AgentService, request = FIRST, options: Partial<AskOptions> = {}) {
  const { service: found } = await findAgent(service, TIME);
  return await askAgent(found, request, { ...TIME, ...options });
}

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelCallError)) throw new Error(`no failure: ${String(error)}`);
  return error.failure;
}

const hello = ({ say }: A2aCall) => say(text('<json>{"name": "respond", "arguments": {"content": "Hello"}}</json>'));

describe('an agent that speaks A2A', () => {
  it.each(['1.0', '0.3'] as const)('is found by its card, and asked by protocol %s', async (version) => {
    const agent = await startA2a(hello, { version });
    const { identity, service } = await findAgent({ url: agent.url }, TIME);
    expect(identity).toEqual({ status: 200, name: 'shop helper', version: '1.2.0', protocol: 'a2a' });
    expect(service.a2aTools).toBe('text');
    const { answer } = await askAgent(service, FIRST, TIME);
    expect(answer).toEqual({ kind: 'message', content: 'Hello' });
    expect(agent.messages[0]).toMatchObject({
      messageId: 'e1/1',
      metadata: { [EXTENSION]: { episode: 'e1', turn: 1 } },
    });
    if (version === '1.0') expect(agent.requests.at(-1)?.headers['a2a-version']).toBe('1.0');
  });

  it('is asked in one context, whose name it gives', async () => {
    const contexts: string[] = [];
    const agent = await startA2a((call) => {
      contexts.push(call.context);
      hello(call);
    });
    const { peer } = await ask({ url: agent.url });
    await ask({ url: agent.url }, REQUEST, { peer });
    expect(new Set(contexts).size).toBe(1);
    expect(contexts).toHaveLength(2);
  });

  it('gets policy, tools and format in words, once, and answers with an action', async () => {
    const agent = await startA2a(({ say }) => say(text(`I look it up.\n${ACTION}`)));
    const { answer, peer } = await ask({ url: agent.url });
    expect(answer).toEqual({
      kind: 'tool_calls',
      calls: [{ id: 'call_1_1', name: 'get_order_details', argumentsJson: '{"order_id": "#W1", "total": 131.0}' }],
    });
    const result = {
      role: 'tool',
      tool_call_id: 'call_1_1',
      name: 'get_order_details',
      content: '{"status": 1}',
    } as const;
    await ask({ url: agent.url }, { ...REQUEST, request: 2, messages: [result] }, { peer });
    const [first, second] = agent.messages.map(({ parts }) =>
      parts.map(({ content }) => content?.value as string).join(),
    );
    expect(first).toMatch(/^Be kind\.\n\n[^]*"get_order_details"[^]*<json>[^]*User message:\nWhere is my order\?$/);
    expect(second).toBe('Tool call result:\n{"status": 1}');
  });

  it.each([
    ['no tags', 'Hello'],
    ['no JSON', '<json>{</json>'],
    ['no name', '<json>{"arguments": {}}</json>'],
    ['no object', '<json>{"name": "x", "arguments": [1]}</json>'],
    ['no content', '<json>{"name": "respond", "arguments": {}}</json>'],
  ])('that answers with %s has made an error of its own', async (_, said) => {
    const agent = await startA2a(({ say }) => say(text(said)));
    expect(await failureOf(ask({ url: agent.url }))).toMatchObject({ type: 'InvalidAnswer', retryable: false });
  });

  it('may name the arguments kwargs, and is read by its last action', async () => {
    const agent = await startA2a(({ say }) =>
      say(text(`${ACTION} <json>{"name": "think", "kwargs": {"a": 1e0}}</json>`)),
    );
    expect((await ask({ url: agent.url })).answer).toMatchObject({
      calls: [{ name: 'think', argumentsJson: '{"a": 1e0}' }],
    });
  });

  it('that announces the extension gets and gives the turn protocol as data', async () => {
    const agent = await startA2a(
      ({ say }) => say(data({ tool_calls: [{ name: 'a', arguments: '{"x": 1.0}' }], usage: { calls: 2 } })),
      announcing(),
    );
    const { answer, usage } = await ask({ url: agent.url });
    expect(answer).toMatchObject({ kind: 'tool_calls', calls: [{ name: 'a', argumentsJson: '{"x": 1.0}' }] });
    expect(usage).toMatchObject({ calls: 2 });
    const [{ parts, extensions } = { parts: [], extensions: [] }] = agent.messages;
    expect(parts.map(({ content }) => content?.value as unknown)).toEqual(['Where is my order?', FIRST]);
    expect(extensions).toEqual([EXTENSION]);
    expect(agent.requests.at(-1)?.headers['a2a-extensions']).toBe(EXTENSION);
  });

  it('that wants MCP gets the address of its tools, and answers in words', async () => {
    const agent = await startA2a(({ say }) => say(text('It is on its way.')), announcing({ tools: 'mcp' }));
    expect((await ask({ url: agent.url })).answer).toEqual({ kind: 'message', content: 'It is on its way.' });
    expect(agent.messages[0]?.metadata?.[EXTENSION]).toMatchObject({ mcp_url: REQUEST.mcp_url, request: 1 });
    expect(agent.messages[0]?.parts).toHaveLength(1);
  });

  it.each(['data', 'mcp'] as const)('may say in %s that it has lost the episode', async (tools) => {
    const agent = await startA2a(({ say }) => say(data({ error: 'unknown_episode' })), announcing({ tools }));
    expect(await failureOf(ask({ url: agent.url }, REQUEST))).toMatchObject({ type: 'AgentForgot' });
  });
});

describe('a task', () => {
  const { TASK_STATE_WORKING: WORKING, TASK_STATE_COMPLETED: COMPLETED, TASK_STATE_INPUT_REQUIRED: ASKS } = TaskState;

  it.each([true, false])('that goes on is followed to its end (streaming: %s)', async (streaming) => {
    const agent = await startA2a(
      ({ state, artifact }) => {
        state(WORKING);
        artifact('a', [text('It is ')]);
        artifact('a', [text('on its way.')], true);
        state(COMPLETED);
      },
      { card: { capabilities: { streaming, extensions: [{ uri: EXTENSION, params: { tools: 'mcp' } }] } } },
    );
    expect((await ask({ url: agent.url })).answer).toEqual({ kind: 'message', content: 'It is on its way.' });
  });

  it('that asks for something is a question to the user, whose answer continues it', async () => {
    const tasks: string[] = [];
    const agent = await startA2a(
      ({ task, state }) => {
        tasks.push(task);
        if (tasks.length === 1) state(ASKS, text('Which order?'));
        else state(COMPLETED, text('Thank you.'));
      },
      announcing({ tools: 'mcp' }),
    );
    const first = await ask({ url: agent.url });
    expect(first.answer).toEqual({ kind: 'message', content: 'Which order?' });
    const second = await ask({ url: agent.url }, REQUEST, { peer: first.peer });
    expect(second.answer).toEqual({ kind: 'message', content: 'Thank you.' });
    expect(new Set(tasks).size).toBe(1);
    await ask({ url: agent.url }, REQUEST, { peer: second.peer });
    expect(new Set(tasks).size).toBe(2);
  });

  it.each([
    ['FAILED', 'ModelUnavailable', true],
    ['CANCELED', 'ModelUnavailable', true],
    ['REJECTED', 'InvalidAnswer', false],
    ['AUTH_REQUIRED', 'NotAuthorised', false],
  ] as const)('that ends %s is %s', async (end, type, retryable) => {
    const agent = await startA2a(({ state }) => state(TaskState[`TASK_STATE_${end}`], text('no luck')));
    expect(await failureOf(ask({ url: agent.url }))).toMatchObject({ type, retryable });
  });

  it('that a new process does not know is an episode that is forgotten', async () => {
    const agent = await startA2a(hello, announcing());
    const peer = JSON.stringify({ context: 'c', task: 'lost', since: Date.now() });
    expect(await failureOf(ask({ url: agent.url }, REQUEST, { peer }))).toMatchObject({ type: 'AgentForgot' });
  });
});

describe('an agent that does not know a repeated request', () => {
  it('is walked through the episode after a crash, in a new context', async () => {
    const agent = await startA2a(hello);
    const { peer } = await ask({ url: agent.url });
    expect(await failureOf(ask({ url: agent.url }, REQUEST, { peer, isRepeated: true }))).toMatchObject({
      type: 'AgentForgot',
    });
    expect(agent.messages).toHaveLength(1);
    await ask({ url: agent.url }, FIRST, { isRepeated: true });
    expect(agent.messages.map(({ contextId }) => contextId)).toHaveLength(2);
  });

  it('has lost every open conversation when its process was away', async () => {
    const agent = await startA2a((call) => (call.message.messageId === 'e1/9' ? call.die() : hello(call)));
    const { peer } = await ask({ url: agent.url });
    const failure = await failureOf(ask({ url: agent.url }, { ...FIRST, idempotency_key: 'e1/9' }));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true });
    expect(await failureOf(ask({ url: agent.url }, REQUEST, { peer }))).toMatchObject({ type: 'AgentForgot' });
  });

  it('is asked again where it announces the extension', async () => {
    const agent = await startA2a(({ say }) => say(data({ message: 'Hello' })), announcing());
    const { peer } = await ask({ url: agent.url });
    const again = await ask({ url: agent.url }, REQUEST, { peer, isRepeated: true });
    expect(again.answer).toEqual({ kind: 'message', content: 'Hello' });
  });
});

describe('a card', () => {
  const card = (more: object) => ({
    name: 'x',
    version: '1',
    description: '',
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    ...more,
  });
  const at = (url: string) => ({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] });

  async function withCard(json: object) {
    const { url } = await serve((request, response) =>
      request.path === '/.well-known/agent-card.json'
        ? answering(200, JSON.stringify(json))(request, response)
        : answering(404, '')(request, response),
    );
    return await failureOf(findAgent({ url: new URL(url).origin, key: 'key-of-the-agent' }, TIME, { protocol: 'a2a' }));
  }

  it.each([
    ['leads to another host', at('http://example.com/'), 'RequestRefused', /another host \(http:\/\/example\.com\/\)/],
    ['leads nowhere', at('file:///etc/passwd'), 'RequestRefused', /another host/],
    [
      'offers gRPC alone',
      { supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'GRPC', protocolVersion: '1.0' }] },
      'RequestRefused',
      /no A2A over JSON-RPC or HTTP\+JSON .* \(its card has GRPC 1\.0\)/,
    ],
    [
      'requires an extension',
      { ...at('http://127.0.0.1/'), capabilities: { extensions: [{ uri: 'urn:x', required: true }] } },
      'RequestRefused',
      /requires the A2A extension urn:x/,
    ],
    [
      'asks for a client certificate',
      {
        ...at('http://127.0.0.1/'),
        securitySchemes: { m: { mtlsSecurityScheme: {} } },
        securityRequirements: [{ schemes: { m: { list: [] } } }],
      },
      'NotAuthorised',
      /something else than an API key or a bearer token/,
    ],
  ])('that %s is refused with one sentence', async (_, more, type, message) => {
    const failure = await withCard(card(more));
    expect(failure).toMatchObject({ type, retryable: false });
    expect(failure.message).toMatch(message);
  });

  it.each([
    ['header', { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } }, 'x-key', 'key-of-the-agent'],
    ['cookie', { apiKeySecurityScheme: { location: 'cookie', name: 'k' } }, 'cookie', 'k=key-of-the-agent'],
    ['bearer', { httpAuthSecurityScheme: { scheme: 'Bearer' } }, 'authorization', 'Bearer key-of-the-agent'],
    ['oauth', { oauth2SecurityScheme: { flows: {} } }, 'authorization', 'Bearer key-of-the-agent'],
  ])('says where the key goes: %s', async (_, scheme, name, value) => {
    const agent = await startA2a(hello, {
      card: { securitySchemes: { s: scheme }, securityRequirements: [{ schemes: { s: { list: [] } } }] },
    });
    expect(await failureOf(findAgent({ url: agent.url }, TIME))).toMatchObject({ type: 'NotAuthorised' });
    await ask({ url: agent.url, key: 'key-of-the-agent' });
    expect(agent.requests.at(-1)?.headers[name]).toBe(value);
  });

  it('is read as that of protocol 0.3 has it, with its key in the query', async () => {
    const agent = await startA2a(hello, {
      version: '0.3',
      card: { securitySchemes: { s: { type: 'apiKey', in: 'query', name: 'key' } }, security: [{ s: [] }] },
    });
    await ask({ url: agent.url, key: 'key-of-the-agent' });
    expect(agent.requests.at(-1)?.path).toBe('/?key=key-of-the-agent');
  });

  it('may name the address that its server listens on', async () => {
    const agent = await startA2a(hello, { card: at('http://0.0.0.0:1/') });
    expect((await ask({ url: agent.url })).answer).toMatchObject({ content: 'Hello' });
  });

  it.each([
    [
      401,
      null,
      'NotAuthorised',
      /answered 401 to the request for its agent card at .*; set TAUFLOW_AGENT_KEY to its key$/,
    ],
    [403, 'key-of-the-agent', 'NotAuthorised', /answered 403 .*; check TAUFLOW_AGENT_KEY, whose value was sent/],
    [503, null, 'ModelUnavailable', /answered 503 to the request for its agent card/],
    [500, null, 'ModelUnavailable', /answered 500/],
    [418, null, 'RequestRefused', /answered 418/],
    [404, null, 'RequestRefused', /has no agent card: .* is answered 404; check --agent-url$/],
    [200, null, 'RequestRefused', /has no agent card at .*; check --agent-url$/],
  ])('that is answered %i names the status', async (status, key, type, message) => {
    const { url } = await serve((request, response) => {
      const isCard = request.path.endsWith('agent-card.json');
      answering(isCard ? status : 404, 'no')(request, response);
    });
    const failure = await failureOf(findAgent({ url, key }, TIME, { protocol: 'a2a' }));
    expect(failure).toMatchObject({ type });
    expect(failure.message).toMatch(message);
    const found = findAgent({ url, key }, TIME);
    if (type === 'NotAuthorised') expect((await failureOf(found)).message).toMatch(message);
    else expect((await found).service.a2aTools).toBeUndefined();
  });

  it('is no card where an agent answers anything to everybody', async () => {
    const { url } = await serve(answering(200, '{"name": "mine", "version": "2"}'));
    expect((await findAgent({ url }, TIME)).service.a2aTools).toBeUndefined();
  });
});
