import { describe, expect, it } from 'vitest';
import type { CheckFinding } from '../../../src/io/index.ts';
import { expectSentence, tauflow } from '../../cli/in-process.ts';
import {
  byResponseId,
  callTool,
  careful,
  findingsOf,
  leading,
  post,
  problemsOf,
  startAgent,
  stateless,
  type Answer,
} from './agents.ts';

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
