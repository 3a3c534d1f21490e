/** Agents that call models of their own: no model of the run is theirs, in every way in and in every command. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { serveFunction } from '../../src/agent-service/index.ts';
import type { AgentFunction } from '../../src/agents/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { startA2a, text } from '../helpers/a2a-agent.ts';
import { environment, run, scratchFolder, tauflow } from './in-process.ts';

const cwd = scratchFolder();
const file = join(cwd, 'my-agent.mjs');

/** Its model is at an address that only the agent knows. */
const agentCode = (url: string) => `
export default async function agent(turn) {
  const messages = [{ role: 'system', content: turn.policy }, ...turn.conversation];
  for (;;) {
    const body = JSON.stringify({ model: 'mine', messages, tools: turn.tools });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch('${url}/chat/completions', { method: 'POST', headers, body });
    const { message } = (await reply.json()).choices[0];
    messages.push(message);
    if (!message.tool_calls?.length) return message.content ?? '';
    for (const { id, function: { name, arguments: args } } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: await turn.callTool(name, args) });
  }
}`;

let model: ScriptedModel;
let service: Awaited<ReturnType<typeof serveFunction>>;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  writeFileSync(file, agentCode(model.url));
  const { default: answer } = (await import(pathToFileURL(file).href)) as { default: AgentFunction };
  service = await serveFunction({ name: 'my-agent', version: '1.2.0', answer }, 0);
  env = environment({
    TEMPORAL_ADDRESS: inject('temporal').address,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-made-up-0123456789',
  });
});

afterAll(async () => {
  await service.close();
  await model.close();
});

const QUEUE = ['--task-queue', 'own-models'];
const manifest = (runId: string) =>
  JSON.parse(readFileSync(join(cwd, 'results', runId, 'run.json'), 'utf8')) as { readonly config: object };

async function play(runId: string, ...words: readonly string[]): Promise<string> {
  const line = ['run', '--run-id', runId, '--task-ids', '1', ...QUEUE, ...words];
  const { code, stdout, stderr } = await run(line, { cwd, env });
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/^agent .*, with models of its own$/m);
  expect(manifest(runId).config).toMatchObject({
    agent_model: null,
    user_model: { provider: 'openai', model: 'gpt-4o' },
  });
  return stdout;
}

const USER = ['--user-model', 'gpt-4o'];

describe('an agent with models of its own is run', { timeout: 120_000 }, () => {
  it('as a service, and with more trials when it is resumed', async () => {
    expect(await play('own-http', '--agent-url', service.url, ...USER)).toMatch(/average reward +1\.000 +1 of 1/);
    const resumed = await run(['run', '--run-id', 'own-http', '--num-trials', '2', ...QUEUE], { cwd, env });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toMatch(/average reward +1\.000 +2 of 2/);
    const place = { cwd, env: { OPENAI_API_KEY: 'sk-made-up-0123456789' } };
    for (const words of [
      ['report', 'own-http', '--all'],
      ['compare', 'own-http', 'own-http'],
      ['regrade', 'own-http'],
      ['list'],
      ...['inspect', 'tau2', 'csv', 'json'].map((format) => ['export', 'own-http', '--format', format]),
    ]) {
      const { code, stderr } = await tauflow(words, place);
      expect([words.join(' '), code], stderr).toEqual([words.join(' '), 0]);
    }
  });

  it('as a function in a file', async () => {
    expect(await play('own-file', '--agent-url', './my-agent.mjs', ...USER)).toMatch(/average reward +1\.000 +1 of 1/);
  });

  it('as an A2A agent', async () => {
    const hello = '<json>{"name": "respond", "arguments": {"content": "Hello"}}</json>';
    const agent = await startA2a(({ say }) => say(text(hello)));
    expect(await play('own-a2a', '--agent-url', agent.url, ...USER, '--max-steps', '2')).toContain('shop helper');
  });

  it('from a config file', async () => {
    writeFileSync(join(cwd, 'run.json'), JSON.stringify({ agent_url: service.url, user_model: 'gpt-4o' }));
    expect(await play('own-config', '--config', 'run.json')).toMatch(/average reward +1\.000 +1 of 1/);
  });
});

describe('a dry run of an agent with models of its own', () => {
  const dryRun = async (...words: readonly string[]) => {
    const line = ['run', '--agent-url', service.url, ...USER, '--task-ids', '1', '--dry-run', ...words];
    const { code, stdout, stderr } = await tauflow(line, { cwd });
    expect(code, stderr).toBe(0);
    return stdout;
  };

  it('estimates the calls of the simulated user alone', async () => {
    const printed = await dryRun();
    expect(printed).toMatch(/^agent +agent-service with models of its own$/m);
    expect(printed).toMatch(/^model calls +at least 2 beside the agent's own/m);
    expect(printed).toMatch(/^tokens .*; the agent's own calls are not counted$/m);
  });

  it('names flags that have no effect, and keeps them out of the configuration', async () => {
    const flags = [
      '--temperature',
      '0.5',
      '--max-completion-tokens',
      '50',
      '--model-settings',
      '{"top_p": 1}',
      '--max-cost',
      '2',
    ];
    const printed = await dryRun(...flags);
    expect(printed).toContain('--temperature, --max-completion-tokens, --agent-model-settings have no effect');
    expect(printed).toContain("--max-cost 2 counts of the agent's own model calls only what the agent reports.");
    const { config } = JSON.parse(await dryRun(...flags, '--json')) as { config: object };
    expect(config).toMatchObject({ agent_model: null, max_completion_tokens: { user: 2048 } });
    expect(config).not.toHaveProperty('max_completion_tokens.agent');
  });
});
