import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MODELS } from '../../src/scripted-model/testing.ts';
import {
  startScriptedModel,
  type LoggedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
} from '../../src/scripted-model/index.ts';
import type { FaultRates } from '../../src/scripted-model/faults.ts';
import { CANCEL, LOOK_UP, task, tinyPack } from './helpers.ts';

const pack = tinyPack([task('Cancel my order.', [LOOK_UP, CANCEL])]);
const running: ScriptedModel[] = [];

async function start(options: Partial<ScriptedModelOptions> = {}): Promise<ScriptedModel> {
  const model = await startScriptedModel({ packs: [pack], ...options });
  running.push(model);
  return model;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((model) => model.close()));
});

const agentBody = (seed: number) => ({
  model: 'oracle',
  messages: [{ role: 'user', content: `Hi. [case shop-3fa91c/test/0 s${seed}]` }],
  tools: [{ type: 'function', function: { name: 'cancel_pending_order' } }],
});

function post(model: ScriptedModel, body: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${model.url}/chat/completions`, { method: 'POST', body: text, ...init });
}

async function errorOf(response: Response): Promise<{ status: number; message: string; code: string; param: unknown }> {
  const { error } = (await response.json()) as { error: { message: string; code: string; param: unknown } };
  return { status: response.status, ...error };
}

/** The outcome of a request: its status, or how the connection broke. */
async function fate(model: ScriptedModel, body: unknown): Promise<string> {
  try {
    const response = await post(model, body);
    const text = await response.text();
    try {
      JSON.parse(text);
      return String(response.status);
    } catch {
      return `${response.status} malformed`;
    }
  } catch {
    return 'reset';
  }
}

describe("the scripted model's server", () => {
  it("answers in OpenAI's envelope", async () => {
    const response = await post(await start(), agentBody(1));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toMatch(/^scripted-/);
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'oracle',
      system_fingerprint: 'tauflow-scripted-model',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: expect.stringMatching(/^call_[0-9a-f]{24}$/) as string,
                type: 'function',
                function: { name: 'get_order_details', arguments: '{"order_id": "#W1"}' },
              },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
    });
  });

  it('gives the same call the same id, and another episode another', async () => {
    const model = await start();
    const ids = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const body = (await (await post(model, agentBody(seed))).json()) as {
          choices: { message: { tool_calls: { id: string }[] } }[];
        };
        return body.choices[0]?.message.tool_calls[0]?.id;
      }),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('lists its models', async () => {
    const body = (await (await fetch(`${(await start()).url}/models`)).json()) as { data: { id: string }[] };
    expect(body.data.map(({ id }) => id)).toEqual(MODELS);
  });

  it.each([
    ['several choices', { ...agentBody(1), n: 2 }, 400, /one choice/],
    ['what is no JSON', '{"model":', 400, /not JSON/],
    ['a request without messages', { model: 'oracle', messages: [] }, 400, /messages/],
    ['an unknown scripted model', { ...agentBody(1), model: 'oracle:7' }, 404, /success rate/],
    ['a conversation without a case', { ...agentBody(1), messages: [{ role: 'user', content: 'Hi' }] }, 400, /case/],
  ])('refuses %s in one sentence', async (_, body, status, message) => {
    const model = await start();
    expect(await errorOf(await post(model, body))).toMatchObject({
      status,
      message: expect.stringMatching(message) as string,
    });
    expect(model.stats()).toMatchObject({ requests: 1, refused: 1, completions: 0, inFlight: 0 });
  });

  it('says what it serves when asked for something else', async () => {
    const model = await start();
    const error = await errorOf(await fetch(`${model.url}/embeddings`));
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining('/v1/chat/completions') as string });
  });

  it('says in one sentence that a port is taken', async () => {
    const { port } = await start();
    await expect(startScriptedModel({ packs: [pack], port })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use; give the scripted model another port, or 0 for any free one.`,
    );
  });

  it.each([
    [{ faults: { reset: 2 } }, /fault rate reset .* 0 to 1/],
    [{ faults: { reset: 0.6, hang: 0.6 } }, /add up to 1.2/],
    [{ latencyMs: -1 }, /latency/],
    [{ logFile: '/no/such/folder/log' }, /log \/no\/such\/folder\/log cannot be written/],
  ])('does not start with %j', async (options, message) => {
    await expect(startScriptedModel({ packs: [pack], ...options })).rejects.toThrow(message);
  });
});

describe('the statistics', () => {
  it('count completions by role and episode, and requests completed again', async () => {
    const model = await start();
    for (const seed of [1, 2, 2]) await (await post(model, agentBody(seed))).text();
    await (await post(model, { model: 'oracle', messages: [{ role: 'user', content: 'ping' }] })).text();
    const expected = {
      requests: 4,
      completions: 4,
      duplicates: 1,
      byRole: { agent: 3, other: 1 },
      perEpisode: { '[case shop-3fa91c/test/0 s1]': 1, '[case shop-3fa91c/test/0 s2]': 2 },
    };
    expect(model.stats()).toMatchObject(expected);
    expect(await (await fetch(`http://127.0.0.1:${model.port}/stats`)).json()).toMatchObject(expected);
  });

  it('count an answer whose client went away, as a provider bills it', async () => {
    const model = await start({ latencyMs: 200 });
    const leaving = new AbortController();
    const gone = post(model, agentBody(1), { signal: leaving.signal });
    await expect.poll(() => model.stats().inFlight).toBe(1);
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => model.stats()).toMatchObject({ abandoned: 1, completions: 1, inFlight: 0 });
  });

  it('are kept in a file across restarts, a line for each completion', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tauflow-scripted-'));
    try {
      const logFile = join(folder, 'calls.jsonl');
      for (const seed of [1, 2]) {
        const model = await start({ logFile });
        await (await post(model, agentBody(seed))).text();
        await (await post(model, agentBody(2))).text();
        await model.close();
        running.pop();
      }
      const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
      const calls = lines.map((line) => JSON.parse(line) as LoggedCall);
      expect(calls.map(({ role, model }) => `${role} ${model}`)).toEqual(Array(4).fill('agent oracle'));
      expect(new Set(calls.map(({ digest }) => digest)).size).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('latency', () => {
  it('is what every completion takes at least', async () => {
    const model = await start({ latencyMs: 40 });
    const before = performance.now();
    await (await post(model, agentBody(1))).text();
    expect(performance.now() - before).toBeGreaterThan(38);
  });
});

describe('injected faults', () => {
  it('limit the rate with a Retry-After', async () => {
    const model = await start({ faults: { rateLimit: 1 } });
    const response = await post(model, agentBody(1));
    expect(response.status).toBe(429);
    expect(['0', '1']).toContain(response.headers.get('retry-after'));
    expect(model.stats()).toMatchObject({ faults: { rateLimit: 1 }, completions: 0, refused: 0 });
  });

  it.each([
    ['serverError', '500'],
    ['reset', 'reset'],
    ['malformedBody', '200 malformed'],
  ] as const)('%s shows as %s, and the request is answered the third time', async (kind, seen) => {
    const model = await start({ faults: { [kind]: 1 } });
    const fates = [];
    for (let i = 0; i < 3; i++) fates.push(await fate(model, agentBody(1)));
    expect(fates).toEqual([seen, seen, '200']);
    expect(model.stats()).toMatchObject({ faults: { [kind]: 2 }, completions: 1, duplicates: 0 });
  });

  it('hang until the client goes away', async () => {
    const model = await start({ faults: { hang: 1 } });
    const leaving = new AbortController();
    const hanging = post(model, agentBody(1), { signal: leaving.signal });
    await expect.poll(() => model.stats().faults.hang).toBe(1);
    expect(model.stats().inFlight).toBe(1);
    leaving.abort();
    await expect(hanging).rejects.toThrow();
    await expect.poll(() => model.stats().inFlight).toBe(0);
  });

  it('do not keep the server from closing', async () => {
    const model = await start({ faults: { hang: 1 } });
    const hanging = expect(post(model, agentBody(1))).rejects.toThrow();
    await expect.poll(() => model.stats().inFlight).toBe(1);
    await model.close();
    running.pop();
    await hanging;
  });

  it('are the same for the same seed, whatever the order of the requests', async () => {
    const faults: FaultRates = { rateLimit: 0.2, serverError: 0.2, reset: 0.1, malformedBody: 0.1 };
    const seeds = Array.from({ length: 30 }, (_, i) => i);
    const fatesOf = async (order: readonly number[], seed: number) => {
      const model = await start({ faults, seed });
      const fates = new Map<number, string>();
      for (const i of order) fates.set(i, await fate(model, agentBody(i)));
      return seeds.map((i) => fates.get(i));
    };
    const first = await fatesOf(seeds, 1);
    expect(new Set(first).size).toBeGreaterThan(3);
    expect(await fatesOf(seeds.toReversed(), 1)).toEqual(first);
    expect(await fatesOf(seeds, 2)).not.toEqual(first);
  });
});

describe('malformed arguments', () => {
  const shareOf = async (faults: FaultRates, seed: number) => {
    const model = await start({ faults, seed });
    const malformed: number[] = [];
    for (let i = 0; i < 40; i++) {
      // Asked until it is answered, as a client does that tries failed calls again.
      let response = await post(model, agentBody(i));
      while (!response.ok) response = await post(model, agentBody(i));
      if (!isReadable(await argumentsOf(response))) malformed.push(i);
    }
    return { malformed, stats: model.stats() };
  };

  it('come in the same replies, whatever other faults and retries there are', async () => {
    const calm = await shareOf({ malformedArguments: 0.3 }, 3);
    expect(calm.malformed.length).toBeGreaterThan(4);
    expect(calm.malformed.length).toBeLessThan(25);
    expect(calm.stats).toMatchObject({ completions: 40, faults: { malformedArguments: calm.malformed.length } });
    const rough = await shareOf({ malformedArguments: 0.3, rateLimit: 0.3, serverError: 0.3 }, 3);
    expect(rough.stats.requests).toBeGreaterThan(50);
    expect(rough.malformed).toEqual(calm.malformed);
    expect((await shareOf({ malformedArguments: 0.3 }, 4)).malformed).not.toEqual(calm.malformed);
  });

  it('are asked for once and again with the same result', async () => {
    const model = await start({ faults: { malformedArguments: 1 } });
    for (let i = 0; i < 3; i++) expect(isReadable(await argumentsOf(await post(model, agentBody(1))))).toBe(false);
  });
});

async function argumentsOf(response: Response): Promise<string> {
  const { choices } = (await response.json()) as {
    choices: { message: { tool_calls: { function: { arguments: string } }[] } }[];
  };
  return choices[0]?.message.tool_calls[0]?.function.arguments ?? '';
}

function isReadable(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

let model: ScriptedModel;

async function ask(seed: number, init: RequestInit = {}): Promise<number> {
  return (await post(model, agentBody(seed), init)).status;
}

async function hold(body: unknown): Promise<number> {
  const response = await fetch(`${model.url}/hold`, { method: 'POST', body: JSON.stringify(body) });
  return response.status;
}

describe('a hold', () => {
  it('withholds answers that are counted already, until it is moved past them or lifted', async () => {
    model = await start();
    expect(await hold({ after: 1 })).toBe(200);
    expect(await ask(1)).toBe(200);
    const second = ask(2);
    await expect.poll(() => model.stats()).toMatchObject({ completions: 2, held: 1, inFlight: 1 });
    const third = ask(3);
    await expect.poll(() => model.stats().held).toBe(2);

    await hold({ after: 2 });
    expect(await second).toBe(200);
    expect(model.stats()).toMatchObject({ completions: 3, held: 1 });
    await hold({ after: null });
    expect(await third).toBe(200);
    expect(await ask(4)).toBe(200);
  });

  it('forgets a client that has gone, whose call stays counted', async () => {
    model = await start();
    await hold({ after: 0 });
    const leaving = new AbortController();
    const gone = ask(1, { signal: leaving.signal });
    await expect.poll(() => model.stats().held).toBe(1);
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => model.stats()).toMatchObject({ completions: 1, held: 0, inFlight: 0 });
    await hold({ after: null });
    expect(await ask(1)).toBe(200);
    expect(model.stats()).toMatchObject({ completions: 2, duplicates: 1 });
  });

  it.each([{}, { after: -1 }, { after: 'x' }, []])('is not set by %j', async (body) => {
    model = await start();
    expect(await hold(body)).toBe(400);
  });
});

describe('a model that thinks', () => {
  const body = (messages: readonly object[]) => ({ ...agentBody(1), model: 'oracle+thinking', messages });
  const [opening] = agentBody(1).messages;

  it('refuses a conversation without its reasoning, or with another', async () => {
    const model = await start();
    const first = await post(model, body([opening ?? {}]));
    const { choices } = (await first.json()) as { choices: [{ message: Record<string, unknown> }] };
    const { message } = choices[0];
    expect(String(message['reasoning_content']).length).toBe(4_000);
    const [call] = message['tool_calls'] as [{ id: string }];
    const result = { role: 'tool', tool_call_id: call.id, content: 'ok' };
    expect((await post(model, body([opening ?? {}, message, result]))).status).toBe(200);
    for (const reasoning of [undefined, `${String(message['reasoning_content'])}=`]) {
      const changed = { ...message, reasoning_content: reasoning };
      expect(await errorOf(await post(model, body([opening ?? {}, changed, result])))).toMatchObject({
        status: 400,
        code: 'reasoning_missing',
      });
    }
  });
});
