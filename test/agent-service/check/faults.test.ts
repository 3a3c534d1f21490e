import { describe, expect, it } from 'vitest';
import { callModel, callTool, careless, findingsOf, post, problemsOf, stateless, work, type Answer } from './agents.ts';

const AGENT_ERROR = 'the episode ends as the agent’s error, with reward 0';
const REPEATED = 'the request is repeated, and the run waits for as long as it fails';

describe('an agent with a fault', () => {
  it('keeps a message again at each attempt', async () => {
    const doubled = "wrong: keeps the user's message again at each attempt: its model gets it twice";
    expect(await problemsOf(careless())).toEqual({
      crash: doubled,
      'lost answer': expect.stringMatching(/^(wrong|note): /) as string,
      conversation: expect.stringMatching(
        /^wrong: its model gets the user's message of turn 3 3 times, after a crash in turn 3$/,
      ) as string,
      'new process': expect.stringMatching(
        /^wrong: answers in an episode that it does not know, without what was said/,
      ) as string,
    });
  });

  it('forgets what was said', async () => {
    const problems = await problemsOf(async (turn) => ({
      body: { message: await work(turn, [...turn.messages]) },
    }));
    expect(problems).toEqual({
      conversation: "wrong: its model does not get the user's message of turn 1",
      'new process': expect.stringMatching(/^wrong: answers in an episode that it does not know/) as string,
    });
  });

  it('mixes episodes', async () => {
    const findings = await findingsOf(careless(() => 'all'));
    expect(findings.find(({ check }) => check === 'two at once')).toEqual({
      check: 'two at once',
      state: 'wrong',
      message: 'mixes two episodes that are open at once',
      cost: 'every reward is wrong; use --max-concurrency 1',
    });
  });

  it('takes one request at a time', async () => {
    let last: Promise<unknown> = Promise.resolve();
    const serial: Answer = (turn) => {
      const answered = last.then(() => stateless(turn));
      last = answered.catch(() => undefined);
      return answered;
    };
    expect(await problemsOf(serial, { meetMs: 20 })).toEqual({ 'two at once': 'note: takes one request at a time' });
  });

  it('goes on at addresses of an earlier request', async () => {
    const first = new Map<string, string>();
    const problems = await problemsOf(async (turn) => {
      const url = first.get(turn.episode) ?? turn.model_url;
      first.set(turn.episode, url);
      return { body: { message: await work({ ...turn, model_url: url }, [...turn.conversation]) } };
    });
    expect(problems).toMatchObject({
      'tool error': expect.stringMatching(
        /^wrong: the agent at .* answered 500: .*a later request is under way/,
      ) as string,
      addresses: expect.stringMatching(
        /^wrong: makes \d+ calls? at addresses of a request that it has answered$/,
      ) as string,
    });
  });

  it('does not carry out what its model calls', async () => {
    const problems = await problemsOf(async (turn) => {
      await post(`${turn.model_url}/chat/completions`, { model: 'm', messages: turn.conversation, tools: turn.tools });
      return { body: { message: 'It is done.' } };
    });
    expect(problems['turn']).toBe(
      'wrong: its model called get_order_details with {"order_id":"#W1001"}, and no such call arrived at tools_url or mcp_url, or in ' +
        'the answer',
    );
  });

  it.each(['at tools_url', 'in its answer'])('loses the arguments of what its model calls, %s', async (place) => {
    const problems = await problemsOf(async (turn) => {
      const last = turn.conversation.at(-1);
      if (last?.role === 'tool') return { body: { message: last.content } };
      const { tool_calls: calls } = await callModel(turn, turn.conversation);
      const name = calls?.[0]?.function.name;
      if (place === 'in its answer') return { body: { tool_calls: [{ name }] } };
      return { body: { message: await callTool(turn, { name, arguments: '' }) } };
    });
    expect(problems['turn']).toMatch(/^wrong: its model called get_order_details with .*, and no such call arrived/);
  });

  it.each([
    ['{"order_id', 'are not JSON'],
    ['[1]', 'are not a JSON object'],
  ])('calls a tool with arguments that are none: %s', async (given, problem) => {
    const calls = [{ name: 'get_order_details', arguments: given }];
    const findings = await findingsOf(() => Promise.resolve({ body: { tool_calls: calls } }));
    expect(findings.map(({ check }) => check)).toEqual(['identity', 'turn']);
    expect(findings[1]).toEqual({
      check: 'turn',
      state: 'wrong',
      message: expect.stringMatching(
        new RegExp(`^the arguments of the call of get_order_details ${problem}`),
      ) as string,
      cost: AGENT_ERROR,
    });
  });

  it('calls with the order of another episode', async () => {
    const problems = await problemsOf(async (turn) => {
      const order = /#W\d+/.exec(JSON.stringify(turn.messages))?.[0] ?? '';
      await callTool(turn, {
        name: 'get_order_details',
        arguments: { order_id: order === '#W2002' ? '#W3003' : order },
      });
      return { body: { message: 'Done.' } };
    });
    expect(problems['two at once']).toBe('wrong: mixes two episodes that are open at once');
  });

  it('fails when a request is repeated', async () => {
    const problems = await problemsOf(async (turn) =>
      turn.attempt === 1 ? stateless(turn) : { status: 409, body: { error: 'busy' } },
    );
    expect(problems['crash']).toMatch(/^wrong: attempt 2 of a request fails: .* answered 409: \{"error":"busy"\}$/);
    expect(problems['lost answer']).toMatch(/^wrong: a request that it has answered fails when it is repeated: /);
  });

  it('asks its model something else at each attempt', async () => {
    let asked = 0;
    const problems = await problemsOf(async (turn) => {
      asked += 1;
      const policy = `${turn.policy} Request ${String(asked)}.`;
      return { body: { message: await work({ ...turn, policy }, [...turn.conversation]) } };
    });
    expect(problems).toEqual({
      crash: 'note: attempt 2 differs from the first at call 1, a model call',
      'lost answer': 'note: attempt 2 differs from the first at call 1, a model call',
    });
  });

  it.each([
    [{ body: 'Hello' }, /^wrong: .* answered 200 with what is no JSON: Hello$/, AGENT_ERROR],
    [{ status: 204, body: '' }, /^wrong: .* answered 204 with what is no JSON$/, AGENT_ERROR],
    [{ status: 422, body: { detail: 'x' } }, /^wrong: .* answered 422: \{"detail":"x"\}$/, 'the run stops and says so'],
    [
      { status: 404, body: { error: 'unknown_episode' } },
      /^wrong: .* answered 404: \{"error":"unknown_episode"\}$/,
      'the episode ends in an infrastructure error (AgentForgot), without a score; the others go on',
    ],
    [{ status: 500, body: 'oops' }, /^wrong: .* answered 500: oops$/, REPEATED],
    ['nothing', /^wrong: .* did not answer within 0\.2 s$/, REPEATED],
    [
      { body: { tool_calls: [{ name: 'get_order_details' }] } },
      /^wrong: goes on calling tools and never answers the user$/,
      'the episode ends when its steps are used up',
    ],
  ] as const)('answers no turn: %j', async (answered, problem, cost) => {
    const limits = answered === 'nothing' ? { timeoutMs: 200 } : {};
    const findings = await findingsOf(() => Promise.resolve(answered), limits);
    expect(findings.map(({ check }) => check).slice(0, 2)).toEqual(['identity', 'turn']);
    const [, turn] = findings;
    expect(`${String(turn?.state)}: ${String(turn?.message)}`).toMatch(problem);
    expect(turn?.cost).toBe(cost);
    expect(findings).toHaveLength(2);
  });

  it('speaks another version', async () => {
    expect((await problemsOf(stateless, {}, { protocol: '2' }))['identity']).toBe(
      'wrong: speaks version 2 of the protocol',
    );
  });

  it.each([
    [{}, 'GET gives no name and version'],
    [{ name: 'mine' }, 'GET gives no version'],
    [{ version: '2' }, 'GET gives no name'],
    [{ name: 'mine', version: 2 }, 'GET gives no version'],
    [null, 'GET is answered 405, without name and version'],
  ])('has no whole identity: %j', async (identity, message) => {
    expect((await problemsOf(stateless, {}, identity))['identity']).toBe(`note: ${message}`);
  });
});
