import { describe, expect, it } from 'vitest';
import { EnvironmentServiceError, environmentKey, openHttpService } from '../../../src/benchmarks/testing.ts';
import { resolveService } from '../../../src/benchmarks/packs/index.ts';
import { answering, serve, type Received } from '../../helpers/stub-service.ts';

const DESCRIPTION = { name: 'shop', version: '1', protocol: '1', rules: 'tau-bench', domains: ['shop'] };
const PLACE = { domain: 'shop', options: {}, episode: 'e1', task: 't1' };
const LOOK_UP = { requestor: 'assistant', name: 'look_up', arguments: '{"price": 131.0}' } as const;
const CALL = { ...PLACE, calls: [], call: LOOK_UP, idempotencyKey: 'e1/step-1' };
const GRADE = { ...PLACE, calls: [LOOK_UP], messages: [], endedBy: 'user_stop' };

interface Stub {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a text. */
  readonly body: unknown;
}

/** A service that describes itself, and gives the answers of a test in order; the last one again and again. */
async function open(answers: readonly Stub[], options: { readonly key?: string; readonly timeoutMs?: number } = {}) {
  let asked = 0;
  const { url, received } = await serve((request, response) => {
    if (request.method === 'GET') return answering(200, JSON.stringify(DESCRIPTION))(request, response);
    const answer = answers[Math.min(asked++, answers.length - 1)];
    const { status = 200, headers, body } = answer ?? { body: {} };
    answering(status, typeof body === 'string' ? body : JSON.stringify(body), headers)(request, response);
  });
  return { service: await openHttpService({ url, ...options }), received, url };
}

async function faultOf(work: Promise<unknown>): Promise<EnvironmentServiceError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof EnvironmentServiceError)) throw new Error(`no fault: ${String(error)}`);
  return error;
}

/** The message without the address, which differs. */
const wordsOf = ({ fault, message }: EnvironmentServiceError) =>
  `${fault}: ${message.replace(/^the environment service at http:\S+ /, '')}`;

const bodies = (received: readonly Received[]): unknown[] =>
  received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as unknown);

describe('a request to an environment service', () => {
  it('carries the fields of the protocol, with the key', async () => {
    const { service, received } = await open(
      [
        { body: { digest: 'd', splits: { test: ['t1'] }, tasks: [{ id: 't1', actions: null }] } },
        { body: { policy: 'Be kind.', tools: [] } },
        { body: { observation: 'found' } },
        { body: { reward: 0.5, parts: [] } },
      ],
      { key: 'secret-key-of-mine' },
    );
    await service.tasks({ domain: 'shop', options: { size: 1 }, split: null });
    await service.start(PLACE);
    await service.call({ ...CALL, calls: [LOOK_UP], life: 'l1' });
    await service.grade({ ...GRADE, verdicts: [{ assertion: 'It is kind.', met: true, reason: 'yes' }] });
    const common = { protocol: '1', domain: 'shop', options: {} };
    expect(bodies(received)).toEqual([
      { ...common, request: 'tasks', options: { size: 1 }, split: null },
      { ...common, request: 'start', episode: 'e1', task: 't1' },
      {
        ...common,
        request: 'call',
        episode: 'e1',
        task: 't1',
        calls: [LOOK_UP],
        call: LOOK_UP,
        life: 'l1',
        idempotency_key: 'e1/step-1',
      },
      {
        ...common,
        request: 'grade',
        episode: 'e1',
        task: 't1',
        calls: [LOOK_UP],
        messages: [],
        ended_by: 'user_stop',
        verdicts: [{ sentence: 'It is kind.', met: true, reason: 'yes' }],
      },
    ]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(
      received.map(() => 'Bearer secret-key-of-mine'),
    );
    expect(received[3]?.headers['idempotency-key']).toBe('e1/step-1');
  });

  it('takes what an answer leaves out for the defaults', async () => {
    const { service } = await open([
      { body: { observation: 'found' } },
      {
        body: {
          reward: 1,
          parts: [
            { kind: 'sentences', counts: false, checks: [] },
            { kind: 'data', counts: true, checks: [{ met: true }] },
          ],
        },
      },
    ]);
    expect(service.description).toMatchObject({ name: 'shop', replays: true, rules: 'tau-bench' });
    expect(await service.call(CALL)).toEqual({
      observation: 'found',
      error: false,
      changed: true,
      done: false,
      state: { agent: null, user: null },
    });
    expect(await service.grade(GRADE)).toEqual({
      reward: 1,
      parts: [
        { kind: 'data', counts: true, checks: [{ wanted: null, isMet: true }], numberSpellingOnly: false },
        { kind: 'sentences', counts: false, checks: [] },
      ],
    });
  });

  it('ends with the signal that aborts it', async () => {
    const { url } = await serve((request, response) => {
      if (request.method === 'GET') answering(200, JSON.stringify(DESCRIPTION))(request, response);
    });
    const service = await openHttpService({ url });
    const controller = new AbortController();
    const ended = service.call(CALL, controller.signal);
    controller.abort(new Error('canceled'));
    await expect(ended).rejects.toThrow('canceled');
  });
});

describe('a fault of an environment service', () => {
  const LARGE = 2 * 1024 * 1024;
  it.each([
    [{ status: 503, body: 'busy' }, 'outage: answered "call" with 503: busy'],
    [{ status: 500, body: '<!doctype html><p>Oops' }, 'outage: answered "call" with 500: an HTML page'],
    [
      { status: 422, body: { error: { type: 'unavailable', message: 'bm25\u001b[31m needs\n rank' } } },
      'refused: answered "call" with 422 (unavailable): bm25 needs rank',
    ],
    [{ status: 401, body: '' }, 'refused: answered "call" with 401; set TAUFLOW_ENV_KEY'],
    [{ status: 400, body: `no ${'x'.repeat(1_000)}` }, `refused: answered "call" with 400: no ${'x'.repeat(196)}…`],
    [
      { status: 409, body: { error: { type: 'episode_lost', message: 'restarted' } } },
      'lost: answered "call" with 409 (episode_lost): restarted',
    ],
    [{ status: 409, body: {} }, 'refused: answered "call" with 409: {}'],
    [
      { status: 302, headers: { location: '/x' }, body: '' },
      /^refused: answered 302, which leads to http:\S+\/x; give --env-url as it is there$/,
    ],
    [
      { status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
      'refused: answered 307, which leads to http://127.0.0.1:1/; give --env-url as it is there',
    ],
    [{ body: 'Hello' }, 'invalid: answered "call" with what is no JSON: Hello'],
    [{ body: [] }, 'invalid: answered "call" with what is no answer (it must be an object): []'],
    [{ body: {} }, 'invalid: answered "call" with what is no answer (observation must be a text): {}'],
    [
      { body: { observation: 'x', state: { agent: 1 } } },
      'invalid: answered "call" with what is no answer (state.agent must be a text): {"observation":"x","state":{"agent":1}}',
    ],
    [{ body: 'x'.repeat(LARGE + 1) }, `invalid: answered with more than ${LARGE} bytes`],
  ] satisfies readonly (readonly [Stub, string | RegExp])[])('%#', async (stub, expected) => {
    const { service } = await open([stub]);
    const words = wordsOf(await faultOf(service.call(CALL)));
    if (typeof expected === 'string') expect(words).toBe(expected);
    else expect(words).toMatch(expected);
  });

  it('has the time after which the service may be asked again', async () => {
    const { service } = await open([{ status: 429, headers: { 'retry-after': '7' }, body: '' }]);
    expect(await faultOf(service.call(CALL))).toMatchObject({ fault: 'outage', retryAfterMs: 7_000 });
  });

  it('is an outage where nothing listens, nothing answers in time, or the connection breaks', async () => {
    const none = await faultOf(openHttpService({ url: 'http://127.0.0.1:1/' }));
    expect(none.fault).toBe('outage');
    expect(none.message).toMatch(/^no answer from the environment service at http:\/\/127\.0\.0\.1:1\/: /);

    const slow = await serve(() => undefined);
    const late = await faultOf(openHttpService({ url: slow.url, timeoutMs: 50 }));
    expect(wordsOf(late)).toBe('outage: did not answer within 0.05 s');

    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"name"', () => response.destroy());
    });
    expect((await faultOf(openHttpService({ url: cut.url }))).fault).toBe('outage');
  });

  it('never shows the key, in a message or an observation', async () => {
    const key = 'secret-key-of-mine';
    const { service } = await open(
      [{ status: 400, body: `not ${key}` }, { body: { observation: `You sent ${key}` } }],
      {
        key,
      },
    );
    expect(wordsOf(await faultOf(service.call(CALL)))).toBe('refused: answered "call" with 400: not [redacted]');
    expect((await service.call(CALL)).observation).toBe('You sent [redacted]');
  });

  it.each([
    [
      'a description of another version',
      { ...DESCRIPTION, protocol: '2' },
      'protocol must be "1", the version that this tauflow speaks',
    ],
    [
      'a description of unknown rules',
      { ...DESCRIPTION, rules: 'mine' },
      'rules must be "tau-bench" or "tau2" or "solo"',
    ],
    ['a name with a colon', { ...DESCRIPTION, name: 'a:b' }, 'name must not contain ":"'],
    ['a description without domains', { ...DESCRIPTION, domains: [] }, 'domains must name a domain'],
  ])('is %s', async (_, description, problem) => {
    const { url } = await serve(answering(200, JSON.stringify(description)));
    const words = wordsOf(await faultOf(openHttpService({ url })));
    expect(words).toContain(`invalid: answered GET with what is no answer (${problem})`);
  });

  it.each([
    [{ tasks: [{ id: 't1' }, { id: 't1' }], splits: {} }, 'two tasks have the same id'],
    [
      { tasks: [{ id: 't1' }], splits: { test: ['t1', 't2'] } },
      'splits.test.1 names a task that "tasks" does not have',
    ],
  ])('is a list of tasks with a wrong id: %j', async (tasks, problem) => {
    const { service } = await open([{ body: { digest: 'd', ...tasks } }]);
    const words = wordsOf(await faultOf(service.tasks({ domain: 'shop', options: {}, split: null })));
    expect(words).toBe(`invalid: answered "tasks" with what is no answer (${problem})`);
  });
});

describe('a contradiction of an environment service', () => {
  const before = { observation: `${'same '.repeat(100)}found`, state: { agent: 'a1' } };

  it('is another answer to a repeated request', async () => {
    const now = { ...before, observation: before.observation.replace('found', 'lost') };
    const { service } = await open([{ body: before }, { body: before }, { body: now }]);
    await service.call(CALL);
    await service.call(CALL);
    const words = wordsOf(await faultOf(service.call(CALL)));
    expect(words).toMatch(
      /^contradiction: answered the same call of look_up differently: observation was …[same ]+found", and is now …[same ]+lost"$/,
    );
    expect(words.length).toBeLessThan(500);
  });

  it('is another grade for the same conversation', async () => {
    const { service } = await open([{ body: { reward: 1 } }, { body: { reward: 0 } }]);
    await service.grade(GRADE);
    expect(wordsOf(await faultOf(service.grade(GRADE)))).toBe(
      'contradiction: answered the same grade differently: reward was 1, and is now 0',
    );
  });

  it('is another policy for the same task', async () => {
    const { service } = await open([
      { body: { policy: 'Be kind.', tools: [] } },
      { body: { policy: 'Be.', tools: [] } },
    ]);
    await service.start(PLACE);
    expect(wordsOf(await faultOf(service.start(PLACE)))).toBe(
      'contradiction: answered the same start differently: policy was "Be kind.", and is now "Be."',
    );
  });

  it('is another digest after a call that has changed nothing', async () => {
    const { service } = await open([
      { body: { policy: '', tools: [], state: { agent: 'a1', user: 'u1' } } },
      { body: { observation: 'x', changed: false, state: { agent: 'a1', user: 'u2' } } },
    ]);
    await service.start(PLACE);
    expect(wordsOf(await faultOf(service.call(CALL)))).toBe(
      `contradiction: answered two digests for one state of the user's data: u1 before, and u2 after a call of look_up that has changed nothing ("changed": false)`,
    );
  });

  it('is another digest than at the start that another episode has asked for', async () => {
    const { service } = await open([
      { body: { policy: '', tools: [], state: { agent: 'a1' } } },
      { body: { observation: 'x', changed: false, state: { agent: 'a2' } } },
    ]);
    await service.start({ ...PLACE, episode: 'task:t1' });
    expect(wordsOf(await faultOf(service.call(CALL)))).toContain("one state of the agent's data: a1 before, and a2");
  });

  it('is another digest after the same calls', async () => {
    const { service } = await open([
      { body: { observation: 'x', state: { agent: 'a2' } } },
      { body: { observation: 'x', changed: false, state: { agent: 'a3' } } },
    ]);
    await service.call(CALL);
    const next = { ...CALL, calls: [LOOK_UP], idempotencyKey: 'e1/step-2' };
    expect(wordsOf(await faultOf(service.call(next)))).toContain(
      "one state of the agent's data: a2 before, and a3 after",
    );
  });

  it('is none in another episode, or in another life of a service whose calls cannot be made again', async () => {
    const { service } = await open([
      { body: { observation: '1' } },
      { body: { observation: '2' } },
      { body: { observation: '3' } },
    ]);
    await service.call(CALL);
    await service.call({ ...CALL, episode: 'e2' });
    expect((await service.call({ ...CALL, life: 'l2' })).observation).toBe('3');
  });
});

describe('the key of an environment service', () => {
  it('is read from TAUFLOW_ENV_KEY, and refused where no header can have it', () => {
    expect(environmentKey({ TAUFLOW_ENV_KEY: ' k1 ' })).toBe('k1');
    expect(environmentKey({})).toBeNull();
    expect(() => environmentKey({ TAUFLOW_ENV_KEY: 'Bearer k1' })).toThrow('TAUFLOW_ENV_KEY begins with "Bearer"');
  });
});

describe('options of an environment service', () => {
  const refusal = async (schema: unknown, options: Readonly<Record<string, unknown>>) => {
    const { url, received } = await serve(answering(200, JSON.stringify({ ...DESCRIPTION, options: schema })));
    const error: unknown = await resolveService({ source: { kind: 'url', url }, env: null, options }, {}).catch(
      (thrown: unknown) => thrown,
    );
    return { message: String(error), requests: received.length };
  };
  const schema = {
    type: 'object',
    properties: { variant: { enum: ['bm25', 'full'] }, seeds: { type: 'array', items: { type: 'integer' } } },
    additionalProperties: false,
  };

  it.each([
    [{ variants: 'bm25' }, 'there is no "variants" (did you mean variant?)'],
    [{ variant: 'bm26' }, '"variant" is wrong (Invalid option: expected one of "bm25"|"full")'],
    [{ seeds: [1, 'x'] }, '"seeds.1" is wrong (Invalid input: expected number, received string)'],
  ])('are checked by its schema before its tasks are asked for: %j', async (options, problem) => {
    const message = `PackError: --env-options: ${problem}; the environment shop has variant and seeds.`;
    expect(await refusal(schema, options)).toEqual({ message, requests: 1 });
  });

  it('are left to the service where its schema cannot be read', async () => {
    const { message, requests } = await refusal({ type: 'nothing' }, { variants: 'bm25' });
    expect(message).toContain('answered "tasks" with what is no answer');
    expect(requests).toBe(2);
  });
});
