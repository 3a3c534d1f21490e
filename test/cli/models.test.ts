/** `tauflow models`: what is shown is what the wires send, and nothing is sent. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createModelCaller } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { answerError, answerJson, completion, KEY, startFakeProvider, type FakeProvider } from '../models/helpers.ts';
import { scratchFolder, tauflow } from './in-process.ts';
import { recordedRun } from './recorded-run.ts';

async function described(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await tauflow(['models', '--json', ...words]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const open: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

describe('models', () => {
  it('shows what a reasoning model is sent', async () => {
    expect(await described('openai/gpt-5.5', '--reasoning-effort', 'low')).toMatchObject({
      format_version: 1,
      family: 'GPT-5.5 and later',
      known: true,
      wire: 'responses',
      path: '/responses',
      temperature: { asked: 0, sent: null },
      seed_field: null,
      effort: { sent: 'low', fields: ['reasoning.effort'] },
      token_cap: { field: 'max_output_tokens', agent: 32_768, user: 32_768, judge: 32_768 },
      json_mode: true,
      handed_back: ['all output items'],
      list: { taken: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string, facts: { reasons: true } },
    });
  });

  it('shows a model over each wire', async () => {
    const wires = ['chat', 'responses', 'messages'];
    const shown = await Promise.all(
      wires.map((wire) => described('anthropic/claude-sonnet-4-5', '--model-settings', JSON.stringify({ wire }))),
    );
    expect(shown.map(({ path }) => path)).toEqual(['/chat/completions', '/responses', '/v1/messages']);
    expect(shown.map(({ temperature }) => temperature)).toEqual(wires.map(() => ({ asked: 0, sent: 0 })));
    expect(shown.map(({ json_mode: json }) => json)).toEqual([false, false, false]);
  });

  it('shows prices and seeds of a model that no rule names, and says so', async () => {
    expect(await described('gpt-4o', '--model-provider', 'openai')).toMatchObject({
      known: false,
      wire: 'chat',
      temperature: { sent: 0 },
      seed_field: 'seed',
      token_cap: { field: 'max_completion_tokens', agent: 4_096, user: 2_048, judge: 4_096 },
      usd_per_million: { input: 2.5, cached_input: 1.25, output: 10 },
    });
    const { stdout } = await tauflow(['models', 'vllm/my-own']);
    expect(stdout).toMatch(/family +no rule names this model: it is taken for one that does not reason\n/);
    expect(stdout).toMatch(/USD per million +input 0, output 0\n/);
    expect(stdout).toMatch(/listed +no: it is newer than the list/);
  });

  it('shows neither keys nor the query of an address', async () => {
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1?api-key=hidden' };
    const { stdout } = await tauflow(['models', 'openai/gpt-4o'], { env });
    expect(stdout).toContain('chat, http://127.0.0.1:1/v1/chat/completions\n');
    expect(stdout).not.toMatch(/hidden|SECRET/);
  });

  it('lists providers and rules', async () => {
    const { code, stdout } = await tauflow(['models']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/mistral +random_seed +max_tokens +yes/);
    expect(stdout).toMatch(/GPT-5\.5 and later +responses \(openai, azure\) +its own only +none to max +yes/);
  });

  it.each([
    [['x', '--model-provider', 'nope'], /unknown model provider "nope"; known are: openai/],
    [['nope/x'], /models nope\/x needs a --model-provider; known are: openai/],
    [
      ['openai/gpt-4o', '--model-settings', '{"wire": "grpc"}'],
      /--model-settings has wire that must be chat, responses or m/,
    ],
  ])('refuses %j', async (words, message) => {
    const { code, stdout, stderr } = await tauflow(['models', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('shows what is really sent', async () => {
    const provider = await startFakeProvider(answerJson(completion()));
    open.push(provider);
    const callModel = createModelCaller((name) =>
      resolveProvider(name, { MISTRAL_API_KEY: KEY, MISTRAL_BASE_URL: provider.url }),
    );
    const request = { provider: 'mistral', model: 'mistral-small', messages: [], temperature: 0, seed: 7 };
    await callModel({ ...request, maxCompletionTokens: 5, idempotencyKey: 'k' }, { timeoutMs: 10_000 });
    const { seed_field: seed, token_cap: cap } = await described('mistral/mistral-small');
    expect(provider.requests[0]?.body).toMatchObject({ [seed as string]: 7, [(cap as { field: string }).field]: 5 });
  });
});

describe('doctor', () => {
  async function doctor(provider: FakeProvider, ...words: string[]) {
    open.push(provider);
    return await tauflow(['doctor', ...words], { env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.url } });
  }

  it('finds the local servers that listen, before the keys', async () => {
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny' }, { id: 'small' }] }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { OLLAMA_BASE_URL: `http://127.0.0.1:${port}/v1`, VLLM_BASE_URL: 'http://127.0.0.1:1/v1' };
    const { stdout } = await tauflow(['doctor'], { env }).finally(() => server.close());
    expect(stdout).toMatch(/✓ local ollama +http:\S+ listens, with tiny, small\n/);
    expect(stdout).toMatch(/– local vllm +nothing listens at http:\/\/127\.0\.0\.1:1\/v1; VLLM_BASE_URL names another/);
    expect(stdout.indexOf('local ollama')).toBeLessThan(stdout.indexOf('provider openai'));
    expect(stdout).toMatch(/OPENAI_API_KEY is not set, which the usual simulated user gpt-6-luna needs/);
  });

  it('says which models of a run, or of a config file, have retired', async () => {
    const cwd = scratchFolder();
    await recordedRun(cwd, { model: 'gpt-3.5-turbo', modelProvider: 'openai', userModel: 'oracle' });
    const ofRun = await tauflow(['doctor', 'mine'], { cwd });
    expect(ofRun.stdout).toMatch(/✗ model +openai\/gpt-3\.5-turbo \(agent\) retired on 2026-10-23 .*gpt-5\.6-terra/);
    expect(ofRun.code).toBe(1);

    const config = join(cwd, 'run.json');
    writeFileSync(config, JSON.stringify({ model: 'oracle', user_model: 'gpt-3.5-turbo' }));
    const ofFile = await tauflow(['doctor', '--config', config], { cwd });
    expect(ofFile.stdout).toMatch(/✗ config .*openai\/gpt-3\.5-turbo \(user\) retired on 2026-10-23/);
    writeFileSync(config, JSON.stringify({ model: 'oracle' }));
    expect((await tauflow(['doctor', '--config', config], { cwd })).stdout).toMatch(/✓ config .*oracle/);
    const missing = await tauflow(['doctor', 'another'], { cwd });
    expect(missing.stderr).toContain('there is no run another');
    expect(missing.code).toBe(2);
  });

  it('shows the request in short', async () => {
    const provider = await startFakeProvider(answerJson(completion()));
    const { stdout } = await doctor(provider, '--model', 'openai/gpt-5.5', '--model-settings', '{"wire": "chat"}');
    expect(stdout).toContain(
      `request            ${provider.url}/chat/completions, wire chat, with max_completion_tokens 32768; left out: temperature 0`,
    );
    expect(stdout).toMatch(/✓ model openai\/gpt-5\.5 +answers in/);
    expect(provider.requests[0]?.body).not.toHaveProperty('temperature');
  });

  it('asks over the wire that suits the model, and names what it does not take', async () => {
    const refused = answerError(400, { message: "Unsupported parameter: 'temperature'", param: 'temperature' });
    const provider = await startFakeProvider(refused, answerJson(completion()));
    const { stdout } = await doctor(provider, '--model', 'openai/gpt-4o');
    expect(stdout).toMatch(/as gpt-4o-2024-08-06: .*; it does not take temperature\n?/);

    const other = await startFakeProvider(answerError(401, { message: `no such key ${KEY}` }));
    const ended = await doctor(other, '--model', 'openai/gpt-5.5');
    expect(other.requests[0]?.url).toBe('/v1/responses');
    expect(ended.stdout).toMatch(/✗ model openai\/gpt-5\.5 +NotAuthorised: /);
    expect(ended.stdout + ended.stderr).not.toContain(KEY);
  });
});
