/** Episodes of FastWorkflow: their live transcript, their steps and their variants. */

import { describe, expect, it } from 'vitest';
import type { StrategyOptions } from '../../src/agents/index.ts';
import { answerReply, commandReply, finishReply, planReply } from '../agents/fastworkflow/replies.ts';
import { STOP } from '../workflows/models.ts';
import { playLines } from './models.ts';
import { stageEpisode, stagedConfig, type StagedEpisode } from './stage.ts';

/** A task of the shipped pack; its ground truth is to cancel this order, whose number is told nowhere else. */
const TASK_ID = 1;
const LOOK = 'get_order_details <order_id>#W9119854</order_id>';
const CANCEL = 'cancel_pending_order <order_id>#W9119854</order_id> <reason>ordered by mistake</reason>';

async function play(commands: readonly string[], options: Partial<StrategyOptions> = {}): Promise<StagedEpisode> {
  const strategyOptions = { omitPolicy: false, useReasoning: true, ...options };
  const config = await stagedConfig({ strategy: 'fastworkflow', strategyOptions });
  const agent = [
    planReply('1. Look.\n2. Cancel.'),
    ...commands.map(commandReply),
    finishReply(),
    answerReply('It is cancelled.'),
  ];
  const { complete } = playLines({ agent, user: ['Cancel it, please.', STOP] });
  return stageEpisode({ config, episode: { taskId: TASK_ID, trial: 0 } }, { complete });
}

describe('an episode of FastWorkflow', () => {
  it('is the live transcript of the agent: plan, thought, command, step, observation, reply', async () => {
    const { record, shown, activities } = await play([LOOK, CANCEL]);
    expect(record).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });
    const [, ...transcript] = shown.split('\n\n');
    expect(transcript.map((paragraph) => /^\*\*(.*?)\*\*/.exec(paragraph)?.[1])).toEqual([
      'user',
      'plan',
      ...['thought', 'command', 'step 1', 'observation'],
      ...['thought', 'command', 'step 2', 'observation'],
      'thought',
      'reply',
      'user',
    ]);
    expect(shown).toContain(`**command**: \`${CANCEL}\``);
    expect(activities.filter((summary) => /^(step|user)/.test(summary))).toEqual([
      'user opens',
      'step 1: get_order_details #W9119854',
      'step 2: cancel_pending_order #W9119854',
      'user replies',
    ]);
  });

  it('has in its steps what the model calls before each of them took', async () => {
    const { record } = await play([LOOK, CANCEL]);
    expect(record.steps).toMatchObject([
      { index: 1, name: 'get_order_details', changed: false, calls: 2, promptTokens: 200, costUsd: 0.002 },
      { index: 2, name: 'cancel_pending_order', changed: true, calls: 1, promptTokens: 100, costUsd: 0.001 },
      { index: 3, name: 'respond', changed: false, calls: 2, completionTokens: 20, costUsd: 0.002 },
    ]);
  });

  it('that is only to decide takes no step, is not graded, and records what was decided', async () => {
    const { record, activities } = await play([LOOK, CANCEL], { decisionOnly: true });
    expect(record).toMatchObject({ outcome: { kind: 'decision_only' }, reward: 0, rewardInfo: null, steps: [] });
    expect(record.actions.map(({ name }) => name)).toEqual(['get_order_details', 'cancel_pending_order']);
    expect(activities.some((summary) => /^(step|grade)/.test(summary))).toBe(false);
  });
});
