/** Flags of model settings: one value with `--agent-model-settings`, by side and by role, and kept when a run is resumed. */

import { describe, expect, it } from 'vitest';
import { parseRunOptions, recordedOptions } from '../../src/run-setup/index.ts';
import type { RawRunOptions } from '../../src/run-setup/options/index.ts';
import { resolveRequest } from '../../src/run-setup/index.ts';
import type { RunManifest } from '../../src/run-log/index.ts';
import { scratchFolder } from './in-process.ts';

async function configOf(raw: RawRunOptions, recorded?: RunManifest['config']) {
  const home = scratchFolder();
  const options = parseRunOptions({ ...raw, runId: 'r1' });
  return (await resolveRequest(options, { cwd: home, home, now: new Date(0) }, recorded)).config;
}

const GPT = { model: 'gpt-4o', modelProvider: 'openai' };

describe('flags of model settings', () => {
  it('are other spellings of the settings, by side and role', async () => {
    const byFlags = await configOf({
      ...GPT,
      agentStrategy: 'fastworkflow',
      reasoningEffort: 'low',
      temperature: '0.5',
      maxCompletionTokens: '9',
      userReasoningEffort: 'low',
      userMaxCompletionTokens: 'none',
    });
    const byJson = await configOf({
      ...GPT,
      agentStrategy: 'fastworkflow',
      agentModelSettings: '{"reasoning_effort": "low", "temperature": 0.5, "max_completion_tokens": 9}',
      userModelSettings: '{"reasoning_effort": "low", "max_completion_tokens": null}',
    });
    expect(byFlags).toEqual(byJson);
    expect(byFlags.agentModel).toMatchObject({ reasoning_effort: 'low', temperature: 0.5 });
    expect(byFlags.userModel).toMatchObject({ reasoning_effort: 'low' });
    expect(byFlags.maxCompletionTokens).toMatchObject({ agent: 9 });
  });

  it('are settings of a role in one object', async () => {
    const roleModels = '{"planner": {"model": "o3", "reasoning_effort": "medium"}}';
    const { roleModels: chosen = {} } = await configOf({ ...GPT, agentStrategy: 'fastworkflow', roleModels });
    expect(chosen['agent/planner']).toMatchObject({
      model: 'o3',
      reasoning_effort: 'medium',
      temperature: null,
      wire: 'responses',
    });
  });

  it.each<[RawRunOptions, RegExp]>([
    [
      { reasoningEffort: 'low', agentModelSettings: '{"reasoning_effort": "high"}' },
      /--reasoning-effort and .* differ/,
    ],
    [
      { temperature: '0', agentModelSettings: { temperature: 1 } },
      /--temperature and .*--agent-model-settings differ: 0/,
    ],
    [
      { maxCompletionTokens: '9', agentModelSettings: { max_completion_tokens: 8 } },
      /--max-completion-tokens and the max_completion_tokens of .* differ: 9 and 8/,
    ],
    [
      { userMaxCompletionTokens: '9', userModelSettings: { max_completion_tokens: 8 } },
      /--user-max-completion-tokens and .* differ/,
    ],
    [{ agentModelSettings: { wire: 'grpc' } }, /has wire that must be chat, responses or messages\.$/],
    [{ agentModelSettings: '{"extra_body": [1]}' }, /--agent-model-settings has extra_body that must be an object\.$/],
    [{ userModelSettings: '{' }, /--user-model-settings must be a JSON object such as/],
    [{ roleModels: '[1]' }, /^--role-models must be a JSON object such as \{"planner": \{/],
    [{ roleModels: { planner: 'o3' } }, /^--role-models has planner that must be an object\.$/],
    [{ roleModels: { planner: { topP: 1 } } }, /^--role-models has planner\.topP; settings are provider, model, temp/],
  ])('refuses %j', (raw, problem) => {
    expect(() => parseRunOptions({ ...GPT, agentStrategy: 'fastworkflow', ...raw })).toThrow(problem);
  });

  it('agree with equal settings, and give way to no recorded ones', () => {
    const settings = { temperature: 0.5, max_completion_tokens: 9, top_p: 0.5 };
    const same = { temperature: '0.5', maxCompletionTokens: '9', agentModelSettings: settings };
    expect(parseRunOptions({ ...GPT, ...same })).toMatchObject({ temperature: 0.5, maxCompletionTokens: 9 });
    const resumed = parseRunOptions({ ...GPT, ...same, temperature: '0.9' }, { temperature: '0.9' });
    expect(resumed).toMatchObject({ temperature: 0.9, agentModelSettings: { top_p: 0.5 } });
    expect(() => parseRunOptions({ ...GPT, temperature: '0', agentModelSettings: { top_p: 1 } })).not.toThrow();
  });

  it('gives calls more time with a high effort, unless a time is given', () => {
    expect(parseRunOptions({ ...GPT }).callTimeout).toBe(600_000);
    expect(parseRunOptions({ ...GPT, reasoningEffort: 'low' }).callTimeout).toBe(600_000);
    expect(parseRunOptions({ ...GPT, userReasoningEffort: 'high' }).callTimeout).toBe(1_800_000);
    expect(parseRunOptions({ ...GPT, reasoningEffort: 'high', callTimeout: '5m' }).callTimeout).toBe(300_000);
  });
});

describe('the wire of a model', () => {
  it.each([
    ['openai', 'gpt-5.5', 'responses', null],
    ['azure', 'gpt-5.6-sol', 'responses', null],
    ['openai', 'gpt-5.4', 'responses', 0],
    ['openai', 'gpt-4o', undefined, 0],
    ['anthropic', 'claude-opus-4-8', 'messages', null],
    ['anthropic', 'claude-sonnet-4-5', 'messages', 0],
    ['openrouter', 'openai/gpt-5.5', undefined, null],
  ])('%s/%s: %s, at %s', async (modelProvider, model, wire, temperature) => {
    const { agentModel } = await configOf({ model, modelProvider });
    expect(agentModel?.wire).toBe(wire);
    expect(agentModel?.temperature).toBe(temperature);
    expect(
      (await configOf({ model, modelProvider, agentModelSettings: { wire: 'chat' } })).agentModel,
    ).not.toHaveProperty('wire');
  });

  it.each<RawRunOptions>([
    { model: 'gpt-5.5', modelProvider: 'openai', reasoningEffort: 'high' },
    { model: 'gpt-5.5', modelProvider: 'openai', agentModelSettings: { wire: 'chat' }, userModel: 'gpt-5.5' },
    { model: 'gpt-5.4', modelProvider: 'openai', agentModelSettings: { top_p: 0.5 } },
  ])('stays what it was when a run is resumed: %j', async (raw) => {
    const config = await configOf(raw);
    const manifest = {
      config,
      plan: { taskIds: [0], numTrials: 1, shuffle: false },
      maxConcurrency: 1,
      maxCostUsd: null,
    };
    expect(await configOf(recordedOptions(manifest as unknown as RunManifest, undefined), config)).toEqual(config);
  });

  it('stays chat completions, with the temperature, in a run of before there were others', async () => {
    const now = await configOf({ model: 'gpt-5.5', modelProvider: 'openai' });
    const config = { ...now, agentModel: { provider: 'openai', model: 'gpt-5.5', temperature: 0 } };
    const manifest = {
      config,
      plan: { taskIds: [0], numTrials: 1, shuffle: false },
      maxConcurrency: 1,
      maxCostUsd: null,
    };
    expect((await configOf(recordedOptions(manifest as unknown as RunManifest, undefined), config)).agentModel).toEqual(
      config.agentModel,
    );
  });
});
