/** Requests to a sweep under way: which are refused, and what the others change. */

import { describe, expect, it } from 'vitest';
import {
  NO_TOTALS,
  type EpisodeKey,
  type RetryRequest,
  type SweepInput,
  type SweepLimits,
} from '../../src/evaluation/index.ts';
import { SweepMonitor, SweepRequests, type SweepActivities } from '../../src/orchestration/index.ts';

const key = (taskId: number, trial = 0): EpisodeKey => ({ taskId, trial });

/** A sweep of three tasks and two trials, of which tasks 0 and 1 are open. */
function stage(changes: Partial<SweepInput> = {}) {
  const input = {
    run: { runId: 'run-1' },
    plan: { taskIds: [0, 1, 2], numTrials: 2, shuffle: false },
    config: { seed: 1 },
    maxConcurrency: 2,
    maxCostUsd: null,
    ...changes,
  } as SweepInput;
  const monitor = new SweepMonitor(input, () => undefined);
  for (const taskId of [0, 1]) monitor.episodeOpened(`task-${taskId}.trial-0`);
  const asked: unknown[] = [];
  const ask = <T>(answer: unknown) => {
    return (summary: string, given: object) => (asked.push({ summary, ...given }), Promise.resolve(answer as T));
  };
  const activities = {
    openRun: ask({}),
    sumRecorded: ask({ failed: 1 }),
    archive: ask({ totals: { ...NO_TOTALS, ended: 1 } }),
  } as SweepActivities;
  let isCancelled = false;
  const requests = new SweepRequests(input, monitor, { activities, workflowId: 'w', isCancelled: () => isCancelled });
  return { monitor, requests, asked, cancel: () => (isCancelled = true) };
}

describe('a request is refused', () => {
  it.each<[unknown, string]>([
    [{}, 'nothing to change: name maxConcurrency, maxCostUsd, agentUrl, outageTimeoutMs or repeatSuspect'],
    [null, 'nothing to change: name maxConcurrency, maxCostUsd, agentUrl, outageTimeoutMs or repeatSuspect'],
    [{ maxConcurrency: 0 }, 'the concurrency must be a whole number of at least 1, not 0'],
    [{ maxConcurrency: '3' }, 'the concurrency must be a whole number of at least 1, not "3"'],
    [{ maxConcurrency: 3, maxCostUsd: -1 }, 'the budget must be an amount of US dollars above 0, not -1'],
    [{ maxCostUsd: '5' }, 'the budget must be an amount of US dollars above 0, not "5"'],
    [{ outageTimeoutMs: 0 }, 'the outage timeout must be a whole number of milliseconds above 0, not 0'],
    [{ repeatSuspect: -1 }, 'the repeat suspect must be a whole number of at least 0, not -1'],
    [{ agentUrl: 7 }, 'the address of the agent must be a text'],
  ])('for the limits %j', (limits, reason) => {
    expect(stage().requests.findLimitsProblem(limits as SweepLimits)).toBe(reason);
  });

  it.each<[unknown, string]>([
    [[], 'nothing to retry: name episodes, or "failed"'],
    ['all', 'nothing to retry: name episodes, or "failed"'],
    [[key(7), key(0, 2), key(0)], "not in the run's plan: task-7.trial-0, task-0.trial-2"],
    [[key(0, -1)], "not in the run's plan: task-0.trial--1"],
    [[{ taskId: '0' }], '{"taskId":"0"} names no episode: give its taskId and its trial'],
    [[key(2), key(1)], 'still open: task-1.trial-0; retry what has ended'],
    [
      Array.from({ length: 8 }, (_, id) => key(id + 3)),
      "not in the run's plan: task-3.trial-0, task-4.trial-0, task-5.trial-0, task-6.trial-0, task-7.trial-0 and 3 more",
    ],
  ])('for the retry %j', (request, reason) => {
    expect(stage().requests.findRetryProblem(request as RetryRequest)).toBe(reason);
  });

  it.each<[unknown, string]>([
    [2, 'the run has 2 trial(s) per task already: name a larger number'],
    [2.5, 'the trials per task must be a whole number of at most 1000, not 2.5'],
    [1001, 'the trials per task must be a whole number of at most 1000, not 1001'],
    ['3', 'the trials per task must be a whole number of at most 1000, not "3"'],
  ])('for %j trials', (wanted, reason) => {
    expect(stage().requests.findTrialsProblem(wanted as number)).toBe(reason);
  });

  it('when the sweep closes or is cancelled, and by a lane where it is the sweep’s to grant', () => {
    const { monitor, requests, cancel } = stage();
    const problems = (of: SweepRequests) => [
      of.findLimitsProblem({ maxConcurrency: 2 }),
      of.findRetryProblem('failed'),
      of.findTrialsProblem(3),
    ];
    expect(problems(requests)).toEqual([null, null, null]);
    monitor.end();
    expect(new Set(problems(requests))).toEqual(new Set(['the run is closing: resume it when it has ended']));
    cancel();
    expect(new Set(problems(requests))).toEqual(new Set(['the run is being cancelled']));
    const toSweep = 'this is lane 1 of run run-1: send the request to the run';
    expect(problems(stage({ lane: { index: 1, start: 0, end: 2 } }).requests)).toEqual([null, toSweep, toSweep]);
  });
});

describe('requests that change the run log', () => {
  it('move each named record aside once, and count it no more', async () => {
    const { monitor, requests, asked } = stage();
    monitor.walk.next = 1;
    monitor.add({ ...NO_TOTALS, ended: 1 });
    expect(await requests.retry([key(0), key(2), key(0)])).toBe(2);
    const [episodes, counted] = [[key(0), key(2)], [key(0)]];
    expect(asked).toMatchObject([{ summary: 'move 2 record(s) aside', episodes, counted }]);
    expect([monitor.totals.ended, monitor.walk.isFollowed]).toEqual([0, true]);
  });

  it('are carried out one after the other, and never make the plan smaller', async () => {
    const { monitor, requests, asked } = stage({ notes: ['A note.'] });
    const both = [requests.extend(4), requests.extend(3), requests.retry('failed')];
    expect(monitor.walk.numTrials).toBe(2);
    expect(await Promise.all(both)).toEqual([undefined, undefined, 1]);
    const plan = { numTrials: 4 };
    const extended = {
      summary: 'extend the run to 4 trials',
      plan,
      isUnderWay: true,
      workflowId: 'w',
      notes: ['A note.'],
    };
    expect(asked).toMatchObject([extended, extended, { summary: 'which episodes have failed', plan }]);
    expect(monitor.progress()).toMatchObject({ numTrials: 4, again: true });
  });
});
