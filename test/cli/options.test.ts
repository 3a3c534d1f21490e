/** The table of options, and what derives from it. */

import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { camelCase } from '../../src/agents/index.ts';
import { addRunFlags, givenFlags } from '../../src/cli/options/testing.ts';
import { ALIASES, runOptions, type RawRunOptions } from '../../src/run-setup/options/index.ts';
import { getDefault, parseRunOptions, keyedConfig, recordedOptions } from '../../src/run-setup/index.ts';
import { resolveRequest } from '../../src/run-setup/index.ts';
import type { RunManifest } from '../../src/run-log/index.ts';
import { scratchFolder } from './in-process.ts';

describe('the table of options', () => {
  it('has a flag for each option, of its name or its opposite', () => {
    for (const [name, { flags }] of runOptions) {
      const [first = ''] = Object.keys(flags).map((flag) => camelCase(flag.slice(2).split(' ', 1).join('')));
      expect([name, camelCase(`no-${name}`)]).toContain(first);
    }
  });

  it('has aliases that give way to the name', () => {
    expect(ALIASES).toEqual({
      provider: 'modelProvider',
      modelSettings: 'agentModelSettings',
      agentLlmArgs: 'agentModelSettings',
      userLlmArgs: 'userModelSettings',
      maxOutputTokens: 'maxCompletionTokens',
      userMaxOutputTokens: 'userMaxCompletionTokens',
    });
    const command = new Command();
    addRunFlags(command);
    command.parse(['--provider', 'openai', '--max-output-tokens', '5', '--model-provider', 'azure'], { from: 'user' });
    expect(givenFlags(command)).toEqual({ modelProvider: 'azure', maxCompletionTokens: '5' });
  });

  it.each([
    [['--use-reasoning'], true],
    [['--use-reasoning', 'true'], true],
    [['--use-reasoning', 'false'], false],
    [['--no-use-reasoning'], false],
  ])('reads %j as %s', (given, useReasoning) => {
    const command = new Command();
    addRunFlags(command);
    command.parse(given, { from: 'user' });
    expect(parseRunOptions(givenFlags(command))).toMatchObject({ useReasoning });
    expect(() => parseRunOptions({ useReasoning: 'maybe' })).toThrow('--use-reasoning must be true or false.');
  });

  it('leaves defaults out of the configuration where it says so', () => {
    const keys = runOptions.flatMap(([, { key, isLeftOut }]) => (key === undefined || isLeftOut === true ? [] : [key]));
    expect(Object.keys(keyedConfig(parseRunOptions({})))).toEqual(keys);
    const given = { callTimeout: '5m', outageTimeout: 'none', keepRequests: true };
    expect(keyedConfig(parseRunOptions(given))).toMatchObject({
      callTimeoutMs: 300_000,
      outageTimeoutMs: 0,
      keepRequests: true,
    });
    expect(getDefault('callTimeout')).toBe(600_000);
  });

  it.each<[unknown, number[]]>([
    ['1-3,7 2', [1, 2, 3, 7]],
    [
      ['4-4', '0'],
      [4, 0],
    ],
    [
      ['2-3', 9, '1,9'],
      [2, 3, 9, 1],
    ],
    [5, [5]],
  ])('has the tasks of ranges, each once: %j', (taskIds, ids) => {
    expect(parseRunOptions({ taskIds }).taskIds).toEqual(ids);
  });

  it.each<[string, RawRunOptions]>([
    ['the defaults', {}],
    ['limits', { callTimeout: '5m', outageTimeout: 'none', episodeTimeout: '90m' }],
    ['the usual time of a call with a high effort', { reasoningEffort: 'high', callTimeout: '10m' }],
    ['what is kept', { keepRequests: true, responseCache: true, omitPolicy: true }],
    ['numbers', { seed: '3', maxSteps: '7', maxRetries: '0', numTrials: '2', shuffle: '1', taskIds: '3,1' }],
  ])('gives a resumed run what it was started with: %s', async (_what, raw) => {
    const home = scratchFolder();
    const asked = { model: 'gpt-4o', modelProvider: 'openai', runId: 'r1', ...raw };
    const context = { cwd: home, home, now: new Date(0) };
    const { config, plan } = await resolveRequest(parseRunOptions(asked), context);
    const recorded = { config, plan, maxConcurrency: 1, maxCostUsd: null } as unknown as RunManifest;
    const again = { runId: 'r1', ...recordedOptions(recorded, undefined) };
    const resumed = await resolveRequest(parseRunOptions(again), context, config);
    expect({ config: resumed.config, plan: resumed.plan }).toEqual({ config, plan });
  });
});
