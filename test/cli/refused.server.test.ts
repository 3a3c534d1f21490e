/** A model that refuses every request: a paused run with the provider's words and the flag that helps, and no score. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { resolvePack } from '../../src/packs/find.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { environment, scratchFolder } from './in-process.ts';
import { run } from './processes.ts';

const WORDS =
  "Unsupported value: 'reasoning_effort' does not support 'max' with this model. Supported values are: 'low' and 'high'.";

let model: ScriptedModel;
let provider: Server;
let isFixed = false;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  provider = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const isTaken = (JSON.parse(body) as { reasoning_effort?: unknown }).reasoning_effort === 'low';
      response.setHeader('content-type', 'application/json');
      if (!isFixed && !isTaken) {
        response.writeHead(400).end(JSON.stringify({ error: { message: WORDS, code: 'unsupported_value' } }));
        return;
      }
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

const PAUSED =
  `the run is paused, because calls are refused or not answered (RequestRefused: 400 ${WORDS} ` +
  '(name another level with --reasoning-effort, or none at all)); start another run with other flags, or fix the server';

describe('a run of one episode whose model refuses everything', () => {
  it(
    'pauses without a score, names the flag, and ends well with it, or when the server is fixed',
    { timeout: 180_000 },
    async () => {
      const cwd = scratchFolder();
      const runId = `refused-${randomUUID().slice(0, 8)}`;
      const env = environment({
        TEMPORAL_ADDRESS: inject('temporal').address,
        OPENAI_BASE_URL: `http://127.0.0.1:${String((provider.address() as AddressInfo).port)}/v1`,
        OPENAI_API_KEY: 'sk-dummy',
      });
      const play = (name: string, ...words: readonly string[]) =>
        run(['run', '--run-id', name, '--task-queue', name, ...words], { cwd, env });
      const asked = ['--model', 'gpt-4o', '--model-provider', 'openai', '--user-model', 'oracle', '--task-ids', '2'];

      const first = await play(runId, ...asked, '--reasoning-effort', 'max');
      expect(first.code, first.stderr).toBe(3);
      expect(first.stderr).toContain(
        `error: ${PAUSED}; nothing is lost, resume with: npx tauflow run --run-id ${runId}`,
      );
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
