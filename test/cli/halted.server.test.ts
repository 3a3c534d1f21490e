/** An account without credit, from the first refusal to the run's good end. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/packs/find.ts';
import { environment, scratchFolder } from './in-process.ts';
import { run } from './processes.ts';

let model: ScriptedModel;
let account: Server;
let hasCredit = false;
let refused = 0;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  account = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (!hasCredit) {
        refused += 1;
        response.writeHead(429, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'no credit is left', code: 'insufficient_quota' } }));
        return;
      }
      const { authorization = '' } = request.headers;
      const answer = await fetch(`${model.url}${(request.url ?? '').replace('/v1', '')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body,
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => account.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  account.close();
  await model.close();
});

describe('a run whose provider refuses for want of credit', () => {
  it(
    'leaves with the reason and the way on, and comes to its end when that is fixed',
    { timeout: 120_000 },
    async () => {
      const cwd = scratchFolder();
      const runId = `halted-${randomUUID().slice(0, 8)}`;
      const env = environment({
        TEMPORAL_ADDRESS: inject('temporal').address,
        OPENAI_BASE_URL: `http://127.0.0.1:${String((account.address() as AddressInfo).port)}/v1`,
        OPENAI_API_KEY: 'sk-dummy',
      });
      const words = ['--run-id', runId, '--task-queue', runId];
      const models = ['--model', 'gpt-4o', '--model-provider', 'openai', '--max-concurrency', '2'];
      const first = await run(['run', ...words, ...models, '--task-ids', '2', '4', '6', '8', '9'], { cwd, env });
      expect(first.code, first.stderr).toBe(3);
      expect(refused).toBeLessThanOrEqual(2);
      const reason = 'QuotaExceeded: 429 no credit is left';
      expect(first.stderr).toContain(
        `error: the run is paused, because calls are refused or not answered (${reason}); fix the account, key or address; ` +
          `nothing is lost, resume with: npx tauflow run --run-id ${runId}`,
      );

      // No worker is there to tell it: the history does.
      const status = await run(['status', runId], { cwd, env });
      expect(status.stdout).toMatch(/^status +running \(paused, no worker answers\)$/m);
      expect(status.stdout).toMatch(
        new RegExp(
          `^paused +the run is paused, .*\\(${reason}\\); .*; continue with: npx tauflow resume ${runId}$`,
          'm',
        ),
      );

      const list = await run(['list'], { cwd, env });
      expect(list.stdout).toMatch(new RegExp(`${runId}\\W+running \\(paused\\)`));
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
