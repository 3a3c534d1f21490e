import { afterEach, describe, expect, it, vi } from 'vitest';
import { SweepMonitor } from '../../src/orchestration/index.ts';
import {
  FailureType,
  heldLines,
  NO_TOTALS,
  type EpisodeSummary,
  type HeldCall,
  type HeldProvider,
  type SweepInput,
  type SweepResult,
} from '../../src/evaluation/index.ts';
import { summaryOf } from './sweep-stage.ts';

function monitorOf(changes: Partial<SweepInput> = {}) {
  const shown: string[] = [];
  const input = {
    plan: { taskIds: [0, 1, 2, 3], numTrials: 1, shuffle: false },
    config: { seed: 1 },
    maxConcurrency: 2,
    maxCostUsd: null,
    ...changes,
  } as SweepInput;
  return { monitor: new SweepMonitor(input, (details) => shown.push(details)), shown };
}

const summary = (changes: Partial<EpisodeSummary> = {}) => summaryOf({ taskId: 0, trial: 0 }, changes);

const refused = (taskId: number): HeldCall => ({
  episode: { taskId, trial: 0 },
  call: 'agent 1',
  provider: 'openai',
  failure: FailureType.QuotaExceeded,
  message: 'no credit',
});

const LANE = { index: 0, start: 0, end: 2 };
const laneResult = (status: SweepResult['status']): SweepResult => ({ total: 2, totals: NO_TOTALS, status });

describe('the capacity of a sweep', () => {
  it('is its window, none while it is paused, and one more for a witness, which a lane does not open', () => {
    const { monitor } = monitorOf();
    expect([1, 2].map((running) => monitor.hasCapacity(running))).toEqual([true, false]);
    monitor.pause(true);
    expect(monitor.hasCapacity(0)).toBe(false);
    monitor.pause(false);
    const held = { ...refused(0), failure: FailureType.ModelUnavailable };
    const { monitor: lane } = monitorOf({ lane: LANE });
    for (const one of [monitor, lane]) for (let tries = 0; tries < 2; tries++) one.callHeld(held);
    expect([monitor.hasCapacity(2), monitor.hasCapacity(3), lane.hasCapacity(2)]).toEqual([true, false, false]);
  });
});

describe('a held call whose place another episode has taken', () => {
  const failed = (taskId: number): HeldCall => ({ ...refused(taskId), failure: FailureType.ModelUnavailable });
  const names = ['task-0.trial-0', 'task-1.trial-0', 'task-2.trial-0'] as const;

  /** One at once: the first episode is held for good, and the second runs in its place. */
  function lent(version?: number) {
    vi.useFakeTimers({ now: 0 });
    const { monitor } = monitorOf({ maxConcurrency: 1, ...(version === undefined ? {} : { version }) });
    monitor.episodeOpened(names[0]);
    for (const now of [0, 5_000]) {
      vi.setSystemTime(now);
      monitor.callHeld(failed(0));
    }
    expect(monitor.hasCapacity(1)).toBe(true);
    monitor.episodeOpened(names[1]);
    vi.setSystemTime(60_000);
    return monitor;
  }
  afterEach(() => vi.useRealTimers());

  it('is made again when that one has ended, before a third is opened', () => {
    const monitor = lent(2);
    expect([monitor.heldDueAt(), monitor.takeHeld(), monitor.hasCapacity(2)]).toEqual([null, [], false]);
    const [line] = heldLines(monitor.progress().held?.[0] as HeldProvider, 60_000);
    expect(line).toMatch(/, next try when another episode has ended, gives up after 6 h without an answer: /);
    monitor.episodeEnded(names[1], summary({ episode: { taskId: 1, trial: 0 } }));
    expect(monitor.hasCapacity(1)).toBe(false);
    expect(monitor.takeHeld()).toEqual([{ call: failed(0), again: true }]);
    // Being made it has the place, and nothing takes it.
    expect([monitor.takeHeld(), monitor.hasCapacity(1)]).toEqual([[], false]);
    monitor.callAnswered(failed(0));
    expect(monitor.hasCapacity(1)).toBe(false);
    monitor.episodeEnded(names[0], summary());
    expect(monitor.hasCapacity(0)).toBe(true);
  });

  it('is no outage while it waits, and is made again when the other is held as well, one at a time', () => {
    const monitor = lent(2);
    vi.setSystemTime(7 * 3_600_000);
    expect([monitor.expireHeld(), monitor.heldDueAt()]).toEqual([null, null]);
    monitor.callHeld(failed(1));
    vi.setSystemTime(7 * 3_600_000 + 10_000);
    expect(monitor.expireHeld()).toBeNull();
    expect(monitor.takeHeld()).toEqual([{ call: failed(0), again: true }]);
    monitor.callAnswered(failed(0));
    expect(monitor.takeHeld()).toEqual([]);
    monitor.episodeEnded(names[0], summary());
    expect([monitor.hasCapacity(1), monitor.takeHeld()]).toEqual([false, [{ call: failed(1), again: true }]]);
  });

  it('expires with its provider once it is tried again', () => {
    const monitor = lent(2);
    monitor.callHeld(failed(1));
    for (let now = 60_000; now < 7 * 3_600_000; now += 600_000) {
      vi.setSystemTime(now);
      for (const { call } of monitor.takeHeld()) monitor.callHeld(call);
    }
    expect(monitor.expireHeld()).toMatch(/^ModelUnavailable: .* did not answer for 21600 s\)$/);
  });

  it('is made again beside it in a run that an earlier version has started', () => {
    const monitor = lent();
    expect(monitor.takeHeld()).toEqual([{ call: failed(0), again: true }]);
  });
});

describe('the budget of a sweep', () => {
  it('is reached within rounding, as long as something is left to open', () => {
    const { monitor } = monitorOf({ maxCostUsd: 0.5 });
    monitor.episodeEnded('task-0.trial-0', summary({ agentCostUsd: 0.1 + 0.2, userCostUsd: 0.2 - 1e-9 }));
    expect([monitor.isBudgetReached(), monitor.hasMore()]).toEqual([true, false]);
    expect(monitor.progress().status).toBe('budget_reached');
    monitor.limit({ maxCostUsd: 1 });
    expect([monitor.isBudgetReached(), monitor.hasMore()]).toEqual([false, true]);
    monitor.walk.next = 4;
    monitor.limit({ maxCostUsd: 0.1 });
    expect(monitor.result().status).toBe('completed');
  });

  it('has another walk follow if it was raised after a lane had stopped for it', () => {
    const { monitor } = monitorOf({ maxCostUsd: 1 });
    monitor.walk.next = 4;
    monitor.board.lanes.add('run/lane-0');
    monitor.add({ ...NO_TOTALS, knownCostUsd: 1 });
    monitor.laneEnded('run/lane-0', laneResult('budget_reached'));
    expect([monitor.isBudgetReached(), monitor.needsAnotherWalk()]).toEqual([true, false]);
    monitor.limit({ maxCostUsd: null });
    expect([monitor.isBudgetReached(), monitor.needsAnotherWalk()]).toEqual([false, true]);
  });
});

describe('a refusal', () => {
  it('pauses the sweep with the reason, once, and the lost episodes run again when it is resumed', () => {
    const { monitor, shown } = monitorOf();
    expect(monitor.callHeld(refused(0))).toBe('QuotaExceeded: no credit');
    expect(monitor.callHeld(refused(1))).toBeNull();
    expect(monitor.progress()).toMatchObject({ status: 'paused', pausedFor: 'QuotaExceeded: no credit' });
    expect(shown.at(-1)).toContain('QuotaExceeded');
    monitor.episodeEnded('task-0.trial-0', summary({ outcome: 'infrastructure_error', error: 'no credit' }));
    monitor.pause(false);
    expect(monitor.progress()).toMatchObject({ status: 'running', pausedFor: null, again: true });
  });

  it('halts a sweep that nobody attends without pausing it', () => {
    const { monitor } = monitorOf({ unattended: true });
    monitor.callHeld(refused(0));
    expect([monitor.isHalted(), monitor.hasMore(), monitor.progress().paused]).toEqual([true, false, false]);
    monitor.walk.next = 4;
    expect(monitor.isHalted()).toBe(false);
  });

  it('of a lane marks only lanes that are open', () => {
    const { monitor } = monitorOf();
    monitor.board.lanes.add('run/lane-0');
    for (const lane of ['run/lane-0', 'run/lane-9']) monitor.laneHalted(lane, 'no credit');
    expect([...monitor.board.haltedLanes]).toEqual(['run/lane-0']);
    monitor.laneEnded('run/lane-0', laneResult('completed'));
    expect([monitor.board.haltedLanes.size, monitor.board.lanes.size]).toEqual([0, 0]);
  });
});

describe('the progress of a sweep', () => {
  it('counts the added trials of a sweep, and the slice of a lane', () => {
    const { monitor } = monitorOf();
    monitor.walk.numTrials = 2;
    expect(monitor.progress()).toMatchObject({ total: 8, numTrials: 2 });
    expect(monitorOf({ lane: LANE }).monitor.progress().total).toBe(2);
  });

  it('names ten open episodes, and the last ten that ended', () => {
    const { monitor } = monitorOf();
    for (let task = 0; task < 12; task++) monitor.episodeOpened(`task-${task}.trial-0`);
    expect(monitor.progress()).toMatchObject({ running: 12, open: { length: 10 } });
    for (let task = 0; task < 12; task++) monitor.episodeEnded(`task-${task}.trial-0`, summary({ hasMissed: true }));
    monitor.episodeEnded('task-99.trial-0', null);
    const { recent, running, ended } = monitor.progress();
    expect([recent.length, recent[0], running, ended, monitor.repeats]).toEqual([10, 'task-11.trial-0', 0, 12, true]);
  });

  it('is carried over continue-as-new', () => {
    const { monitor } = monitorOf();
    monitor.walk.next = 2;
    monitor.limit({ maxConcurrency: 5, maxCostUsd: 3 });
    monitor.pause(true);
    monitor.add({ ...NO_TOTALS, ended: 2 });
    const state = monitor.state();
    const { monitor: next } = monitorOf({ state });
    expect(next.state()).toEqual(state);
    expect([next.countsRecorded, monitor.countsRecorded]).toEqual([false, true]);
  });
});
