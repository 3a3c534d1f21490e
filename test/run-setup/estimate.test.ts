/** Estimates of `--dry-run`. */

import { describe, expect, it } from 'vitest';

import { readEarlierRuns } from '../../src/cli/run/testing.ts';
import { countLeastCalls, estimateFromPack, estimateFromRuns } from '../../src/run-setup/index.ts';
import type { RoleFigures } from '../../src/run-log/index.ts';
import { row } from '../results/fixtures.ts';
import { scratchFolder, tauflow } from '../cli/in-process.ts';
import { askedRun, recordedRun } from '../cli/recorded-run.ts';

const GPT = { model: 'gpt-4o', modelProvider: 'openai', userModel: 'gpt-4o', userModelProvider: 'openai' };

describe('from the pack', () => {
  it('sends all prompts with every call, and prices both roles', async () => {
    const asked = await askedRun(scratchFolder(), { ...GPT, taskIds: [1], maxSteps: 10 });
    const one = estimateFromPack(asked, { agent: 1, user: 0 }, 10);
    const two = estimateFromPack(asked, { agent: 2, user: 0 }, 10);
    expect(one.promptTokens.low).toBe(one.promptTokens.high);
    // Policy and tools are a few thousand tokens; the second call is sent the first one's exchange as well.
    expect(one.promptTokens.low).toBeGreaterThan(2_000);
    expect(two.promptTokens.low).toBeCloseTo(2 * one.promptTokens.low + 200, -1);
    expect(two.completionTokens.low).toBe(120);
    // gpt-4o: 2.50 USD a million in, 10 USD out.
    const usd = (tokens: number) => (tokens * 2.5 + 60 * 10) / 1e6;
    expect(one.costUsd?.low).toBeCloseTo(usd(one.promptTokens.low), 9);
    const withUser = estimateFromPack(asked, { agent: 1, user: 2 }, 10);
    expect(withUser.costUsd?.low).toBeGreaterThan(one.costUsd?.low ?? Infinity);
  });

  it('goes up to episodes that take all their steps', async () => {
    const asked = await askedRun(scratchFolder(), { ...GPT, taskIds: [1, 2], numTrials: 2, maxSteps: 20 });
    const { promptTokens, completionTokens, costUsd } = estimateFromPack(asked, { agent: 20, user: 8 }, 20);
    expect(completionTokens).toEqual({ low: 28 * 60, high: 4 * 28 * 60 });
    expect(promptTokens.high).toBeGreaterThan(4 * promptTokens.low);
    expect(costUsd?.high).toBeGreaterThan(4 * (costUsd?.low ?? Infinity));
  });

  it('knows no cost where a price is unknown, and none of the scripted model', async () => {
    const unknown = await askedRun(scratchFolder(), { ...GPT, model: 'house-blend', taskIds: [1] });
    expect(estimateFromPack(unknown, { agent: 5, user: 2 }, 5).costUsd).toBeNull();
    const scripted = await askedRun(scratchFolder(), { taskIds: [1] });
    expect(estimateFromPack(scripted, { agent: 5, user: 2 }, 5).costUsd).toEqual({ low: 0, high: 0 });
  });
});

describe('the least calls of a run', () => {
  it('end with a hand-over, after which nobody speaks', async () => {
    const asked = await askedRun(scratchFolder(), { ...GPT, taskIds: [1] });
    const called = (...names: string[]) => {
      const actions = names.map((name) => ({ name, kwargs: new Map() }));
      const tasks = (asked.pack.splits['test'] ?? []).map((task) => ({ ...task, actions }));
      return countLeastCalls({ ...asked, pack: { ...asked.pack, splits: { test: tasks } } });
    };
    const [handOver = ''] = asked.pack.terminateTools;
    expect(called('think', handOver, 'think')).toEqual({ agent: 2, user: 1, steps: 2 });
    expect(called('think', 'think')).toEqual({ agent: 3, user: 2, steps: 3 });
  });
});

describe('from earlier runs', () => {
  const used = (changes: Partial<RoleFigures> = {}): RoleFigures => ({
    role: 'agent',
    calls: 5,
    cachedCalls: 0,
    latencyMs: 0,
    extraAttempts: 0,
    truncatedReplies: 0,
    promptTokens: 1_000,
    completionTokens: 50,
    cachedTokens: 0,
    reasoningTokens: 0,
    costUsd: 0.1,
    ...changes,
  });

  it('is their mean, and says how far it may be off', () => {
    const rows = [0.1, 0.3].map((costUsd, trial) => row(0, trial, 1, { costUsd, roles: [used()] }));
    const estimate = estimateFromRuns([rows, []], 8);
    expect(estimate).toMatchObject({ episodes: 2, runs: 1, promptTokens: 8_000, completionTokens: 400 });
    // A variance of 0.02: of eight episodes, and of the mean of two, eight times.
    const deviation = Math.sqrt(0.02 * (8 + 64 / 2));
    expect(estimate?.costUsd?.mean).toBeCloseTo(1.6, 9);
    expect(estimate?.costUsd?.low).toBe(Math.max(0, 1.6 - 2 * deviation));
    expect(estimate?.costUsd?.high).toBeCloseTo(1.6 + 2 * deviation, 9);
  });

  it('leaves out what was broken off or answered by a cache, and says nothing without any', () => {
    const broken = row(0, 0, 0, { outcome: 'infrastructure_error', costUsd: 0.01, roles: [used()] });
    const cached = row(1, 0, 1, { costUsd: 0, roles: [used({ cachedCalls: 5, costUsd: 0 })] });
    expect(estimateFromRuns([[broken, cached]], 8)).toBeNull();
    const unpriced = row(2, 0, 1, { costUsd: null, roles: [used({ costUsd: null })] });
    expect(estimateFromRuns([[broken, unpriced]], 3)).toMatchObject({
      episodes: 1,
      promptTokens: 3_000,
      costUsd: null,
    });
  });

  it('are those of the same agent with the same models', async () => {
    const cwd = scratchFolder();
    const { request } = await recordedRun(cwd, { ...GPT, taskIds: [1] });
    const find = async (changes: object) => {
      const other = await askedRun(cwd, { ...GPT, runId: 'other', ...changes });
      const warnings: string[] = [];
      const found = await readEarlierRuns(request.run.logDir, other.config, (sentence) => warnings.push(sentence));
      expect(warnings).toEqual([]);
      return found.length;
    };
    // Tasks, trials and settings of the run itself may differ.
    expect(await find({ taskIds: [2, 3], numTrials: 4, maxConcurrency: 9 })).toBe(1);
    expect(await find({ model: 'gpt-4o-mini' })).toBe(0);
    expect(await find({ userModel: 'gpt-4o-mini' })).toBe(0);
    expect(await find({ agentStrategy: 'react' })).toBe(0);
    for (const other of [
      { reasoningEffort: 'low' },
      { agentModelSettings: { top_p: 0.5 } },
      { temperature: 1 },
      { userModelSettings: { top_p: 0.5 } },
      { agentModelSettings: { wire: 'responses' } },
    ])
      expect(await find(other)).toBe(0);
    expect(await find({ env: 'airline' })).toBe(0);
  });
});

it('a dry run says that reasoning is not counted, where a model reasons', async () => {
  const tokensOf = async (...words: readonly string[]) => {
    const { stdout } = await tauflow(['run', '--model-provider', 'openai', '--task-ids', '1', '--dry-run', ...words], {
      cwd: scratchFolder(),
    });
    return /^tokens .*$/m.exec(stdout)?.[0];
  };
  expect(await tokensOf('--model', 'gpt-5.5')).toMatch(/roughly; reasoning is not counted$/);
  expect(await tokensOf('--model', 'gpt-5.5', '--reasoning-effort', 'none', '--user-model', 'gpt-4o')).toMatch(
    /roughly$/,
  );
  expect(await tokensOf('--model', 'gpt-4o', '--user-model', 'o3')).toMatch(/reasoning is not counted$/);
  expect(await tokensOf('--model', 'gpt-4o', '--reasoning-effort', 'high')).toMatch(/reasoning is not counted$/);
});

it('a dry run prints both, and the basis of each', async () => {
  const cwd = scratchFolder();
  const words = 'run --model gpt-4o --model-provider openai --user-model gpt-4o --task-ids 1 --dry-run'.split(' ');
  const { code, stdout } = await tauflow(words, { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tokens +[\d,]+ to [\d,]+ in, [\d,]+ to [\d,]+ out: by the pack's prompts, roughly$/m);
  expect(stdout).toMatch(/^cost +\$[\d.]+ to \$[\d.]+: by the same$/m);
  const json = await tauflow([...words, '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    estimate: { from_pack: { cost_usd: { low: expect.any(Number) as number } }, from_runs: null },
  });
});
