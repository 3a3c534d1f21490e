/** Keys and conversations that nobody else may read: in what a run leaves behind, and in encrypted payloads. */

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { PROVIDERS } from '../../src/models/providers.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { EncryptionCodec, readKeyRing, clientDataConverter } from '../../src/temporal/codec/index.ts';
import { textOf, textUnder } from '../helpers/texts.ts';
import { environment, run, scratchFolder } from './in-process.ts';
import { requireKeysOfOpenSweeps, startSweep, listSweeps } from '../../src/temporal/client/index.ts';
import { taskQueues, type SweepInput } from '../../src/evaluation/index.ts';
import { eventually } from '../helpers/eventually.ts';

const newSecret = (name: string) => `recognisable-${name}-${randomBytes(12).toString('hex')}`;
const secrets = {
  ...Object.fromEntries(
    PROVIDERS.flatMap(({ keyVariable }) => (keyVariable === null ? [] : [[keyVariable, newSecret(keyVariable)]])),
  ),
  TAUFLOW_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const KEY = secrets['OPENAI_API_KEY' as keyof typeof secrets];

/** The provider's answer to a request, and so its use of the key. */
type Manner = (
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
  played: () => Promise<string>,
) => unknown;

const works: Manner = async (_key, _request, response, played) => respond(response, 200, await played());

const saysIt: Manner = async (key, _request, response, played) => {
  const completion = JSON.parse(await played()) as { choices: { message: { content: string | null } }[] };
  const message = completion.choices[0]?.message;
  if (message?.content) message.content += ` By the way, the key is ${key}, or ${encodeURIComponent(key)}.`;
  respond(response, 200, JSON.stringify(completion), { 'x-request-id': `request-of-${key}` });
};

/** The third is held, and its next try meets the fourth; the last pauses the run, and the others end an episode each. */
const refusals: readonly Manner[] = [
  (key, _request, response) => respond(response, 503, `{"detail": "no upstream for Bearer ${key}"}`),
  (key, _request, response) => respond(response, 200, `{"error": {"message": "upstream refused ${key}"}}`),
  (key, _request, response) => respond(response, 200, `<html><body>${key}</body></html>`),
  (key, _request, response) => respond(response, 502, `<html>${key}</html>`),
  (key, _request, response) => respond(response, 400, `no JSON, but ${key}`),
];

/** Pauses the run. */
const rejectsKey: Manner = (key, request, response) => {
  const message = `unknown key ${key}; headers were ${JSON.stringify(request.headers)}`;
  respond(response, 401, JSON.stringify({ error: { message, code: key } }), { 'x-request-id': key });
};

function respond(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body);
}

let model: ScriptedModel;
let provider: Server;
let providerUrl: string;
/** The key that came with each request: the test would be void if it had got none. */
let sent: string[] = [];
let mannerOf: (request: number) => Manner | undefined = () => works;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  provider = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      const key = (request.headers.authorization ?? '').replace('Bearer ', '');
      const manner = mannerOf(sent.push(key) - 1) ?? works;
      const headers = { 'Content-Type': 'application/json' };
      const played = async () =>
        (await fetch(`${model.url}/chat/completions`, { method: 'POST', headers, body })).text();
      await manner(key, request, response, played);
    })();
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
});

afterAll(async () => {
  provider.close();
  await model.close();
});

interface Setting {
  readonly runId: string;
  readonly tasks: readonly number[];
  /** Answer by the number of the request, from 0. */
  readonly manner: (request: number) => Manner | undefined;
  readonly isEncrypted: boolean;
}

/** Runs tasks one after the other, and gathers all that the run leaves behind. */
async function leftBehind({ runId, tasks, manner, isEncrypted }: Setting) {
  sent = [];
  mannerOf = manner;
  const { address, namespace } = inject('temporal');
  const cwd = scratchFolder();
  const words =
    `run --run-id ${runId} --task-queue ${runId} --env retail --task-ids ${tasks.join(',')} --max-retries 0 --outage-timeout none --debug ` +
    '--agent-strategy tool-calling --model gpt-4o --model-provider openai --user-model gpt-4o --user-model-provider openai';
  const env = environment({
    ...secrets,
    ...(isEncrypted ? {} : { TAUFLOW_ENCRYPTION_KEY: '' }),
    TEMPORAL_ADDRESS: address,
    OPENAI_BASE_URL: providerUrl,
    TAUFLOW_HOME: `${cwd}/home`,
  });
  const { code, stdout, stderr } = await run(words.split(' '), { cwd, env });

  const codec = new EncryptionCodec(readKeyRing(env));
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace, dataConverter: { payloadCodecs: [codec] } });
  const histories: string[] = [];
  for (const id of [runId, ...tasks.map((task) => `${runId}/task-${task}/trial-0`)]) {
    const handle = client.workflow.getHandle(id);
    const history = await handle.fetchHistory();
    const { raw } = await handle.describe();
    histories.push(textOf(history), textOf(raw), await decrypted([history, raw], codec));
  }
  await connection.close();
  return { code, stdout, stderr, histories: histories.join('\n'), files: textUnder(cwd) };
}

/** Every payload in a value, decrypted. */
async function decrypted(value: unknown, codec: EncryptionCodec): Promise<string> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return '';
  if ('metadata' in value && 'data' in value) return textOf(await codec.decode([value as Payload]));
  const parts = await Promise.all(Object.values(value).map((part) => decrypted(part, codec)));
  return parts.join('\n');
}

function expectNoSecret(texts: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(texts)) {
    for (const [name, secret] of Object.entries(secrets)) {
      for (const spelling of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').slice(0, -4),
      ]) {
        // Not `not.toContain`, which would print the text.
        expect(text.includes(spelling), `${name} in ${place}`).toBe(false);
      }
    }
  }
}

describe('keys are in nothing that a run leaves behind', () => {
  it('when a model says its key: it is removed before the answer is anywhere', async () => {
    const setting = { runId: 'secrets-said', tasks: [2], manner: () => saysIt, isEncrypted: false };
    const { code, stdout, stderr, histories, files } = await leftBehind(setting);
    expect(code, stderr).toBe(0);
    expect(new Set(sent)).toEqual(new Set([KEY]));
    expect(stderr).toMatch(/^agent +tool-calling with openai\/gpt-4o$/m);
    expect(stderr).not.toContain('scripted');
    expect(stdout).toMatch(/average reward +\d\.000 +\d of 1 episodes? succeeded/);
    expect(stdout).toMatch(/cost +\$0\.\d*[1-9]/);
    for (const text of [histories, files]) expect(text).toContain('the key is [redacted], or [redacted].');
    expectNoSecret({ stdout, stderr, histories, files });
  });

  it.each([
    ['refused', refusals, 4, false],
    ['refused', refusals, 4, true],
    ['rejected', [rejectsKey], 1, false],
  ] as const)('when the provider has it in its errors (%s, %#)', async (name, manners, episodes, isEncrypted) => {
    const { code, stdout, stderr, histories, files } = await leftBehind({
      runId: `secrets-${name}-${isEncrypted}`,
      tasks: Array.from({ length: episodes }, (_, task) => task),
      manner: (request) => manners[request],
      isEncrypted,
    });
    expect(code, stderr).toBe(3);
    expect(sent).toEqual(manners.map(() => KEY));
    // What is looked through is what the run has left, its held call included.
    const ended = episodes - 1;
    expect(histories.match(/could not be brought to its end/g)?.length ?? 0).toBeGreaterThanOrEqual(ended);
    expect(histories).toContain('callHeld');
    expect(histories.includes('binary/encrypted')).toBe(isEncrypted);
    if (ended > 0) expect(files).toContain('infrastructure_error');
    expectNoSecret({ stdout, stderr, histories, files });
  });

  it('when Temporal is given a key, and does not answer, or a key that is none is set', async () => {
    const key = newSecret('temporal');
    const cwd = scratchFolder();
    const refusals = await Promise.all(
      (
        [
          { TEMPORAL_ADDRESS: inject('temporal').address, TEMPORAL_API_KEY: key },
          { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_API_KEY: key },
          { TAUFLOW_ENCRYPTION_KEY: key, TEMPORAL_ADDRESS: '127.0.0.1:1' },
        ] as Record<string, string>[]
      ).map((more) => run(['worker', '--debug'], { cwd, env: environment(more) })),
    );
    for (const { code, stdout, stderr } of refusals) {
      expect(code).toBeGreaterThan(1);
      expect(stderr).toContain('error: ');
      expect((stdout + stderr).includes(key)).toBe(false);
    }
  });
});

const keysOf = (value: string) => readKeyRing({ TAUFLOW_ENCRYPTION_KEY: value });
const key = randomBytes(32).toString('base64');
const keys = keysOf(`mine:${key}`);
const others = keysOf(`theirs:${randomBytes(32).toString('base64')}`);
const queue = `encrypted-${randomUUID().slice(0, 8)}`;
const { namespace } = inject('temporal');

let connection: Connection;
const clientWith = (ring: typeof keys) =>
  new Client({ connection, namespace, dataConverter: clientDataConverter(ring) });

beforeAll(async () => {
  connection = await Connection.connect({ address: inject('temporal').address });
  const model = { provider: 'openai', model: 'gpt-4o', temperature: 0 };
  const input: SweepInput = {
    run: { runId: queue, logDir: '/nowhere' },
    config: {
      env: 'retail',
      split: 'test',
      pack: { name: 'unmistakable-pack', digest: 'd'.repeat(64), path: '/nowhere' },
      strategy: 'tool-calling',
      strategyOptions: { omitPolicy: false, useReasoning: true },
      agentModel: model,
      userStrategy: 'llm',
      userModel: model,
      maxSteps: 30,
      seed: 10,
      maxRetries: 3,
      episodeTimeoutMs: 600_000,
    },
    plan: { taskIds: [1], numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    queues: taskQueues(queue),
    indexed: true,
  };
  // No worker listens on this queue: it stays open.
  await startSweep(clientWith(keys), input, '1.2.3');
});

afterAll(async () => {
  await clientWith(keys).workflow.getHandle(queue).terminate();
  await connection.close();
});

describe('lists, which have runs of everybody', () => {
  it.each([
    ['without a key', keysOf('')],
    ['with another', others],
  ])('show a sweep %s: what it is found by is plain', async (_, ring) => {
    await eventually(async () => {
      const runs: string[] = [];
      for await (const { runId } of listSweeps(clientWith(ring))) runs.push(runId);
      expect(runs).toContain(queue);
    });
  });

  it('show it to a client that knows of no encryption', async () => {
    const runs: string[] = [];
    for await (const { runId } of listSweeps(new Client({ connection, namespace }))) runs.push(runId);
    expect(runs).toContain(queue);
  });
});

describe('a sweep that was started with a key', () => {
  it('shows the server no word of what it is', async () => {
    const handle = clientWith(keys).workflow.getHandle(queue);
    const { raw, memo, staticSummary, staticDetails } = await handle.describe();
    const stored = textOf([await handle.fetchHistory(), raw]);
    for (const text of ['unmistakable-pack', '/nowhere']) expect(stored).not.toContain(text);
    expect(memo).toMatchObject({ pack: `unmistakable-pack ${'d'.repeat(64)}`, program: '1.2.3' });
    expect(await staticSummary()).toBe('tool-calling, gpt-4o: 1 tasks × 1');
    expect(await staticDetails()).toContain('unmistakable-pack');
  });

  it('names the key to whoever lacks it', async () => {
    const described = (ring: typeof keys) => clientWith(ring).workflow.getHandle(queue).describe();
    await expect(described([])).rejects.toThrow(
      /encrypted with the key mine and this process has no key; set TAUFLOW_/,
    );
    await expect(described(others)).rejects.toThrow(/key mine and the keys of this process are: theirs;/);
  });

  it('keeps workers from starting that could not read it, on its own queue only', async () => {
    const start = (taskQueue: string, ring: typeof keys) =>
      requireKeysOfOpenSweeps(connection, namespace, taskQueue, ring);
    // The list of workflows follows a little later than their start.
    await eventually(() => expect(start(queue, [])).rejects.toMatchObject({ kind: 'encryption-key' }));
    await expect(start(queue, others)).rejects.toThrow(/encrypted with the key mine/);
    await expect(start(queue, [...others, ...keys])).resolves.toBeUndefined();
    await expect(start(`${queue}-other`, [])).resolves.toBeUndefined();
    await expect(start("it's", [])).resolves.toBeUndefined();
  });
});
