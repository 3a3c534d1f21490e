/** Requests that an agent fails at, told apart from an agent that is away. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldCalls, SweepMonitor } from '../../src/orchestration/index.ts';
import { AGENT_SERVICE, FailureType, heldLines, type HeldCall, type SweepInput } from '../../src/evaluation/index.ts';

const HOUR = 3_600_000;
const config = { outageTimeoutMs: 6 * HOUR } as SweepInput['config'];
const run = { runId: 'r1', logDir: '/r' };

function failed(taskId: number, failures: number, changes: Partial<HeldCall> = {}): HeldCall {
  return {
    episode: { taskId, trial: 0 },
    ...{ call: 'request 2', provider: AGENT_SERVICE, failure: FailureType.ModelUnavailable },
    ...{ message: `answered 500: KeyError (id 4f${failures}a)`, status: 500 },
    earlier: { attempts: failures, apiFailures: failures },
    ...changes,
  };
}

interface Story {
  /** Failure of each try after the first. @default as the first */
  readonly changes?: (failures: number) => Partial<HeldCall>;
  /** Returns true if another episode ends between two tries. */
  readonly answersOthers: (failures: number) => boolean;
  readonly isAlone?: boolean;
  readonly version?: number;
  readonly provider?: string;
}

/** @returns attempts until the episode is ended for the agent's fault, or 'held', or 'lost' where it ends otherwise */
function fateOf({ changes = () => ({}), answersOthers, isAlone = false, version = 3, provider }: Story) {
  const calls = new HeldCalls({ config, version });
  const of = provider === undefined ? {} : { provider };
  let now = 0;
  for (let failures = 4; failures < 16; failures++) {
    calls.failed(failed(0, failures, { ...of, ...changes(failures) }), true, now, isAlone);
    const dueAt = calls.dueAt() ?? now;
    if (answersOthers(failures)) calls.episodeEnded(`task-9.trial-${failures}`, true, now);
    const [due] = calls.take((now = Math.max(now, dueAt)));
    if (due?.again === false) return due.isAgentsFault === true ? failures : 'lost';
  }
  return 'held';
}

const always = () => true;
const never = () => false;

describe('a request that an agent fails at in the same way', () => {
  it("is the agent's fault while it answers others, after five attempts and two held tries", () => {
    expect(fateOf({ answersOthers: always })).toBe(6);
    expect(fateOf({ answersOthers: (failures) => failures > 8 })).toBe(11);
  });

  it('is held while nobody is answered, and where one answer only marks the end of an outage', () => {
    expect(fateOf({ answersOthers: never })).toBe('held');
  });

  it.each<[string, Partial<HeldCall>]>([
    ['refuses connections', { isUnreached: true }],
    ['answers 429', { failure: FailureType.RateLimited, status: 429 }],
  ])('is held for an agent that %s', (_, changes) => {
    const story = { answersOthers: always, isAlone: true, changes: () => changes };
    expect(fateOf(story)).toBe('held');
  });

  it('has no count of connections that were refused between', () => {
    const changes = (failures: number) => (failures % 2 === 0 ? { isUnreached: true as const } : {});
    expect(fateOf({ answersOthers: always, changes })).toBeGreaterThan(6);
  });

  it("is the agent's fault after eight tries where it fails in another way each time", () => {
    const changes = (failures: number) => ({ message: 'x'.repeat(failures) });
    expect(fateOf({ answersOthers: always, changes })).toBe(12);
  });

  it('is as before in a run of an older version, and for providers of models', () => {
    expect(fateOf({ answersOthers: always, version: 2 })).toBe('lost');
    expect(fateOf({ answersOthers: always, provider: 'openai' })).toBe('lost');
  });
});

describe('the only request that is left', () => {
  it.each<[number, number | 'held']>([
    [500, 9],
    [502, 'held'],
    [503, 'held'],
  ])("is the agent's fault after two minutes of the same failure, status %s: %s", (status, fate) => {
    expect(fateOf({ answersOthers: never, isAlone: true, changes: () => ({ status }) })).toBe(fate);
  });
});

describe('an episode that was answered after another one had begun to fail', () => {
  it('shows that the agent was not away', () => {
    const calls = new HeldCalls({ config, version: 3 });
    calls.failed(failed(0, 4), true, 1_000);
    calls.failed(failed(1, 4), true, 2_000);
    expect(calls.isAway()).toBe(true);
    calls.failed(failed(2, 4, { answeredAt: 1_500 }), true, 3_000);
    expect(calls.isAway()).toBe(false);
    // Of before the failures, an answer says nothing.
    calls.failed(failed(3, 4, { answeredAt: 2_500 }), true, 4_000);
    expect(calls.isAway()).toBe(true);
  });
});

describe("the end of an episode for the agent's fault", () => {
  it('is no answer of the agent', () => {
    const calls = new HeldCalls({ config, version: 3 });
    for (const failures of [4, 5, 6]) {
      calls.failed(failed(0, failures), true, failures * HOUR);
      calls.episodeEnded('task-9.trial-0', true, failures * HOUR);
      calls.take((failures + 0.5) * HOUR);
    }
    for (const taskId of [1, 2]) calls.failed(failed(taskId, 4), true, 7 * HOUR);
    calls.episodeEnded('task-0.trial-0', true, 7 * HOUR);
    expect(calls.isAway()).toBe(true);
  });
});

describe('an agent that seems to be away', () => {
  beforeEach(() => vi.useFakeTimers({ now: 0 }));
  afterEach(() => vi.useRealTimers());

  function bothHeld(version: number) {
    const plan = { taskIds: [0, 1, 2, 3], numTrials: 1, shuffle: false };
    const input = { run, config: { ...config, seed: 0 }, plan, maxConcurrency: 2, maxCostUsd: null, version };
    const monitor = new SweepMonitor(input as unknown as SweepInput, () => undefined);
    for (const taskId of [0, 1]) monitor.episodeOpened(`task-${taskId}.trial-0`);
    return monitor;
  }

  it.each([
    [3, {}, true],
    [3, { isUnreached: true as const }, false],
    [2, {}, false],
  ])('is shown by one more episode when all that are open wait for it: version %s, %j', (version, changes, opens) => {
    const monitor = bothHeld(version);
    for (const failures of [4, 5]) {
      for (const taskId of [0, 1]) monitor.callHeld(failed(taskId, failures, changes));
      expect(monitor.hasCapacity(2)).toBe(opens && failures === 5);
    }
    monitor.episodeOpened('task-2.trial-0');
    monitor.callHeld(failed(2, 4, changes));
    monitor.callHeld(failed(2, 5, changes));
    expect(monitor.hasCapacity(3)).toBe(false);
  });

  it('has a line with its end and the commands, which a new limit changes', () => {
    const monitor = bothHeld(3);
    monitor.callHeld(failed(0, 4));
    const lines = () => (monitor.progress().held ?? []).flatMap((held) => heldLines(held, 0));
    expect(lines()).toEqual([
      'waiting for the agent since 00:00 UTC, 1 episode held, next try in 5 s, gives up at 06:00 UTC: ' +
        'ModelUnavailable: answered 500: KeyError (id 4f4a)',
      'to end the episode: npx tauflow cancel r1 task-0.trial-0; ' +
        'to wait less or longer: npx tauflow set r1 --outage-timeout 30m',
    ]);
    monitor.limit({ outageTimeoutMs: 60_000 });
    expect(lines()[0]).toContain(', gives up at 00:01 UTC: ');
    expect(monitor.state()).toMatchObject({ outageTimeoutMs: 60_000 });
    vi.setSystemTime(60_000);
    expect(monitor.expireHeld()).toMatch(/\(the agent did not answer for 60 s\)$/);
  });
});

describe('a refusal that may lie in the set-up, or be the agent’s own', () => {
  const refused = (taskId: number) => failed(taskId, 1, { failure: FailureType.RequestRefused, isOwnOnceWorked: true });

  it('pauses the run while nothing has worked', () => {
    const calls = new HeldCalls({ config, version: 3 });
    expect(calls.failed(refused(0), false, 0)).toBeNull();
    expect(calls.failed(refused(1), false, 0)).toMatch(/^RequestRefused: /);
    expect(calls.view()[0]).toMatchObject({ isRefused: true, episodes: 2 });
    expect(calls.take(HOUR)).toEqual([]);
  });

  it('is its episode’s agent error once an episode has ended well', () => {
    const calls = new HeldCalls({ config, version: 3 });
    expect(calls.failed(refused(0), true, 0)).toBeNull();
    expect(calls.take(0)).toMatchObject([{ again: false, isAgentsFault: true }]);
  });
});
