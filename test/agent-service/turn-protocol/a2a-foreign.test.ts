/** Agents on servers of others: what their tasks, messages and errors are for the user. */

import { describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/models/index.ts';
import { askAgent, findAgent, type AgentService } from '../../../src/agent-service/index.ts';
import type { TurnAnswer } from '../../../src/agent-service/testing.ts';
import {
  FORMS,
  startStub,
  type StubEvent,
  type StubForm,
  type StubPart,
  type StubRequest,
} from '../../helpers/a2a-stub.ts';
import { REQUEST } from './helpers.ts';

const TIME = { timeoutMs: 20_000 };
const RPC = { version: '1.0', binding: 'JSONRPC', streaming: true } as const;
const STREAMED = FORMS.filter(({ streaming }) => streaming);
const text = (value: string): readonly StubPart[] => [{ text: value }];
const say = (id: string, value: string) => ({ id, parts: text(value) });
const asks = (message?: { id: string; parts: readonly StubPart[] }): StubEvent => ({
  state: 'input-required',
  ...(message === undefined ? {} : { message }),
});
const WORKS: StubEvent = { state: 'working' };

type Tools = 'text' | 'data' | 'mcp';
/** Words for the user as an agent gives them in a mode. */
function inMode(tools: Tools, words: string): readonly StubPart[] {
  if (tools === 'data') return [{ data: { message: words } }];
  return text(tools === 'mcp' ? words : `<json>{"name": "respond", "arguments": {"content": "${words}"}}</json>`);
}

interface Played {
  readonly heard: readonly string[];
  readonly requests: readonly StubRequest[];
  readonly polls: number;
}

/** Plays as many turns as there are answers. */
async function play(
  answers: readonly (readonly StubEvent[])[],
  options: Partial<Parameters<typeof startStub>[1]> & { readonly mode?: Tools } = {},
): Promise<Played> {
  const { mode = 'mcp', ...rest } = options;
  const stub = await startStub(({ number }) => answers[number - 1] ?? [], {
    ...RPC,
    ...(mode === 'text' ? {} : { tools: mode }),
    ...rest,
  });
  const { service } = await findAgent({ url: stub.url }, TIME, { protocol: 'a2a' });
  const heard: string[] = [];
  let peer: string | undefined;
  for (const [at] of answers.entries()) {
    const said: TurnAnswer = await ask(service, at + 1, peer);
    peer = said.peer;
    heard.push(said.answer.kind === 'message' ? said.answer.content : said.answer.kind);
  }
  return { heard, requests: stub.requests, polls: stub.polls };
}

async function ask(service: AgentService, request: number, peer?: string): Promise<TurnAnswer> {
  const body = { ...REQUEST, request, turn: request, idempotency_key: `e1/${request}` };
  return await askAgent(service, body, { ...TIME, ...(peer === undefined ? {} : { peer }) });
}

/** Sends the second request, as the given attempt. */
async function repeat(service: AgentService, attempt: number, peer: string | undefined): Promise<TurnAnswer> {
  const body = { ...REQUEST, request: 2, turn: 2, attempt, idempotency_key: 'e1/2' };
  return await askAgent(service, body, { ...TIME, ...(peer === undefined ? {} : { peer }), isRepeated: attempt > 1 });
}

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelCallError)) throw new Error(`no failure: ${String(error)}`);
  return error.failure;
}

const titleOf = ({ version, binding, streaming }: StubForm) =>
  `${version} ${binding} ${streaming ? 'streamed' : 'polled'}`;
const forms = FORMS.map((form) => [titleOf(form), form] as const);
const streamedForms = STREAMED.map((form) => [titleOf(form), form] as const);

describe.each(forms)('a task over several turns, %s', (_, form) => {
  it.each(['text', 'data', 'mcp'] as const)('says the new artifact of each, in %s', async (mode) => {
    const turn = (number: number): StubEvent[] => [
      WORKS,
      { artifact: `a${number}`, parts: inMode(mode, `words of turn ${number}`) },
      asks(),
    ];
    const { heard, requests } = await play([turn(1), turn(2), turn(3)], { ...form, mode });
    expect(heard).toEqual(['words of turn 1', 'words of turn 2', 'words of turn 3']);
    expect(requests.map(({ task }) => task)).toEqual(['', 't1', 't1']);
  });

  it('says what is appended to an artifact, or replaces it', async () => {
    const { heard } = await play(
      [
        [{ artifact: 'a', parts: text('One.') }, asks()],
        [
          { artifact: 'a', parts: text(' Two, '), append: true },
          { artifact: 'a', parts: text('three.'), append: true },
          asks(),
        ],
        [{ artifact: 'a', parts: text('Four.') }, asks()],
        [{ artifact: 'a', parts: text('Four. Five.') }, asks()],
        [{ artifact: 'a', parts: text('Four. Five. And, yes') }, asks()],
        [{ artifact: 'a', parts: text('Four. Five. And, yesterday') }, { state: 'completed' }],
      ],
      form,
    );
    expect(heard).toEqual(['One.', 'Two, three.', 'Four.', 'Five.', 'And, yes', 'Four. Five. And, yesterday']);
  });

  it('says the question of each, also where a message keeps its id', async () => {
    const { heard } = await play(
      [
        [WORKS, asks(say('m', 'Which order?'))],
        [WORKS, asks(say('m', 'Which item?'))],
        [WORKS, { artifact: 'a', parts: text('It is on its way.') }, asks(say('m', 'Anything else?'))],
        [WORKS, { artifact: 'b', parts: text('Well.') }, asks(say('m', 'Anything else?'))],
        [WORKS, { state: 'completed', message: say('m', 'Bye.') }],
      ],
      form,
    );
    expect(heard.slice(0, 3)).toEqual(['Which order?', 'Which item?', 'It is on its way.\nAnything else?']);
    expect(heard[3]).toMatch(/^Well\./);
    expect(heard[4]).toBe('Bye.');
  });

  it('says the new message of its history', async () => {
    const turn = (number: number): StubEvent[] => [
      { history: { id: `e1/${number}`, role: 'user', parts: text('?') } },
      { history: say(`h${number}`, `words of turn ${number}`) },
      asks(),
      { task: true },
    ];
    expect((await play([turn(1), turn(2)], form)).heard).toEqual(['words of turn 1', 'words of turn 2']);
  });

  it('that has nothing new is the mistake of the agent', async () => {
    const turns: StubEvent[][] = [
      [WORKS, { artifact: 'a', parts: text('One.') }, asks()],
      [WORKS, asks()],
    ];
    const stub = await startStub(({ number }) => turns[number - 1] ?? [], { ...form, tools: 'mcp' });
    const { service } = await findAgent({ url: stub.url }, TIME);
    const { peer } = await ask(service, 1);
    expect(await failureOf(ask(service, 2, peer))).toMatchObject({ type: 'InvalidAnswer', retryable: false });
  });

  it('that is not known any more is forgotten', async () => {
    const stub = await startStub(
      ({ number }) => (number === 1 ? [asks(say('m', 'Which order?'))] : [{ error: -32001 }]),
      { ...form, tools: 'mcp' },
    );
    const { service } = await findAgent({ url: stub.url }, TIME);
    const { peer } = await ask(service, 1);
    expect(await failureOf(ask(service, 2, peer))).toMatchObject({ type: 'AgentForgot', retryable: false });
  });

  it.each([
    [-32603, 'ModelUnavailable', true],
    [-32050, 'ModelUnavailable', true],
    [-32001, 'ModelUnavailable', true],
    [-32602, 'RequestRefused', false],
    [-32600, 'RequestRefused', false],
    [-32601, 'RequestRefused', false],
    [-32700, 'RequestRefused', false],
    [-32004, 'RequestRefused', false],
    [-32005, 'RequestRefused', false],
    [-32006, 'InvalidAnswer', false],
  ] as const)('whose first request ends in error %i is %s', async (error, type, retryable) => {
    for (const before of [[], [WORKS]]) {
      const stub = await startStub(() => [...before, { error }], { ...form, tools: 'mcp' });
      const { service } = await findAgent({ url: stub.url }, TIME);
      expect(await failureOf(ask(service, 1))).toMatchObject({ type, retryable });
    }
  });

  it('whose later request fails gets it again, with the same words in each failure', async () => {
    const error: StubEvent = { error: -32603, text: "KeyError('order_id')" };
    const stub = await startStub(
      ({ number }) => (number === 2 || number === 3 ? [error] : [{ message: { parts: inMode('text', 'Hello') } }]),
      form,
    );
    const { service } = await findAgent({ url: stub.url }, TIME);
    const { peer } = await ask(service, 1);
    for (const attempt of [1, 2]) {
      const failure = await failureOf(repeat(service, attempt, peer));
      expect(failure).toMatchObject({ type: 'ModelUnavailable', retryable: true, status: 500 });
      expect(failure.message).toMatch(/answered (?:500|with the error INTERNAL_ERROR): KeyError\('order_id'\)$/);
    }
    expect((await repeat(service, 3, peer)).answer).toEqual({ kind: 'message', content: 'Hello' });
    expect(new Set(stub.requests.map(({ context }) => context)).size).toBe(1);
  });

  it('that refuses a repeated request is walked through the episode, and its error is kept', async () => {
    const answers: StubEvent[] = [
      { message: { parts: inMode('text', 'Hello') } },
      { error: -32603, text: 'KeyError' },
      { error: -32004, text: 'the task has ended' },
    ];
    const stub = await startStub(({ number }) => answers.slice(number - 1, number), form);
    const { service } = await findAgent({ url: stub.url }, TIME);
    const { peer } = await ask(service, 1);
    await failureOf(repeat(service, 1, peer));
    const failure = await failureOf(repeat(service, 2, peer));
    expect(failure).toMatchObject({ type: 'AgentForgot', retryable: false });
    expect(failure.message).toMatch(/may have lost the conversation; the attempt before: .*KeyError/);
  });

  it('that does not know the conversation any more has forgotten it, also without a task', async () => {
    const stub = await startStub(
      ({ number }) => (number === 1 ? [{ message: { parts: text('Hello') } }] : [{ error: -32001 }]),
      { ...form, tools: 'mcp' },
    );
    const { service } = await findAgent({ url: stub.url }, TIME);
    const { peer } = await ask(service, 1);
    expect(await failureOf(ask(service, 2, peer))).toMatchObject({ type: 'AgentForgot', retryable: false });
  });

  it('leaves out thoughts of messages, artifacts and parts', async () => {
    const thought = { adk_thought: true };
    const { heard } = await play(
      [
        [
          { artifact: 'r', name: 'reasoning', parts: text('They want #W1.') },
          { artifact: 'a', parts: [{ text: 'Look.', metadata: thought }, { text: 'Which order?' }] },
          asks({ id: 'm', parts: [{ text: 'I wait.', metadata: { thought: true } }] }),
        ],
        [
          {
            message: {
              parts: [{ text: 'Hm.', metadata: { type: 'thinking' } }, { text: '<think>Hm.</think>It is here.' }],
            },
          },
        ],
      ],
      form,
    );
    expect(heard).toEqual(['Which order?', 'It is here.']);
  });

  it('keeps our context where the agent names none, and the agent’s where it does', async () => {
    const unnamed = await play([[{ message: say('1', 'A') }], [{ message: say('2', 'B') }]], form);
    const [first, second] = unnamed.requests.map(({ context }) => context);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).toBe(first);
    const named = await play(
      [[{ message: say('1', 'A'), context: 'mine' }], [{ message: say('2', 'B'), context: 'mine' }]],
      form,
    );
    expect(named.requests[1]?.context).toBe('mine');
  });

  it('is asked without our context where the agent takes none', async () => {
    const stub = await startStub(
      ({ context }) =>
        context === '' || context === 'mine'
          ? [{ message: say('1', 'Hello'), context: 'mine' }]
          : [{ error: -32602, text: 'no such context' }],
      { ...form, tools: 'mcp' },
    );
    const { service } = await findAgent({ url: stub.url }, TIME);
    const { answer, peer } = await ask(service, 1);
    expect(answer).toEqual({ kind: 'message', content: 'Hello' });
    await ask(service, 2, peer);
    expect(stub.requests.map(({ context }) => context).slice(1)).toEqual(['', 'mine']);
  });

  it('in the state unknown is not asked for for ever', async () => {
    const { heard, polls } = await play(
      [
        [
          { artifact: 'a', parts: text('Hello') },
          { state: 'unknown', final: true },
        ],
      ],
      form,
    );
    expect(heard).toEqual(['Hello']);
    expect(polls).toBe(0);
  });

  it('that only makes files has no text', async () => {
    const stub = await startStub(
      () => [{ artifact: 'a', parts: [{ file: 'http://x/y.png' }] }, { state: 'completed' }],
      {
        ...form,
        tools: 'mcp',
      },
    );
    const { service } = await findAgent({ url: stub.url }, TIME);
    expect(await failureOf(ask(service, 1))).toMatchObject({
      type: 'InvalidAnswer',
      message: expect.stringContaining('a task without a new text') as string,
    });
  });

  it('says its message where the artifacts have no words', async () => {
    const turn: StubEvent[] = [
      { artifact: 'a', parts: [{ text: ' ' }, { file: 'http://x/y.png' }] },
      { state: 'completed', message: say('m', 'Done.') },
    ];
    expect((await play([turn], form)).heard).toEqual(['Done.']);
  });
});

describe.each(streamedForms)('a stream of a continued task, %s', (_, form) => {
  const first: StubEvent[] = [WORKS, { artifact: 'a1', parts: text('One.') }, asks(say('q1', 'Which?'))];

  it.each([
    ['the old task', [{ task: true }]],
    ['the old status', [asks(say('q1', 'Which?'))]],
    ['the old status, as the last one', [{ ...asks(say('q1', 'Which?')), final: true }]],
  ] as const)('may begin with %s', async (_, old) => {
    const second: StubEvent[] = [...old, WORKS, { artifact: 'a2', parts: text('Two.') }, asks()];
    expect((await play([first, second], form)).heard).toEqual(['One.\nWhich?', 'Two.']);
  });

  it('is read no further than the first state that is new', async () => {
    const more: StubEvent[] = Array.from({ length: 500 }, () => WORKS);
    const second: StubEvent[] = [{ task: true }, asks(say('q2', 'Two?')), ...more];
    const { heard } = await play([first, second], { ...form, staysOpen: true });
    expect(heard).toEqual(['One.\nWhich?', 'Two?']);
  });

  it('may end with the old state, and have the new one later', async () => {
    const { heard, polls } = await play([first, [{ task: true }]], {
      ...form,
      onPoll: (poll) => (poll === 2 ? [{ artifact: 'a2', parts: text('Two.') }, { state: 'completed' }] : []),
    });
    expect(heard).toEqual(['One.\nWhich?', 'Two.']);
    expect(polls).toBe(2);
  });

  it('may end with a whole task that leaves out what its events brought', async () => {
    const turn: StubEvent[] = [
      WORKS,
      { artifact: 'a', parts: text('One.') },
      { state: 'completed' },
      { task: true, without: 'artifacts' },
    ];
    expect((await play([turn], form)).heard).toEqual(['One.']);
  });

  it('may say its words while it works alone', async () => {
    const turn: StubEvent[] = [{ state: 'working', message: say('1', 'It is here.') }, { state: 'completed' }];
    expect((await play([turn], form)).heard).toEqual(['It is here.']);
  });

  it('ends with final, also where the server keeps it open', async () => {
    const turn: StubEvent[] = [
      { artifact: 'a', parts: text('Hello') },
      { state: 'unknown', final: true },
    ];
    expect((await play([turn], { ...form, staysOpen: true })).heard).toEqual(['Hello']);
  });

  it.each([
    ['a question', asks(say('old', 'Which?'))],
    ['an end', { state: 'completed' }],
  ])('goes on after %s that is not final', async (_, state) => {
    const second: StubEvent[] = [
      { task: true },
      { ...state, final: false },
      WORKS,
      { artifact: 'a2', parts: text('Two.') },
      { ...asks(), final: true },
      ...Array.from({ length: 500 }, () => WORKS),
    ];
    // Protocol 1.0 has no such mark; here it is taken from any agent that sends it.
    expect((await play([first, second], { ...form, staysOpen: true })).heard).toEqual(['One.\nWhich?', 'Two.']);
    const ended = [...first.slice(0, -1), { ...asks(say('q1', 'Which?')), final: false }];
    expect((await play([ended], form)).heard).toEqual(['One.\nWhich?']);
  });

  it('may name no request in its error', async () => {
    const stub = await startStub(() => [WORKS, { error: -32603, id: null }], { ...form, tools: 'mcp' });
    const { service } = await findAgent({ url: stub.url }, TIME);
    expect(await failureOf(ask(service, 1))).toMatchObject({ type: 'ModelUnavailable', retryable: true });
  });
});

describe('data', () => {
  it.each([
    ['as a text', text('{"message": "Hello"}')],
    ['as a text within a data part', [{ data: '{"message": "Hello"}' }]],
    ['beside other data', [{ data: { id: 'x', name: 'lookup' } }, { data: { message: 'Hello' } }]],
  ] as const)('%s is an answer', async (_, parts) => {
    expect((await play([[{ message: { parts } }]], { mode: 'data' })).heard).toEqual(['Hello']);
  });

  it('is an action in words', async () => {
    const parts = [{ data: { name: 'respond', arguments: { content: 'Hello' } } }];
    expect((await play([[{ message: { parts } }]], { mode: 'text' })).heard).toEqual(['Hello']);
  });
});

it.each([
  [599, 599],
  [600, 500],
])('an error code up to 599 is an HTTP status: %i', async (error, status) => {
  expect(await failureOf(play([[{ error }]]))).toMatchObject({ type: 'ModelUnavailable', status });
});

it('data that is nested too deep is the mistake of the agent', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const raw = `data: {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":${deep}}]}}}\n\n`;
  expect(await failureOf(play([[{ raw }]], { mode: 'data' }))).toMatchObject({
    type: 'InvalidAnswer',
    retryable: false,
  });
});

describe('a thought in words', () => {
  const respond = (content: string) => `<json>${JSON.stringify({ name: 'respond', arguments: { content } })}</json>`;

  it.each([
    [`[THINK]${respond('draft')}[/THINK]${respond('Hello')}`, 'Hello'],
    [`${respond('Hello')}\n<think>${respond('draft')}`, 'Hello'],
    [respond('My tag is <think>'), 'My tag is <think>'],
    [respond('a</think>Hello'), 'Hello'],
  ])('%s is no action', async (said, heard) => {
    expect((await play([[{ message: { parts: text(said) } }]], { mode: 'text' })).heard).toEqual([heard]);
  });

  it('and nothing else is the mistake of the agent', async () => {
    const failure = await failureOf(play([[{ message: { parts: text('<think>a</think>') } }]]));
    expect(failure).toMatchObject({ type: 'InvalidAnswer' });
    expect(failure.message).toContain('a thought and no text');
  });
});
