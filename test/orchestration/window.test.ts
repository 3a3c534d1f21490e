/** The window of a sweep: which episodes are open, and what becomes of those that fail, are stuck or held. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FailureType, NO_TOTALS, type HeldCall, type SweepInput } from '../../src/evaluation/index.ts';
import type { EpisodeFailure, SweepActivities } from '../../src/orchestration/index.ts';
import { StagedFailure, SweepStage, names, summaryOf, tasks } from './sweep-stage.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Starts the window of a sweep. */
async function startWindow(changes: Partial<SweepInput> = {}, activities: Partial<SweepActivities> = {}) {
  const stage = new SweepStage(changes, activities);
  const ended = stage.runWindow();
  ended.catch(() => undefined);
  await stage.settle();
  return { stage, ended };
}

describe('a window', () => {
  it('opens episodes in the order of the plan, shuffled per trial when asked to', async () => {
    const plan = { taskIds: [4, 2, 9, 7], numTrials: 2, shuffle: true };
    const { stage, ended } = await startWindow({ plan, maxConcurrency: 1 });
    await stage.endAll();
    await ended;
    expect(stage.names).toEqual(stage.order);
    expect(stage.order).toHaveLength(8);
  });

  it('skips recorded episodes, counts them, and resumes canceled ones', async () => {
    const { stage, ended } = await startWindow(
      {},
      {
        findRecorded: () =>
          Promise.resolve({
            positions: [0],
            totals: { ...NO_TOTALS, ended: 1 },
            begun: { 'task-2.trial-0': 'its-run' },
          }),
      },
    );
    await stage.endAll();
    await ended;
    expect(stage.names).toEqual(names(1, 2));
    expect(stage.opened.map(({ resumes }) => resumes)).toEqual([undefined, { workflowRunId: 'its-run' }]);
    expect(stage.monitor.totals).toMatchObject({ ended: 3, resumed: 1 });
  });

  it('lets episodes repeat their conversation once a worker did not know that of an earlier one', async () => {
    const { stage } = await startWindow({ maxConcurrency: 1 });
    await stage.end('task-0.trial-0');
    await stage.end('task-1.trial-0', { hasMissed: true });
    expect(stage.opened.map(({ repeats }) => repeats)).toEqual([undefined, undefined, true]);
  });

  it('plays an episode with a suspect user again, as often as is allowed', async () => {
    const config = { seed: 1, repeatSuspect: 2, strategyOptions: {} } as unknown as SweepInput['config'];
    const { stage, ended } = await startWindow({ plan: tasks(2), maxConcurrency: 1, config });
    const cost = { agentCostUsd: 0.25, userCostUsd: 0.25 };
    await stage.end('task-0.trial-0', { ...cost, isSuspect: true, reward: 1 });
    expect(stage.open).toEqual(names(0));
    await stage.end('task-0.trial-0', { ...cost, isSuspect: true, reward: 1 });
    await stage.end('task-0.trial-0', { ...cost, isSuspect: true, reward: 0 });
    await stage.end('task-1.trial-0', cost);
    await ended;
    expect(stage.opened.map(({ episode, repeat }) => [episode.taskId, repeat])).toEqual([
      [0, undefined],
      [0, 1],
      [0, 2],
      [1, undefined],
    ]);
    expect(stage.monitor.totals).toMatchObject({ ended: 2, knownCostUsd: 2 });
  });

  it('repeats by the limit of the moment, within its budget, and goes on where the run log ends', async () => {
    const recorded = { positions: [], totals: NO_TOTALS, repeats: { 'task-0.trial-0': 2 } };
    const { stage, ended } = await startWindow(
      { plan: tasks(1), maxCostUsd: 1 },
      { findRecorded: () => Promise.resolve(recorded) },
    );
    expect(stage.opened.map(({ repeat }) => repeat)).toEqual([2]);
    stage.monitor.limit({ repeatSuspect: 9 });
    await stage.end('task-0.trial-0', { isSuspect: true, agentCostUsd: 0.4, userCostUsd: 0 });
    expect(stage.opened.map(({ repeat }) => repeat)).toEqual([2, 3]);
    await stage.end('task-0.trial-0', { isSuspect: true, agentCostUsd: 0.6, userCostUsd: 0 });
    await ended;
    expect(stage.monitor.totals).toMatchObject({ ended: 1, knownCostUsd: 1 });
  });

  it('keeps the result of an episode that it was to repeat when it was cancelled', async () => {
    const config = { seed: 1, repeatSuspect: 1, strategyOptions: {} } as unknown as SweepInput['config'];
    const { stage, ended } = await startWindow({ plan: tasks(1), config });
    stage.monitor.pause(true);
    await stage.end('task-0.trial-0', { isSuspect: true });
    expect(stage.open).toEqual([]);
    await stage.cancel();
    await stage.fail('task-0.trial-0', new StagedFailure('cancelled', { kind: 'unopened' }));
    await ended.catch(() => undefined);
    expect(stage.monitor.totals.ended).toBe(1);
  });

  it('opens nothing while it is paused, and more when it is widened', async () => {
    const { stage, ended } = await startWindow({ plan: tasks(4), maxConcurrency: 1 });
    stage.monitor.pause(true);
    await stage.end('task-0.trial-0');
    expect(stage.monitor.progress()).toMatchObject({ ended: 1, status: 'paused', running: 0 });
    expect(stage.names).toEqual(names(0));
    stage.monitor.pause(false);
    await stage.settle();
    expect(stage.open).toEqual(names(1));
    stage.monitor.limit({ maxConcurrency: 2 });
    await stage.endAll();
    await ended;
    expect([stage.names, stage.mostOpen]).toEqual([names(0, 1, 2, 3), 2]);
  });

  it('costs more than its budget by its open episodes at most', async () => {
    const { stage, ended } = await startWindow({ plan: tasks(9), maxConcurrency: 3, maxCostUsd: 0.9 });
    await stage.end('task-0.trial-0');
    expect(stage.names).toHaveLength(4);
    await stage.endAll();
    await ended;
    expect(stage.monitor.result()).toMatchObject({ status: 'budget_reached', totals: { ended: 4, knownCostUsd: 2 } });
  });

  it('drains when its history is full', async () => {
    const { stage, ended } = await startWindow({ plan: tasks(5), maxConcurrency: 1 });
    stage.isHistoryFull = true;
    await stage.endAll();
    await ended;
    expect(stage.names).toEqual(names(0));
    expect(stage.monitor.hasMore()).toBe(true);
  });

  it('waits for its open episodes when it is canceled', async () => {
    const { stage, ended } = await startWindow();
    await stage.cancel();
    await stage.endAll();
    await expect(ended).rejects.toThrow('cancelled');
    expect(stage.monitor.totals.ended).toBe(2);
  });
});

describe('an episode', () => {
  const failed = (changes: Partial<Extract<EpisodeFailure, { kind: 'failed' }>> = {}) =>
    new StagedFailure('failed', {
      ...{ kind: 'failed', isCancelled: false, message: 'terminated', workflowId: 'e', workflowRunId: 'r', ...changes },
    });
  const episode = { taskId: 0, trial: 0 };

  async function failOne(error: StagedFailure, activities: Partial<SweepActivities> = {}) {
    const { stage, ended } = await startWindow({ plan: tasks(1) }, activities);
    await stage.fail('task-0.trial-0', error);
    await ended;
    return stage;
  }

  it('of an earlier sweep is waited for, and resumed', async () => {
    const { stage, ended } = await startWindow({ plan: tasks(1) });
    for (const waitMs of [1_000, 2_000]) {
      await stage.fail('task-0.trial-0', new StagedFailure('open', { kind: 'open' }));
      await stage.pass(waitMs - 1);
      expect(stage.open).toEqual([]);
      await stage.pass(1);
      expect(stage.open).toEqual(names(0));
    }
    expect(stage.opened.at(-1)?.resumes).toEqual({ workflowRunId: null });
    await stage.endAll();
    await ended;
  });

  it('that failed counts with the summary of its failure', async () => {
    const summary = summaryOf(episode, { outcome: 'infrastructure_error' });
    const stage = await failOne(failed({ summary }));
    expect(stage.monitor.totals).toMatchObject({ calls: 4, outcomes: { infrastructure_error: 1 } });
  });

  it('that was canceled counts with what is recorded of it', async () => {
    const summarize = () => Promise.resolve(summaryOf(episode, { outcome: 'cancelled' }));
    const stage = await failOne(failed({ isCancelled: true }), { summarize });
    expect(stage.monitor.totals).toMatchObject({ knownCostUsd: 0.5, outcomes: { cancelled: 1 } });
  });

  it('that was terminated is recorded', async () => {
    const recordLost = vi.fn(() => Promise.resolve(summaryOf(episode, { outcome: 'infrastructure_error' })));
    const stage = await failOne(failed(), { recordLost });
    expect(recordLost.mock.calls).toMatchObject([
      ['record task-0.trial-0, which could not record itself', { workflowRunId: 'r', message: 'terminated' }],
    ]);
    expect(stage.monitor.totals).toMatchObject({ calls: 4, outcomes: { infrastructure_error: 1 } });
  });

  it('that cannot be recorded counts all the same', async () => {
    const refuse = () => Promise.reject(new StagedFailure('denied'));
    const lost = await failOne(failed(), { recordLost: refuse });
    expect(lost.monitor.totals).toMatchObject({ ended: 1, unpriced: 1, outcomes: { infrastructure_error: 1 } });
    const canceled = await failOne(failed({ isCancelled: true }), { summarize: refuse });
    expect(canceled.monitor.totals).toMatchObject({ ended: 1, outcomes: { cancelled: 1 } });
  });
});

describe('held calls of a window', () => {
  const held = (failure: string): HeldCall => ({
    ...{ episode: { taskId: 0, trial: 0 }, call: 'agent 1', provider: 'openai', failure, message: '503' },
  });

  it('are made again when they are due', async () => {
    const tuning = { holdMs: { first: 1_000, last: 1_000 } };
    const { stage, ended } = await startWindow({ plan: tasks(1), tuning });
    stage.monitor.callHeld(held(FailureType.ModelUnavailable));
    await stage.settle();
    expect(stage.released).toEqual([]);
    await stage.pass(2_000);
    expect(stage.released).toMatchObject([{ episode: { taskId: 0, trial: 0 }, call: 'agent 1', again: true }]);
    await stage.endAll();
    await ended;
  });

  it('of a lane are given up with a report to its sweep', async () => {
    const config = { seed: 1, outageTimeoutMs: MINUTE, strategyOptions: {} } as unknown as SweepInput['config'];
    const lane = { index: 0, start: 0, end: 2 };
    const { stage } = await startWindow({ config, lane });
    stage.monitor.callHeld(held(FailureType.ModelUnavailable));
    await stage.settle();
    await stage.pass(2 * MINUTE);
    expect(stage.asked.at(-1)).toMatch(/^halt: ModelUnavailable: 503 \(openai did not answer for /);
    expect(stage.released).toMatchObject([{ call: 'agent 1', again: false }]);
  });
});

describe('the watch for stuck episodes', () => {
  const looks = ({ asked }: SweepStage) => asked.filter((summary) => summary === 'look for stuck episodes').length;

  it('looks after a minute, and less often while nothing happens', async () => {
    const { stage, ended } = await startWindow();
    const counts: number[] = [];
    for (let minute = 1; minute <= 7; minute++) {
      await stage.pass(MINUTE);
      counts.push(looks(stage));
    }
    expect(counts).toEqual([1, 1, 2, 2, 2, 2, 3]);
    await stage.endAll();
    await ended;
  });

  it('goes on after a look that failed, and looks at once when the sweep is canceled', async () => {
    const look = vi.fn(() => Promise.reject(new StagedFailure('no worker')));
    const { stage, ended } = await startWindow({}, { endStuckEpisodes: look });
    await stage.pass(MINUTE);
    await stage.cancel();
    await stage.settle();
    expect(look.mock.calls).toMatchObject([
      ['look for stuck episodes', { isCancelled: false }],
      ['look for stuck episodes', { isCancelled: true }],
    ]);
    await stage.endAll();
    await expect(ended).rejects.toThrow('cancelled');
  });
});
