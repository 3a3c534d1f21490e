/** The configuration of a fork: prices, retries and variants, its origin's unless flags name others. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { forkConfig, originConfig, unpricedModels } from '../../src/cli/fork/testing.ts';
import { parseRunOptions } from '../../src/run-setup/index.ts';
import type { RawRunOptions } from '../../src/run-setup/options/index.ts';
import { readGivenPrices, readSavedPrices, savePrices } from '../../src/run-setup/index.ts';
import { chooseStrategy, resolveRequest } from '../../src/run-setup/index.ts';
import { RunLog, type EpisodeRecord, type RunManifest } from '../../src/run-log/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { scratchFolder, tauflow } from './in-process.ts';

const cwd = scratchFolder();
const priced = (provider: string, model: string, input: number) => ({ provider, model, input, output: 4 * input });

function pricesFile(prices: Readonly<Record<string, number>>): string {
  const entries = Object.entries(prices).map(([model, input]) => [model, { input, output: 4 * input }] as const);
  const name = `${entries.map(([model, { input }]) => `${model.replace('/', '-')}-${input}`).join('-')}.json`;
  writeFileSync(join(cwd, name), JSON.stringify(Object.fromEntries(entries)));
  return name;
}

async function configOf(raw: RawRunOptions = {}): Promise<EvaluationConfig> {
  const given = { model: 'gpt-4o', modelProvider: 'openai', ...raw };
  return (await resolveRequest(parseRunOptions(given), { cwd, home: cwd, now: new Date(0) })).config;
}

async function fork(before: EvaluationConfig, given: RawRunOptions, runPrices: Parameters<typeof forkConfig>[4] = []) {
  const word = typeof given.agentStrategy === 'string' ? given.agentStrategy : before.strategy;
  return forkConfig(before, parseRunOptions(given), given, await chooseStrategy(word, cwd), runPrices, cwd);
}

describe('the prices of a fork', () => {
  const before = () => configOf({ userModel: 'gpt-4o', prices: pricesFile({ 'openai/gpt-4o': 1, 'openai/gpt-5': 2 }) });

  it('are its origin’s', async () => {
    const config = await before();
    expect(config.prices).toEqual([priced('openai', 'gpt-4o', 1)]);
    expect((await fork(config, {})).prices).toEqual(config.prices);
  });

  it('with another model are found in what its run was given', async () => {
    const log = new RunLog({ runId: 'priced', logDir: cwd });
    await log.ensureToken();
    await savePrices(log, readGivenPrices(pricesFile({ 'openai/gpt-4o': 1, 'openai/gpt-5': 2 }), cwd));
    const other = await fork(await before(), { model: 'gpt-5' }, readSavedPrices(log));
    expect(other.prices).toContainEqual(priced('openai', 'gpt-5', 2));
    expect(unpricedModels(await before(), other)).toEqual([]);
  });

  it('are those of its own file first', async () => {
    const given = { model: 'gpt-5', prices: pricesFile({ 'openai/gpt-5': 3 }) };
    expect((await fork(await before(), given, [priced('openai', 'gpt-5', 2)])).prices).toContainEqual(
      priced('openai', 'gpt-5', 3),
    );
    const wrong = fork(await before(), { model: 'gpt-5', prices: pricesFile({ 'openai/o3': 1 }) });
    await expect(wrong).rejects.toThrow(/has no price of the models that are called \(openai\/gpt-5/);
  });

  it('are missed aloud where the run was given none of the model', async () => {
    const config = await before();
    expect(unpricedModels(config, await fork(config, { model: 'gpt-5' }))).toEqual(['openai/gpt-5']);
    expect(unpricedModels(await configOf(), await fork(await configOf(), { model: 'gpt-5' }))).toEqual([]);
  });
});

describe('retries of a fork', () => {
  it('are those that are named, else its origin’s', async () => {
    const config = await configOf({ maxRetries: '7', agentStrategy: 'fastworkflow' });
    expect(await fork(config, {})).toMatchObject({ maxRetries: 7, strategyOptions: config.strategyOptions });
    expect(await fork(config, { maxRetries: '0' })).toMatchObject({ maxRetries: 0 });
  });

  const forkedRecord = (run: EvaluationConfig, compat?: readonly string[]) => {
    const config = {
      strategy: 'tool-calling',
      strategyOptions: { omitPolicy: false, useReasoning: true, compat },
      agentModel: run.agentModel,
      userModel: run.userModel,
      maxSteps: 30,
      seed: 10,
      maxRetries: 1,
      prices: [priced('openai', 'gpt-4o', 9)],
    };
    return originConfig({ config } as unknown as EpisodeRecord, { config: run } as RunManifest);
  };

  it('go on to a fork of the fork', async () => {
    const config = forkedRecord(await configOf({ maxRetries: '7' }));
    expect(config).toMatchObject({ maxRetries: 1, prices: [priced('openai', 'gpt-4o', 9)] });
  });

  it('are none for a run with variants that an earlier version had', async () => {
    const run = await configOf();
    const old = { ...run, strategyOptions: { ...run.strategyOptions, compat: ['fastworkflow-labels'] } };
    const refusal = 'was started with --compat fastworkflow-labels by an earlier version of Tauflow';
    expect(() => forkedRecord(old)).toThrow(refusal);
    expect(() => forkedRecord(run, ['fastworkflow-labels'])).toThrow(refusal);
  });
});

describe('the models of a fork', () => {
  it('have the settings that flags name, and else their own', async () => {
    const config = await configOf({ agentModelSettings: { top_p: 0.9 }, userModelSettings: { top_p: 0.8 } });
    const other = await fork(config, {
      reasoningEffort: 'low',
      agentModelSettings: '{"wire": "responses", "extra_body": {"a": 1}}',
      userReasoningEffort: 'high',
      maxCompletionTokens: '99',
    });
    const further = { top_p: 0.9, reasoning_effort: 'low', wire: 'responses', extra_body: { a: 1 } };
    expect(other.agentModel).toMatchObject({ model: 'gpt-4o', ...further });
    expect(other.userModel).toMatchObject({ top_p: 0.8, reasoning_effort: 'high' });
    expect(other.maxCompletionTokens).toMatchObject({ agent: 99 });
  });

  it('are named by the same flags as those of a run', async () => {
    const { stdout } = await tauflow(['fork', '--help-all']);
    for (const flag of ['reasoning-effort', 'max-completion-tokens']) {
      expect(stdout).toContain(`--${flag} `);
      expect(stdout).toContain(`--user-${flag} `);
    }
    const unknown = await tauflow([
      'fork',
      'r1',
      'task-1.trial-0',
      '--max-output-tokens',
      '9',
      '--user-max-output-tokens',
      '9',
    ]);
    expect(unknown.stderr).not.toContain('unknown option');
  });
});
