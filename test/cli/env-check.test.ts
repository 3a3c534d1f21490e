/** Command lines about environment services: `tauflow env check` without one, and a run's tasks and user. */

import { describe, expect, it } from 'vitest';
import { parseRunOptions, recordedOptions, resolveRequest, uncallableModels } from '../../src/run-setup/index.ts';
import type { RunManifest } from '../../src/run-log/index.ts';
import { answering, serve } from '../helpers/stub-service.ts';
import { scratchFolder, tauflow } from './in-process.ts';

describe('tauflow env check', () => {
  it.each([
    [['http://127.0.0.1:1'], 3, 'start the service, or check its URL'],
    [['127.0.0.1'], 2, 'is no URL of an environment service'],
    [['http://127.0.0.1:1', '--env-options', '[]'], 2, '--env-options must be a JSON object such as {"size": 3}'],
  ])('%j exits with %i', async (words, code, problem) => {
    const ended = await tauflow(['env', 'check', ...words]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(problem);
  });
});

describe('a run on a service without a simulated user', () => {
  async function serveSolo(): Promise<string> {
    const answers = {
      tasks: { digest: 'd', splits: { test: ['cancel', 'swap'] }, tasks: [{ id: 'cancel' }, { id: 'swap' }] },
      start: { policy: 'Help.', tools: [], first_message: 'Swap it.', state: {} },
    };
    const description = { name: 'shop', version: '1', protocol: '1', rules: 'solo', domains: ['shop'] };
    const { url } = await serve((request, response) => {
      const { request: asked } = JSON.parse(request.body || '{}') as { request?: keyof typeof answers };
      answering(200, JSON.stringify(asked === undefined ? description : answers[asked]))(request, response);
    });
    return url;
  }

  it('takes tasks by their names, and needs no model for the user', async () => {
    const models = ['--model', 'llama', '--model-provider', 'ollama'];
    const dryRun = ['run', '--env-url', await serveSolo(), ...models, '--dry-run', '--task-ids'];
    const named = await tauflow([...dryRun, 'swap']);
    expect(named.stderr).toBe('');
    expect(named.stdout).toMatch(/tasks +1 of shop:shop test: 1\n/);
    expect(named.stdout).toMatch(/simulated user +none \(solo\)\n/);
    expect(named.stdout).not.toContain('cannot be called');
    const unknown = await tauflow([...dryRun, 'swop']);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toBe('error: --task-ids: split test has no task "swop" (did you mean swap?).');
  });

  it('is resumed with the user model that an earlier version recorded, and does not need it', async () => {
    const home = scratchFolder();
    const context = { cwd: home, home, now: new Date(0) };
    const envUrl = await serveSolo();
    const asked = { model: 'llama', modelProvider: 'ollama', runId: 'r1', env: 'shop:shop', envUrl };
    const { config, plan } = await resolveRequest(parseRunOptions(asked), context);
    const recorded = { ...config, userModel: { provider: 'openai', model: 'gpt-4o', temperature: null } };
    const run = { config: recorded, plan, maxConcurrency: 1, maxCostUsd: null } as unknown as RunManifest;
    const again = parseRunOptions({ runId: 'r1', ...recordedOptions(run, undefined) });
    const resumed = await resolveRequest(again, context, recorded);
    expect(resumed.config).toEqual(recorded);
    expect(uncallableModels(resumed.config, {})).toEqual([]);
  });
});
