/** Flags of model settings: one value with `--agent-model-settings`, by side and by role, and kept when a run is resumed. */

import { describe, expect, it } from 'vitest';
import { parseRunOptions, recordedOptions, type RawRunOptions } from '../../src/cli/options/testing.ts';
import { resolveRequest } from '../../src/cli/run/testing.ts';
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
      topP: '0.9',
      wire: 'responses',
      extraBody: '{"a": 1}',
      userTopP: '0.5',
      plannerModel: 'o3',
      plannerReasoningEffort: 'medium',
    });
    const byJson = await configOf({
      ...GPT,
      agentStrategy: 'fastworkflow',
      agentModelSettings: '{"reasoning_effort": "low", "top_p": 0.9, "wire": "responses", "extra_body": {"a": 1}}',
      userModelSettings: '{"top_p": 0.5}',
      plannerModel: 'o3',
      plannerModelSettings: '{"reasoning_effort": "medium"}',
    });
    expect(byFlags).toEqual(byJson);
    expect(byFlags.agentModel).toMatchObject({ reasoning_effort: 'low', top_p: 0.9, wire: 'responses' });
    expect(byFlags.userModel).toMatchObject({ top_p: 0.5 });
    expect(Object.values(byFlags.roleModels ?? {})[0]).toMatchObject({
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
    [{ userTopP: '0.5', userModelSettings: { top_p: 0.6 } }, /--user-top-p and .*--user-model-settings differ/],
    [{ plannerWire: 'chat', plannerModelSettings: { wire: 'responses' } }, /--planner-wire and .* differ/],
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
    [
      { plannerTemperature: '0', plannerModelSettings: { temperature: 1 } },
      /--planner-temperature and .*--planner-model-settings differ/,
    ],
    [{ topP: '2' }, /--top-p must be a number from 0 to 1/],
    [{ wire: 'grpc' }, /--wire must be chat, responses or messages/],
    [{ extraBody: '[1]' }, /--extra-body must be a JSON object/],
    [{ userExtraBody: '{' }, /--user-extra-body must be a JSON object/],
  ])('refuses %j', (raw, problem) => {
    expect(() => parseRunOptions({ ...GPT, agentStrategy: 'fastworkflow', ...raw })).toThrow(problem);
  });

  it('agree with equal settings, and give way to no recorded ones', () => {
    const settings = { temperature: 0.5, max_completion_tokens: 9, top_p: 0.5 };
    const same = { temperature: '0.5', maxCompletionTokens: '9', topP: '0.5', agentModelSettings: settings };
    expect(parseRunOptions({ ...GPT, ...same })).toMatchObject({ temperature: 0.5, maxCompletionTokens: 9 });
    const resumed = parseRunOptions({ ...GPT, ...same, temperature: 'default', topP: '0.9' }, { topP: '0.9' });
    expect(resumed.agentModelSettings).toMatchObject({ top_p: 0.9 });
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
    expect((await configOf({ model, modelProvider, wire: 'chat' })).agentModel).not.toHaveProperty('wire');
  });

  it.each<RawRunOptions>([
    { model: 'gpt-5.5', modelProvider: 'openai', reasoningEffort: 'high' },
    { model: 'gpt-5.5', modelProvider: 'openai', wire: 'chat', userModel: 'gpt-5.5' },
    { model: 'gpt-5.4', modelProvider: 'openai', topP: 0.5 },
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
