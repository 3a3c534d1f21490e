/**
 * Runs with a failure of each class: the outcome, the exit code, and what is said.
 *
 * The variables of a proxy at which nobody listens are set: neither the Temporal server nor a provider on this machine is
 * asked through one. The SDK's core reads them in the processes that are started.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { episodeFileName } from '../../src/run-log/index.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { environment, run, scratchFolder } from './in-process.ts';
import { runApart } from './processes.ts';

/** Answers the request of this number, from 1, in the model's place; false: the model is to answer. */
type Fail = (request: number, response: ServerResponse, body: string) => boolean;

let model: ScriptedModel;
let provider: Server;
let fail: Fail = () => false;
let requests = 0;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  provider = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      requests += 1;
      response.setHeader('content-type', 'application/json');
      if (fail(requests, response, body)) return;
      const { authorization = '' } = request.headers;
      const headers = { 'content-type': 'application/json', authorization };
      const url = `${model.url}${(request.url ?? '').replace('/v1', '')}`;
      const answer = await fetch(url, { method: 'POST', headers, body });
      response.writeHead(answer.status).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  provider.close();
  await model.close();
});

function addressOf(server: Server, scheme = 'http'): string {
  return `${scheme}://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
}

const answering =
  (numbers: readonly number[], status: number, body: unknown): Fail =>
  (request, response) => {
    if (!numbers.includes(request)) return false;
    response.writeHead(status).end(JSON.stringify(body));
    return true;
  };
const error = (message: string, more: object = {}) => ({ error: { message, ...more } });
const ALWAYS = Array.from({ length: 50 }, (_, index) => index + 1);

/** Plays two tasks, one after the other. */
async function play(
  how: Fail,
  { url = addressOf(provider), ...more }: Readonly<Record<string, string>> = {},
  program = run,
) {
  fail = how;
  requests = 0;
  const cwd = scratchFolder();
  const runId = `class-${randomUUID().slice(0, 8)}`;
  const nowhere = 'http://127.0.0.1:9';
  const env = environment({
    TEMPORAL_ADDRESS: inject('temporal').address,
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: 'sk-dummy',
    ...more,
    ...{ http_proxy: nowhere, https_proxy: nowhere, HTTP_PROXY: nowhere, grpc_proxy: nowhere },
  });
  const models = ['--model', 'gpt-4o', '--model-provider', 'openai', '--user-model', 'oracle'];
  const words = ['--run-id', runId, '--task-queue', runId, '--task-ids', '2', '4', '--max-concurrency', '1'];
  const ended = await program(['run', ...words, ...models], { cwd, env });
  const folder = join(cwd, 'results', runId);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const record = join('episodes', episodeFileName({ taskId: 2, trial: 0 }));
  return { ...ended, metrics: read('metrics.json'), record: existsSync(join(folder, record)) ? read(record) : null };
}

describe('a failure of the class', { timeout: 180_000 }, () => {
  it("'the model's own' is scored, with its cause, and the run goes on", async () => {
    const words = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.";
    const { code, stderr, metrics, record } = await play(
      answering([1], 400, error(words, { type: 'invalid_request_error', code: 'tool_use_failed' })),
    );
    expect(code, stderr).toBe(0);
    expect(metrics).toMatchObject({ episodes: 2, outcomes: { agent_error: 1, user_stop: 1 } });
    expect(record).toMatchObject({
      reward: 0,
      outcome: { kind: 'agent_error', error: 'invalid_tool_arguments', message: `400 ${words}` },
    });
  });

  it("'this conversation's' ends this episode alone, also with status 500", async () => {
    const words = 'input exceeds maximum context length';
    const { code, stderr, metrics, record } = await play(
      answering([1, 2], 500, error(words, { type: 'api_error', code: null })),
    );
    expect(code, stderr).toBe(0);
    expect(metrics).toMatchObject({ episodes: 2, outcomes: { agent_error: 1, user_stop: 1 } });
    expect(record).toMatchObject({
      reward: 0,
      outcome: { kind: 'agent_error', error: 'context_overflow', message: `500 ${words}` },
    });
  });

  it("'passing' is waited for, and leaves no mark on the outcome", async () => {
    const { code, stderr, metrics, record } = await play(answering([1, 2], 503, error('overloaded')));
    expect(code, stderr).toBe(0);
    expect(metrics).toMatchObject({ episodes: 2, outcomes: { user_stop: 2 } });
    expect(record).toMatchObject({ outcome: { kind: 'user_stop' } });
  });

  it("'the set-up's' stops the run at once with what to do: an address that begins with https://", async () => {
    const { code, stderr, metrics } = await play(() => false, { url: addressOf(provider, 'https') });
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(
      'error: the run is paused, because calls are refused or not answered (NoConnection: no connection to the provider: ' +
        'ERR_SSL_WRONG_VERSION_NUMBER (the server speaks no TLS, or another one; check whether its address begins with ' +
        'http:// or https://)); fix the account, key or address; nothing is lost, resume with: npx tauflow resume',
    );
    expect(metrics).toMatchObject({ episodes: 0, leaderboard_row: null });
  });

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    "'the set-up's' names the variable against a certificate that nobody has signed, and it helps",
    async () => {
      const folder = scratchFolder();
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
      const named = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
      execFileSync('openssl', ['req', ...made, ...named], { stdio: 'ignore' });
      const [serve] = provider.listeners('request') as Parameters<typeof createSecureServer>[1][];
      const secure = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, serve);
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
      try {
        const url = addressOf(secure, 'https');
        const { code, stderr } = await play(() => false, { url }, runApart);
        expect(code, stderr).toBe(3);
        expect(stderr).toContain('(NoConnection: no connection to the provider: self-signed certificate (DEPTH_ZERO_');
        expect(stderr).toContain('with NODE_EXTRA_CA_CERTS=FILE');
        const trusting = await play(() => false, { url, NODE_EXTRA_CA_CERTS: cert }, runApart);
        expect(trusting.code, trusting.stderr).toBe(0);
        expect(trusting.metrics).toMatchObject({ episodes: 2, outcomes: { user_stop: 2 } });
      } finally {
        secure.closeAllConnections();
        secure.close();
      }
    },
  );

  it("'the set-up's' stops the run as well where the words are unknown, and shows a sample of them", async () => {
    const { code, stderr, metrics } = await play(answering(ALWAYS, 200, { error: 'The red light is on' }));
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('(NotACompletion: the provider answered with an error: The red light is on (check the ');
    expect(requests).toBe(5);
    expect(metrics).toMatchObject({ episodes: 0, leaderboard_row: null });
  });

  it("'the set-up's' names the flag against a stream that nobody has asked for", async () => {
    const stream: Fail = (_, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end('data: {"choices": [{"delta": {"content": "Hi"}}]}\n\ndata: [DONE]\n\n');
      return true;
    };
    const { code, stderr } = await play(stream);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(
      'the provider answered with a stream of events, and none was asked for ' +
        `(ask for none with --model-settings '{"extra_body": {"stream": false}}')`,
    );
    expect(requests).toBe(2);
  });
});

const WORDS =
  "Unsupported value: 'reasoning_effort' does not support 'max' with this model. Supported values are: 'low' and 'high'.";

const PAUSED =
  `the run is paused, because calls are refused or not answered (RequestRefused: 400 ${WORDS} ` +
  '(name another level with --reasoning-effort, or none at all)); start another run with other flags, or fix the server';

/** Environment of a command whose OpenAI is the provider of this file. */
function atProvider() {
  return environment({
    TEMPORAL_ADDRESS: inject('temporal').address,
    OPENAI_BASE_URL: addressOf(provider),
    OPENAI_API_KEY: 'sk-dummy',
  });
}

describe('a run of one episode whose model refuses everything', () => {
  it(
    'pauses without a score, names the flag, and ends well with it, or when the server is fixed',
    { timeout: 180_000 },
    async () => {
      let isFixed = false;
      fail = (_, response, body) => {
        const isTaken = (JSON.parse(body) as { reasoning_effort?: unknown }).reasoning_effort === 'low';
        if (isFixed || isTaken) return false;
        response.writeHead(400).end(JSON.stringify(error(WORDS, { code: 'unsupported_value' })));
        return true;
      };
      const cwd = scratchFolder();
      const runId = `refused-${randomUUID().slice(0, 8)}`;
      const env = atProvider();
      const play = (name: string, ...words: readonly string[]) =>
        run(['run', '--run-id', name, '--task-queue', name, ...words], { cwd, env });
      const asked = ['--model', 'gpt-4o', '--model-provider', 'openai', '--user-model', 'oracle', '--task-ids', '2'];

      const first = await play(runId, ...asked, '--reasoning-effort', 'max');
      expect(first.code, first.stderr).toBe(3);
      expect(first.stderr).toContain(`error: ${PAUSED}; nothing is lost, resume with: npx tauflow resume ${runId}`);
      expect(first.stdout).not.toContain('0.000');
      const metrics = JSON.parse(readFileSync(join(cwd, 'results', runId, 'metrics.json'), 'utf8')) as unknown;
      expect(metrics).toMatchObject({ episodes: 0, leaderboard_row: null });
      const status = await run(['status', runId], { cwd, env });
      expect(status.stdout).toContain(PAUSED);
      const report = await run(['report', runId], { cwd, env });
      expect(report.stdout).toMatch(/^No episode has ended\.$/m);
      expect(report.stdout).not.toContain('Strategy | Pass^1');

      const other = await play(`${runId}-low`, ...asked, '--reasoning-effort', 'low');
      expect(other.code, other.stderr).toBe(0);

      isFixed = true;
      const again = await play(runId);
      expect(again.stderr).toContain('resumed: it had paused itself for RequestRefused');
      expect(again.code, again.stderr).toBe(0);
    },
  );
});

describe('a run whose provider refuses for want of credit', () => {
  it(
    'leaves with the reason and the way on, and comes to its end when that is fixed',
    { timeout: 120_000 },
    async () => {
      let hasCredit = false;
      let refused = 0;
      fail = (_, response) => {
        if (hasCredit) return false;
        refused += 1;
        response.writeHead(429).end(JSON.stringify(error('no credit is left', { code: 'insufficient_quota' })));
        return true;
      };
      const cwd = scratchFolder();
      const runId = `halted-${randomUUID().slice(0, 8)}`;
      const env = atProvider();
      const words = ['--run-id', runId, '--task-queue', runId];
      const models = ['--model', 'gpt-4o', '--model-provider', 'openai', '--max-concurrency', '2'];
      const first = await runApart(['run', ...words, ...models, '--task-ids', '2', '4', '6', '8', '9'], { cwd, env });
      expect(first.code, first.stderr).toBe(3);
      expect(refused).toBeLessThanOrEqual(2);
      const reason = 'QuotaExceeded: 429 no credit is left';
      expect(first.stderr).toContain(
        `error: the run is paused, because calls are refused or not answered (${reason}); fix the account, key or address; ` +
          `nothing is lost, resume with: npx tauflow resume ${runId}`,
      );

      // No worker is there to report it: the history does.
      const status = await run(['status', runId], { cwd, env });
      expect(status.stdout).toMatch(/^status +paused \(no worker answers\)$/m);
      expect(status.stdout).toMatch(
        new RegExp(
          `^paused +the run is paused, .*\\(${reason}\\); .*; continue with: npx tauflow resume ${runId}$`,
          'm',
        ),
      );

      const list = await run(['list'], { cwd, env });
      expect(list.stdout).toMatch(new RegExp(`${runId}\\W+paused\\W`));
      expect(list.stdout).toMatch(
        new RegExp(`^${runId}: the run is paused, .*; continue with: npx tauflow resume ${runId}$`, 'm'),
      );

      hasCredit = true;
      const second = await run(['run', ...words], { cwd, env });
      expect(second.stderr).toContain(`resumed: it had paused itself for ${reason}`);
      expect(second.code, second.stderr).toBe(0);
      const metrics = JSON.parse(readFileSync(join(cwd, 'results', runId, 'metrics.json'), 'utf8')) as unknown;
      expect(metrics).toMatchObject({ episodes: 5, outcomes: { user_stop: 5 } });
    },
  );
});
