import { describe, expect, it } from 'vitest';
import { checkAgent } from '../../../src/agent-service/check/index.ts';
import type { CheckFinding } from '../../../src/io/index.ts';
import { startGateway } from '../../../src/agent-service/index.ts';
import { expectSentence, tauflow } from '../../cli/in-process.ts';
import {
  byResponseId,
  callModel,
  callTool,
  careful,
  careless,
  leading,
  post,
  startAgent,
  stateless,
  work,
  type Answer,
} from './agents.ts';

interface Limits {
  readonly timeoutMs?: number;
  readonly meetMs?: number;
}

async function findingsOf(
  answer: Answer,
  limits: Limits = {},
  identity?: object | null,
): Promise<readonly CheckFinding[]> {
  const url = await startAgent(answer, identity);
  const gateway = await startGateway();
  const findings: CheckFinding[] = [];
  try {
    await checkAgent({ service: { url }, gateway, timeoutMs: 30_000, ...limits }, (finding) => findings.push(finding));
  } finally {
    await gateway.close();
  }
  return findings;
}

/** Findings that are not right, by their check. */
async function problemsOf(...given: Parameters<typeof findingsOf>): Promise<Record<string, string>> {
  const findings = (await findingsOf(...given)).filter(({ state }) => state !== 'right');
  return Object.fromEntries(findings.map(({ check, state, message }) => [check, `${state}: ${message}`]));
}

const CHECKS = [
  ...['identity', 'turn', 'costs', 'tool error', 'crash', 'lost answer', 'conversation', 'new process', 'two at once'],
];

describe('an agent without faults', () => {
  it('may keep nothing', async () => {
    const findings = await findingsOf(stateless);
    expect(findings.map(({ check }) => check)).toEqual(CHECKS);
    expect(findings.filter(({ state }) => state !== 'right')).toEqual([]);
    expect(findings.map(({ message }) => message)).toContain('attempt 2 makes the same 2 calls');
  });

  it('may give an episode up when a request comes again', async () => {
    const forgotten = { status: 404, body: { error: 'unknown_episode' } } as const;
    const findings = await findingsOf((turn) => (turn.attempt > 1 ? Promise.resolve(forgotten) : stateless(turn)));
    expect(findings.filter(({ state }) => state !== 'right')).toEqual([]);
    const checks = findings.map(({ check }) => check);
    expect(checks).toEqual(CHECKS.filter((check) => check !== 'lost answer' && check !== 'conversation'));
  });

  it('may keep conversations and answers in memory', async () => {
    const findings = await findingsOf(careful());
    expect(findings.filter(({ state }) => state !== 'right')).toEqual([]);
    const messages = findings.map(({ message }) => message);
    expect(messages).toContain('gives the answer that it has kept');
    expect(messages).toContain(
      'says unknown_episode for an episode that it does not know, and is walked through it again',
    );
  });

  it('may call tools in its answer', async () => {
    const problems = await problemsOf(async (turn) => {
      const { choices } = (await post(`${turn.model_url}/chat/completions`, {
        model: 'm',
        messages: [{ role: 'system', content: turn.policy }, ...turn.conversation],
        tools: turn.tools,
      })) as { choices: [{ message: { content: string | null; tool_calls?: unknown[] } }] };
      const { content, tool_calls: calls } = choices[0].message;
      return { body: calls === undefined ? { message: content } : { tool_calls: calls } };
    });
    expect(problems).toEqual({});
  });

  it.each([
    [
      'anthropic_url',
      '/v1/messages',
      (reply: { content: { type: string; text?: string; name?: string; input?: object }[] }) => {
        const [{ text, name, input } = {}] = reply.content;
        return { text, call: name === undefined ? undefined : { name, arguments: input } };
      },
    ],
    [
      'model_url',
      '/responses',
      (reply: { output: { name?: string; arguments?: string; content?: { text: string }[] }[] }) => {
        const [{ name, arguments: given, content } = {}] = reply.output;
        return { text: content?.[0]?.text, call: name === undefined ? undefined : { name, arguments: given } };
      },
    ],
  ] as const)('may speak to its model at %s%s', async (base, path, read) => {
    const problems = await problemsOf(async (turn) => {
      const input = turn.conversation.map(({ role, content }) => ({ role, content: content ?? '' }));
      const functions = turn.tools.map(({ function: described }) => described);
      const body =
        path === '/responses'
          ? { model: 'm', input, tools: functions.map((each) => ({ type: 'function', ...each })) }
          : {
              model: 'm',
              messages: input,
              tools: functions.map(({ name, parameters }) => ({ name, input_schema: parameters })),
            };
      const { text, call } = read((await post(`${turn[base]}${path}`, body)) as never);
      return { body: call === undefined ? { message: text } : { tool_calls: [call] } };
    });
    expect(problems).toEqual({});
  });

  it('may lead the whole conversation in one request', async () => {
    const findings = await findingsOf(leading);
    expect(findings.filter(({ state }) => state !== 'right')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual(['identity', 'turn', 'costs', 'crash', 'two at once']);
    expect(findings[1]?.message).toMatch(/^leads the whole conversation in one request: 8 tool calls .* 8 model calls/);
  });

  it('may continue its conversation with the model by the id of a response', async () => {
    const problems = await problemsOf(byResponseId());
    // What it keeps is lost with its process.
    expect(Object.keys(problems)).toEqual(['new process']);
  });

  it('is wrong where its tools are not in the form of the API', async () => {
    const problems = await problemsOf(async (turn) => {
      const body = { model: 'm', messages: turn.conversation, tools: turn.tools };
      return { body: { message: JSON.stringify(await post(`${turn.anthropic_url}/v1/messages`, body)) } };
    });
    expect(problems['turn']).toMatch(/answered 500: .*tools\.0 is not in the form that this API has for a function\./);
  });

  it('may put its tools in words', async () => {
    const system = 'Reply with {"tool": "NAME", "args": {}}, or {"reply": "words for the user"}.';
    const problems = await problemsOf(async (turn) => {
      const said = turn.conversation.map(({ role, content, ...beside }) =>
        role === 'user'
          ? { role, content }
          : role === 'tool'
            ? { role: 'user', content: `Result: ${content}` }
            : { role, content: content ?? JSON.stringify(beside) },
      );
      for (;;) {
        const messages = [{ role: 'system', content: system }, ...said];
        const reply = await post(`${turn.model_url}/chat/completions`, { model: 'm', messages });
        const [{ message }] = (reply as { choices: [{ message: { content: string } }] }).choices;
        const action = JSON.parse(message.content) as { tool?: string; args?: object; reply?: string };
        if (action.tool === undefined) return { body: { message: action.reply } };
        const observed = await callTool(turn, { name: action.tool, arguments: action.args });
        said.push({ role: 'assistant', content: message.content }, { role: 'user', content: `Result: ${observed}` });
      }
    });
    expect(problems).toEqual({});
  });

  it('may have the scripted model for its own, which knows no conversation of the check', async () => {
    const refusal = {
      error: { message: 'The scripted model plays … (no [case …] was found); …', type: 'invalid_request_error' },
    };
    const answer = { status: 400, body: { error: `400 ${JSON.stringify(refusal)}` } };
    expect(await problemsOf(() => Promise.resolve(answer))).toEqual({
      turn: expect.stringMatching(/^note: its own model is the scripted model/) as string,
    });
  });

  it.each([
    ['embeddings', 'embeddings', true],
    ['what is no place of the API', 'v1/chat/completions', false],
  ])('may ask for %s', async (_, path, isPassedOn) => {
    const url = await startAgent(async (turn) => {
      await fetch(`${turn.model_url}/${path}`, { method: 'POST', body: '{"model": "m"}' });
      return stateless(turn);
    });
    const { stdout } = await tauflow(['agent', 'check', url, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: readonly CheckFinding[] };
    const found = findings.find(({ check }) => check === 'addresses')?.message;
    const noted = /^makes \d+ requests at model_url or anthropic_url that are no model calls/;
    if (isPassedOn) expect(found).toMatch(noted);
    else expect(found).toBeUndefined();
  });

  it('may have a model of its own, whose calls it reports', async () => {
    const usage = { calls: 1, cost_usd: 0.01 };
    const own: Answer = async (turn) => {
      const [tool] = turn.tools;
      await callTool(turn, { name: tool?.function.name, arguments: { order_id: '1' } });
      return { body: { message: 'Done.', usage } };
    };
    expect(await problemsOf(own)).toEqual({
      costs: 'note: calls its model elsewhere, and reports usage',
      conversation: 'note: answers turn 4; its model calls are not seen here',
      'new process': 'note: answers in an episode that it does not know',
    });
    const silent: Answer = async (turn) => {
      const { body } = (await own(turn)) as { body: object };
      return { body: { ...body, usage: undefined } };
    };
    expect((await problemsOf(silent))['costs']).toBe(
      'note: calls no model at model_url or anthropic_url, and reports no usage',
    );
  });

  it.each(['at model_url', 'elsewhere'])('whose usage cannot be read is noted: calls its model %s', async (place) => {
    const findings = await findingsOf(async (turn) => {
      const { body } =
        place === 'elsewhere' ? { body: { message: 'Hi' } } : ((await stateless(turn)) as { body: object });
      return { body: { ...body, usage: { cost_usd: '0.01' } } };
    });
    expect(findings.find(({ check }) => check === 'costs')).toEqual({
      check: 'costs',
      state: 'note',
      message: 'reports usage that cannot be read (cost_usd: Invalid input: expected number, received string)',
      cost: 'the costs of what it reports stay unknown',
    });
  });

  it('may say nothing to the user', async () => {
    const [, turn] = await findingsOf(() => Promise.resolve({ body: { message: '' } }));
    expect(turn).toEqual({
      check: 'turn',
      state: 'note',
      message: 'answers with an empty text',
      cost: 'it is sent to the user, who can answer nothing useful',
    });
  });
});

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
    const findings = await findingsOf(() => Promise.resolve(answered), { timeoutMs: 200 });
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

describe('tauflow agent check', () => {
  it('prints each check, and exits with 0 where nothing is wrong', async () => {
    const { code, stdout, stderr } = await tauflow(['agent', 'check', await startAgent(stateless)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(CHECKS.length + 1);
    expect(lines[0]).toBe('✓ identity       mine 2');
    expect(lines.at(-1)).toBe('Nothing is wrong.');
  });

  it('exits with 1 where something is wrong, also as JSON', async () => {
    const url = await startAgent(() => Promise.resolve({ body: 'Hello' }));
    const plain = await tauflow(['agent', 'check', url]);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toContain(
      'in a run: the episode ends as the agent’s error, with reward 0\n1 of 2 checks found something wrong.',
    );
    const json = await tauflow(['agent', 'check', url, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      format_version: 1,
      url,
      findings: [
        { check: 'identity', state: 'right' },
        { check: 'turn', state: 'wrong', cost: expect.stringContaining('reward 0') as string },
      ],
    });
  });

  it('sends the key of TAUFLOW_AGENT_KEY, and shows it nowhere', async () => {
    const key = 'key-of-the-agent-1234';
    const url = await startAgent(() => Promise.resolve({ status: 401, body: key }));
    const { stdout } = await tauflow(['agent', 'check', url], { env: { TAUFLOW_AGENT_KEY: key } });
    expect(stdout).toContain('answered 401: [redacted]; set TAUFLOW_AGENT_KEY on the worker');
  });

  it('exits with 3 where nothing answers, and with 2 for bad usage', async () => {
    expectSentence(
      await tauflow(['agent', 'check', 'http://127.0.0.1:1']),
      3,
      /no answer from the agent at http:\/\/127\.0\.0\.1:1\/: connect ECONNREFUSED 127\.0\.0\.1:1; start the agent, or check its URL\.$/,
    );
    expectSentence(
      await tauflow(['agent', 'check', 'localhost:8000']),
      2,
      /<url> is no URL of an agent; write it as http/,
    );
    expectSentence(await tauflow(['agent', 'check', 'http://x', '--timeout', '0']), 2, /--timeout 0 is no number/);
    expect((await tauflow(['agent', 'check'])).code).toBe(2);
  });
});
