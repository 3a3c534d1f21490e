import { afterEach, describe, expect, it } from 'vitest';

import type { StrategyOptions } from '../../src/agents/index.ts';
import type { EpisodeRecord } from '../../src/run-log/index.ts';
import { answerReply, commandReply, finishReply, planReply } from '../agents/fastworkflow/replies.ts';
import { scheduledActivities } from './history.ts';
import { playLines, STOP, type Line } from './models.ts';
import { startRig, type Rig } from './rig.ts';

const rigs: Rig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

/** A task of the shipped pack; its ground truth is to cancel this order, whose number is told nowhere else. */
const TASK_ID = 1;
const LOOK = 'get_order_details <order_id>#W9119854</order_id>';
const CANCEL = 'cancel_pending_order <order_id>#W9119854</order_id> <reason>ordered by mistake</reason>';

const serving = (...commands: string[]): Line[] => [
  planReply('1. Look.\n2. Cancel.'),
  ...commands.map(commandReply),
  finishReply(),
  answerReply('It is cancelled.'),
];

interface Played {
  readonly record: EpisodeRecord;
  readonly summaries: readonly (string | null)[];
  readonly details: string;
}

async function play(agent: Line[], options: Partial<StrategyOptions> = {}): Promise<Played> {
  const rig = await startRig({ callModel: playLines({ agent, user: ['Cancel it, please.', STOP] }).callModel });
  rigs.push(rig);
  const strategyOptions = { omitPolicy: false, useReasoning: true, ...options };
  const handle = await rig.startEpisode(
    rig.episodeInput({ taskId: TASK_ID }, { strategy: 'fastworkflow', strategyOptions }),
  );
  await handle.result();
  const record = await rig.log.readEpisode({ taskId: TASK_ID, trial: 0 });
  if (record === null) throw new Error('no record');
  const activities = scheduledActivities(await handle.fetchHistory());
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return { record, summaries: activities.map(({ summary }) => summary), details: metadata.currentDetails };
}

const observations = ({ record }: Played) =>
  record.trajectory.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

describe('an episode of FastWorkflow', () => {
  it('is the live transcript of the agent: plan, thought, command, step, observation, reply', async () => {
    const { record, details, summaries } = await play(serving(LOOK, CANCEL));
    expect(record).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });
    const [watch, ...transcript] = details.split('\n\n');
    expect(watch).toContain('npx tauflow view');
    expect(transcript.map((paragraph) => /^\*\*(.*?)\*\*/.exec(paragraph)?.[1])).toEqual([
      'user',
      'plan',
      ...['thought', 'command', 'step 1', 'observation'],
      ...['thought', 'command', 'step 2', 'observation'],
      'thought',
      'reply',
      'user',
    ]);
    expect(details).toContain(`**command**: \`${CANCEL}\``);
    expect(summaries.filter((summary) => /^(step|user)/.test(summary ?? ''))).toEqual([
      'user opens',
      'step 1: get_order_details #W9119854',
      'step 2: cancel_pending_order #W9119854',
      'user replies',
    ]);
  });

  it('has in its steps what the model calls before each of them took', async () => {
    const { record } = await play(serving(LOOK, CANCEL));
    expect(record.steps).toMatchObject([
      { index: 1, name: 'get_order_details', changed: false, calls: 2, promptTokens: 200, costUsd: 0.002 },
      { index: 2, name: 'cancel_pending_order', changed: true, calls: 1, promptTokens: 100, costUsd: 0.001 },
      { index: 3, name: 'respond', changed: false, calls: 2, completionTokens: 20, costUsd: 0.002 },
    ]);
  });

  it('that shows stale data takes such a step twice, of which the first counts', async () => {
    const played = await play(serving(CANCEL, LOOK), { compat: ['fastworkflow-stale-data'] });
    expect(played.record).toMatchObject({
      reward: 1,
      config: { strategyOptions: { compat: expect.anything() as [] } },
    });
    expect(observations(played)[0]).toContain('"status": "cancelled"');
    expect(observations(played)[1]).toContain('"status": "pending"');
    expect(played.record.steps).toHaveLength(3);
    expect(played.summaries.filter((summary) => summary?.startsWith('step'))).toEqual([
      'step 1: cancel_pending_order #W9119854',
      'step 2: get_order_details #W9119854',
      'step 2 shown on the initial data: get_order_details #W9119854',
    ]);
  });

  it('that is graded twice is rewarded for doing nothing, and its record says what the grade was', async () => {
    const played = await play(serving(), { compat: ['fastworkflow-double-grading'] });
    expect(played.record).toMatchObject({
      reward: 1,
      rewardInfo: { reward: 0, info: { r_actions: 0 } },
      diagnostics: { dataMatches: false },
    });
    expect((await play(serving())).record.reward).toBe(0);
  });

  it('that is only to decide takes no step, is not graded, and records what was decided', async () => {
    const { record, summaries } = await play(serving(LOOK, CANCEL), { decisionOnly: true });
    expect(record).toMatchObject({ outcome: { kind: 'decision_only' }, reward: 0, rewardInfo: null, steps: [] });
    expect(record.actions.map(({ name }) => name)).toEqual(['get_order_details', 'cancel_pending_order']);
    expect(summaries.some((summary) => /^(step|grade)/.test(summary ?? ''))).toBe(false);
  });
});
