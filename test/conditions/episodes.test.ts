/** Whole episodes of the scripted model under each condition: sound agents pass, and each weakness shows under one. */

import { beforeAll, describe, expect, it } from 'vitest';
import { findStrategy } from '../../src/agents/index.ts';
import { findCondition, rename, runPlace, type ConditionRef } from '../../src/conditions/index.ts';
import { nameFacts } from '../../src/models/prompts/index.ts';
import { ScriptedResponder } from '../../src/scripted-model/index.ts';
import { judgeTask } from '../../src/scripted-model/testing.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { restoreRecord } from '../../src/results/regrade/index.ts';
import { findPack, stageEpisode, stagedConfig, type StagedEpisode } from '../episode/stage.ts';
import { completeByScript } from './scripted.ts';

const SEED = 10;
const DISPLAYS = Array.from({ length: 8 }, (_, at) => `user: Where is #W${at}?\nassistant: Action: get_order_details`);
const packs = new Map<string, { readonly pack: Pack; readonly responder: ScriptedResponder }>();

beforeAll(async () => {
  for (const env of ['retail', 'airline']) {
    const pack = { ...(await findPack(env)), fewShotDisplays: DISPLAYS };
    packs.set(env, { pack, responder: new ScriptedResponder([pack], judgeTask) });
  }
});

interface Play {
  readonly taskId?: number;
  readonly model?: string;
  readonly strategy?: string;
  readonly userStrategy?: string;
  readonly env?: 'retail' | 'airline';
  readonly rate?: number;
}

async function play(
  name: string,
  { taskId = 0, model = 'oracle', env = 'retail', rate, ...others }: Play = {},
): Promise<StagedEpisode> {
  const { pack, responder } = packs.get(env) ?? {
    pack: await findPack(env),
    responder: new ScriptedResponder([], judgeTask),
  };
  const names = findCondition({ name })?.names?.(nameFacts(pack), runPlace({ name, seed: SEED }));
  const ref: ConditionRef = { name, rate, names };
  const conditions = name === 'base' ? undefined : [ref];
  const config = await stagedConfig({ env, conditions, seed: SEED, ...others }, pack);
  const strategy = findStrategy(config.strategy);
  if (strategy === undefined) throw new Error(`no strategy ${config.strategy}`);
  const episode = name === 'base' ? { taskId, trial: 0 } : { taskId, trial: 0, condition: name };
  const complete = completeByScript({ pack, responder, config, strategy, taskId, model });
  return await stageEpisode({ config, episode }, { complete });
}

const TASKS = [0, 3, 7, 11];
const OF_TOOLS = ['tool-errors', 'lost-answers', 'slow-tools', 'noisy-results', 'renamed-tools', 'shuffled-policy'];

describe('a sound agent', () => {
  it.each(OF_TOOLS)('passes under %s', async (name) => {
    for (const env of ['retail', 'airline'] as const) {
      for (const taskId of TASKS) {
        const { record } = await play(name, { taskId, env, rate: name === 'tool-errors' ? 0.5 : undefined });
        expect({ env, taskId, reward: record.reward, outcome: record.outcome }).toMatchObject({ reward: 1 });
      }
    }
  });

  it.each(['act', 'react', 'few-shot', 'fastworkflow'])('passes with the strategy %s', async (strategy) => {
    for (const name of OF_TOOLS) {
      const { record } = await play(name, { strategy, taskId: 3, rate: name === 'tool-errors' ? 0.5 : undefined });
      expect({ name, outcome: record.outcome, reward: record.reward }).toMatchObject({ reward: 1 });
    }
  });

  it('passes with the commands of fastworkflow that take objects, under other names', async () => {
    const asked = { strategy: 'fastworkflow', env: 'airline', taskId: 0 } as const;
    const { record, taken } = await play('renamed-tools', asked);
    expect(record.reward).toBe(1);
    expect(taken.map(({ action }) => action)).toEqual((await play('base', asked)).taken.map(({ action }) => action));
    expect(JSON.stringify(record.trajectory)).not.toContain('flight_number');
  });

  it.each(['impatient', 'verbose', 'unsure', 'second-language', 'claims', 'changes-mind'])(
    'passes with a user that is %s, under every user strategy',
    async (persona) => {
      for (const userStrategy of ['llm', 'react', 'verify', 'reflection']) {
        const { record, asked } = await play(`user-${persona}`, { userStrategy });
        expect(record.reward).toBe(1);
        expect(asked[0]?.condition?.name).toBe(`user-${persona}`);
      }
    },
  );
});

describe('an agent with a weakness', () => {
  const rewards = async (name: string, options: Play): Promise<number> => {
    const played = await Promise.all(Array.from({ length: 12 }, (_, taskId) => play(name, { ...options, taskId })));
    return played.reduce((sum, { record }) => sum + record.reward, 0);
  };

  it.each([
    ['oracle+no-retry', 'tool-errors', 'retail', 0.7],
    ['oracle+blind-repeats', 'lost-answers', 'airline', 0.5],
    ['oracle+by-heart', 'renamed-tools', 'retail', 1],
  ] as const)('%s fails under %s alone', async (model, fatal, env, rate) => {
    const sound = await rewards(fatal, { env, rate });
    expect(sound).toBe(await rewards('base', { env }));
    expect(await rewards(fatal, { env, model, rate })).toBeLessThan(sound - 2);
    for (const name of ['base', ...OF_TOOLS].filter((each) => each !== fatal)) {
      expect({ name, reward: await rewards(name, { env, model }) }).toEqual({
        name,
        reward: await rewards(name, { env }),
      });
    }
  });
});

describe('the record of an episode', () => {
  it('marks calls that were refused, which are no actions and were not executed', async () => {
    const { record, taken } = await play('tool-errors', { taskId: 3, rate: 1 });
    const calls = record.steps.filter(({ name }) => name !== 'respond');
    const refused = calls.filter(({ interference }) => interference === 'refused');
    expect(refused.length).toBeGreaterThan(0);
    expect(calls.length - refused.length).toBe(taken.length);
    expect(record.actions.length).toBe(record.steps.length - refused.length);
    expect(restoreRecord(record).trajectory.length).toBe(record.trajectory.length - 2 * refused.length);
  });

  it('has the names that the agent saw, and its actions the benchmark’s', async () => {
    const base = await play('base', { taskId: 3 });
    for (const strategy of ['tool-calling', 'react']) {
      const { record, taken } = await play('renamed-tools', { taskId: 3, strategy });
      expect(taken.map(({ action }) => action)).toEqual(base.taken.map(({ action }) => action));
      expect(record.actions.map(({ name }) => name)).toEqual(base.record.actions.map(({ name }) => name));
      expect(JSON.stringify(record.trajectory)).not.toContain('"get_order_details');
      const restored = restoreRecord(record).trajectory.slice(1);
      const played = (await play('base', { taskId: 3, strategy })).record.trajectory.slice(1);
      // The thoughts of an agent have the names that it saw.
      const isSame = (at: number) => strategy === 'tool-calling' || restored[at]?.role !== 'assistant';
      expect(restored.filter((_, at) => isSame(at))).toEqual(played.filter((_, at) => isSame(at)));
    }
  });

  it('has the names that the agent saw in few-shot displays too', async () => {
    const [base, { record }] = [
      await play('base', { strategy: 'few-shot' }),
      await play('renamed-tools', { strategy: 'few-shot' }),
    ];
    const named = rename('get_order_details', record.config.conditions?.[0]?.names ?? {});
    const promptOf = (each: StagedEpisode) => JSON.stringify(each.record.trajectory[0]);
    expect(promptOf(base)).toContain('Action: get_order_details');
    expect(JSON.stringify(record.trajectory[0])).toContain(`Action: ${named}`);
    expect(JSON.stringify(record.trajectory)).not.toContain('get_order_details');
  });

  it('is the same when the episode is played again', async () => {
    for (const name of OF_TOOLS) {
      const [one, two] = [await play(name, { taskId: 7 }), await play(name, { taskId: 7 })];
      expect(one.record.trajectory).toEqual(two.record.trajectory);
      expect(one.activities).toEqual(two.activities);
    }
  });
});
