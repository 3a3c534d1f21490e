/** Requests of command lines, as `--dry-run` prints them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { namesIn, scratchFolder, tauflow } from './in-process.ts';

const model = z.object({ provider: z.string(), model: z.string(), temperature: z.number().nullable() });
const dryRun = z.object({
  run: z.object({ run_id: z.string(), log_dir: z.string() }),
  config: z.looseObject({
    strategy: z.string(),
    strategy_options: z.object({ omit_policy: z.boolean(), use_reasoning: z.boolean() }),
    agent_model: model,
    user_model: model,
    user_strategy: z.string(),
    seed: z.number(),
  }),
  plan: z.object({ task_ids: z.array(z.number()), num_trials: z.number(), shuffle: z.boolean() }),
  episodes: z.number(),
  least_model_calls: z.number(),
  max_concurrency: z.number(),
  max_cost_usd: z.number().nullable(),
  notes: z.array(z.string()),
});

async function asked(words: string, cwd = scratchFolder()): Promise<z.infer<typeof dryRun>> {
  const before = namesIn(cwd);
  const ended = await tauflow([...words.split(' '), '--dry-run', '--json'], { cwd });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(namesIn(cwd)).toEqual(before);
  return dryRun.parse(JSON.parse(ended.stdout));
}

describe('run', () => {
  it('takes a command line of the reference as it is', async () => {
    const { config, plan, max_concurrency } = await asked(
      'run --agent-strategy tool-calling --env retail --model gpt-4o --model-provider openai --user-model gpt-4o ' +
        '--user-model-provider openai --user-strategy llm --max-concurrency 10',
    );
    expect(config).toMatchObject({
      strategy: 'tool-calling',
      agent_model: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
      user_model: { provider: 'openai', model: 'gpt-4o' },
      user_strategy: 'llm',
      seed: 10,
    });
    expect(plan).toEqual({ task_ids: Array.from({ length: 40 }, (_, id) => id), num_trials: 1, shuffle: false });
    expect(max_concurrency).toBe(10);
  });

  it('is refused with too many trials, and with too many episodes unless they are confirmed', async () => {
    const cwd = scratchFolder();
    const run = (...words: string[]) => tauflow(['run', '--model', 'oracle', '--num-trials', ...words], { cwd });
    expect(await run('1000000000')).toMatchObject({ code: 2, stderr: 'error: --num-trials must be at most 1000.' });
    const large = await run('51');
    expect(large.code).toBe(2);
    expect(large.stderr).toMatch(/this would run 2,040 episodes \(40 tasks × 51 trials\) with oracle.* give --yes/);
    expect(namesIn(cwd)).toEqual([]);
    expect((await asked('run --num-trials 51')).episodes).toBe(2_040);
  });

  it('names the deadline of a model call only where it is not the usual one', async () => {
    const usual = await asked('run --call-timeout 10m');
    expect(usual.config).toEqual((await asked('run')).config);
    expect((await asked('run --call-timeout 45s')).config).toEqual({ ...usual.config, call_timeout_ms: 45_000 });
  });

  it('caps tokens by role and model, as flags say, or not at all', async () => {
    const caps = async (words: string) =>
      (await asked(`run --agent-strategy fastworkflow --model gpt-4o --model-provider openai ${words}`)).config[
        'max_completion_tokens'
      ];
    expect(await caps('--user-strategy llm')).toEqual({ agent: 4096, user: 32768 });
    expect(await caps('--user-model gpt-4o')).toEqual({ agent: 4096, user: 2048 });
    expect(await caps('--max-completion-tokens 900 --user-max-completion-tokens none')).toEqual({ agent: 900 });
    expect(await caps('--max-completion-tokens none --user-max-completion-tokens none')).toBeUndefined();
    expect(await caps('--role-models {"planner":{"model":"o3"}} --user-model gpt-5')).toEqual({
      agent: 4096,
      user: 32768,
      'agent/planner': 32768,
      'agent/summary': 32768,
    });
    const roles = { planner: { max_completion_tokens: null }, ranker: { max_completion_tokens: 100 } };
    expect(await caps(`--role-models ${JSON.stringify(roles)}`)).toEqual({
      agent: 4096,
      user: 32768,
      'agent/planner': null,
      'agent/summary': null,
      'agent/ranker': 100,
    });
    expect((await asked('run')).config).not.toHaveProperty('max_completion_tokens');
  });

  it('takes the reference’s other flags as well', async () => {
    const { run, config, plan } = await asked(
      'run --model oracle --provider openai --task-ids 2 4 6 --shuffle 1 --seed 7 --temperature 0.5 --num-trials 2 ' +
        '--task-split dev --log-dir logs --few-shot-displays-path nowhere.jsonl',
    );
    expect(plan).toEqual({ task_ids: [2, 4, 6], num_trials: 2, shuffle: true });
    expect(config).toMatchObject({ split: 'dev', seed: 7, agent_model: { provider: 'openai', temperature: 0.5 } });
    expect(run.log_dir).toMatch(/\/logs$/);
    expect(run.run_id).toMatch(/^tool-calling-oracle-t0\.5_\d{10}$/);
  });

  it.each([
    ['--task-ids 2,4 6', [2, 4, 6]],
    ['--start-index 3 --end-index 5', [3, 4]],
    ['--start-index 38', [38, 39]],
    ['--start-index 38 --end-index 400', [38, 39]],
    ['--task-ids 7 --start-index 3 --end-index 5', [7]],
  ])('chooses tasks with %s', async (words, ids) => {
    expect((await asked(`run ${words}`)).plan.task_ids).toEqual(ids);
  });

  it('is a demonstration that errs when nothing is named, and says that it is scripted', async () => {
    const { config, plan, episodes, max_concurrency, notes } = await asked('run --agent-strategy fastworkflow');
    expect(config.agent_model).toMatchObject({ provider: 'scripted', model: 'oracle:0.8' });
    expect({ trials: plan.num_trials, episodes, max_concurrency }).toEqual({
      trials: 4,
      episodes: 160,
      max_concurrency: 8,
    });
    expect(notes.join()).toContain('scripted');
  });

  it('reports a lower bound of model calls', async () => {
    // One an action of the ground truth, the last word, and the user's opening and answer.
    const one = await asked('run --task-ids 1 --num-trials 1');
    const three = await asked('run --task-ids 1 --num-trials 3');
    expect(one.least_model_calls).toBeGreaterThan(3);
    expect(three.least_model_calls).toBe(3 * one.least_model_calls);
    const { stdout } = await tauflow(['run', '--task-ids', '1', '--num-trials', '1', '--dry-run']);
    expect(stdout).toContain(`at least ${one.least_model_calls}, if every task is solved in its ground truth's steps`);
  });

  it('reads a config file in either spelling, and lets flags win', async () => {
    const cwd = scratchFolder();
    const options = {
      agent_strategy: 'fastworkflow',
      'num-trials': 3,
      task_ids: [1, 2],
      max_concurrency: 5,
      no_use_reasoning: true,
      provider: 'scripted',
      model: 'oracle',
      few_shot_displays_path: null,
      max_cost: '$2.50',
    };
    writeFileSync(join(cwd, 'run.json'), JSON.stringify(options));
    const { config, plan, max_concurrency, max_cost_usd } = await asked(
      'run --config run.json --max-concurrency 2 --model oracle:0.5',
      cwd,
    );
    expect(plan).toMatchObject({ task_ids: [1, 2], num_trials: 3 });
    expect(config.strategy_options.use_reasoning).toBe(false);
    expect(config.agent_model).toMatchObject({ provider: 'scripted', model: 'oracle:0.5' });
    expect({ max_concurrency, max_cost_usd }).toEqual({ max_concurrency: 2, max_cost_usd: 2.5 });
  });
});
