import { describe, expect, it } from 'vitest';

import { FailureType, heldLines, type HeldCall, type SweepInput } from '../../src/evaluation/index.ts';
import { HeldCalls } from '../../src/orchestration/index.ts';

const FIRST = 5_000;
const HOUR = 3_600_000;

function held({ unattended = false, outageTimeoutMs = 6 * HOUR } = {}): HeldCalls {
  const config = { outageTimeoutMs } as SweepInput['config'];
  return new HeldCalls({ config, unattended });
}

function call(taskId: number, failure: string = FailureType.ModelUnavailable, provider = 'openai'): HeldCall {
  return { episode: { taskId, trial: 0 }, call: 'agent 1', provider, failure, message: '503' };
}

const tasksOf = (due: readonly { readonly call: HeldCall }[]) => due.map((one) => one.call.episode.taskId);

describe('calls that time out while others are answered', () => {
  it('are no outage, and are given up after eight times', () => {
    const calls = held();
    let now = 0;
    for (let failures = 1; failures <= 8; failures++) {
      for (const taskId of [0, 1, 2]) calls.failed(call(taskId, FailureType.CallTimedOut), true, now);
      expect(calls.isAway()).toBe(false);
      now = calls.dueAt() ?? 0;
      expect(calls.take(now).map(({ again }) => again)).toEqual([failures < 8, failures < 8, failures < 8]);
    }
  });
});

describe('places for calls that are made again', () => {
  it('are shared by all providers', () => {
    const calls = held();
    for (const [taskId, provider] of ['openai', 'anthropic', 'mistral'].entries()) {
      calls.failed(call(taskId, FailureType.CallTimedOut, provider), true, 0);
    }
    const now = calls.dueAt() ?? 0;
    expect(tasksOf(calls.take(now, 2))).toEqual([0, 1]);
    expect(tasksOf(calls.take(now, 2))).toEqual([2]);
  });
});

describe('the view of a call that is being made again', () => {
  it('says for how long', () => {
    const calls = held();
    calls.failed(call(0), true, 0);
    calls.take(5_000);
    const [view] = calls.view();
    expect(view?.tryingSince).toBe(new Date(5_000).toISOString());
    const line = (now: number) => (view === undefined ? '' : heldLines(view, now)[0]);
    expect(line(6_000)).toMatch(/, trying now, gives up at 06:00 UTC: ModelUnavailable: 503$/);
    expect(line(185_000)).toMatch(/, a call has been running for 180 s, gives up/);
  });
});

describe('the next try of a held call', () => {
  it('has its time instead of a wait that a clock which was set back would make absurd', () => {
    const calls = held();
    calls.failed(call(0), true, 0);
    const [view] = calls.view();
    const line = (now: number) => (view === undefined ? '' : heldLines(view, now)[0]);
    expect(line(1_000)).toMatch(/, next try in 4 s, gives up/);
    expect(line(-3_600_000)).toMatch(/, next try at 00:00:05 UTC, gives up/);
    expect(line(3_600_000)).toMatch(/, next try in 0 s, gives up/);
  });
});

describe('a single held call', () => {
  it('is due after delays that double to five minutes', () => {
    const calls = held();
    let now = 0;
    const delays = Array.from({ length: 8 }, () => {
      calls.failed(call(0), true, now);
      const delay = (calls.dueAt() ?? 0) - now;
      now += delay;
      expect(tasksOf(calls.take(now))).toEqual([0]);
      expect(calls.take(now)).toEqual([]);
      return delay / 1000;
    });
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    expect(calls.isAway()).toBe(false);
  });

  it('lets another episode open when it has failed twice', () => {
    const calls = held();
    calls.failed(call(0), true, 0);
    expect(calls.needsWitness()).toBe(false);
    calls.failed(call(0), true, 1);
    expect(calls.needsWitness()).toBe(true);
    calls.failed(call(1), true, 2);
    expect(calls.needsWitness()).toBe(false);
  });

  it('is given up when it fails while others are answered, unless it is a rate limit', () => {
    for (const type of [FailureType.ModelUnavailable, FailureType.RateLimited]) {
      const calls = held();
      let now = 0;
      for (let count = 0; count < 12; count++) {
        calls.failed(call(0, type), true, now);
        calls.episodeEnded('task-9.trial-0', true, now);
        const due = calls.take((now += HOUR));
        if (due[0]?.again !== true) break;
      }
      // The first failure says nothing of the call.
      expect(now / HOUR).toBe(type === FailureType.RateLimited ? 12 : 9);
    }
  });
});

describe('the last call of a run', () => {
  const failuresUntilGivenUp = (answers: number, others: number) => {
    const calls = held({ outageTimeoutMs: 1_000 * HOUR });
    calls.failed(call(0), true, 0);
    for (let count = 0; count < answers; count++) calls.episodeEnded('task-9.trial-0', true, 1);
    for (let task = 1; task <= others; task++) calls.failed(call(task), true, 2);
    for (let failures = 1; failures <= 20; failures++) {
      const due = calls.take(failures * HOUR).find((one) => one.call.episode.taskId === 0);
      if (due?.again === false) return failures;
      if (due !== undefined) calls.failed(call(0), true, failures * HOUR);
    }
    return Infinity;
  };

  it('is given up if the provider has answered others since, and no other fails', () => {
    expect(failuresUntilGivenUp(1, 0)).toBe(9);
  });

  it('is waited for if the provider has answered nobody since, or others fail as well', () => {
    expect(failuresUntilGivenUp(0, 0)).toBe(Infinity);
    expect(failuresUntilGivenUp(1, 2)).toBe(Infinity);
  });
});

describe('a provider that is away', () => {
  it('is probed by the call that has waited longest, one at a time', () => {
    const calls = held();
    for (const task of [0, 1, 2]) calls.failed(call(task), true, task);
    expect(calls.isAway()).toBe(true);
    const due = 1 + FIRST;
    expect(calls.dueAt()).toBe(due);
    expect(tasksOf(calls.take(due))).toEqual([0]);
    expect(calls.view()[0]?.nextTryAt).toBeNull();
    expect(tasksOf(calls.take(due + HOUR))).toEqual([]);
    calls.failed(call(0), true, due + 10);
    expect(calls.dueAt()).toBe(due + 10 + 2 * FIRST);
    expect(tasksOf(calls.take(due + HOUR))).toEqual([1]);
  });

  it('is up when it has answered, and gets the others in batches', () => {
    const calls = held();
    for (let task = 0; task < 8; task++) calls.failed(call(task), true, 0);
    expect(tasksOf(calls.take(FIRST))).toEqual([0]);
    calls.answered(call(0), 20_000);
    expect(calls.isAway()).toBe(false);
    const batches = [20_000, 21_000, 22_000].map((now) => tasksOf(calls.take(now)).length);
    expect(batches).toEqual([1, 2, 4]);
  });

  it('does not concern another provider', () => {
    const calls = held();
    calls.failed(call(0), true, 0);
    calls.failed(call(1, FailureType.ModelUnavailable, 'anthropic'), true, 0);
    expect(calls.isAway()).toBe(false);
    expect(calls.view().map(({ provider }) => provider)).toEqual(['openai', 'anthropic']);
  });

  it('loses its probe with the episode', () => {
    const calls = held();
    calls.failed(call(0), true, 0);
    calls.failed(call(1), true, 0);
    calls.take(FIRST);
    calls.episodeEnded('task-0.trial-0', false, 2 * FIRST);
    expect(tasksOf(calls.take(2 * FIRST))).toEqual([1]);
    calls.episodeEnded('task-1.trial-0', false, 2 * FIRST);
    expect(calls.isAway()).toBe(false);
    expect(calls.dueAt()).toBeNull();
    expect(calls.view()).toEqual([]);
  });

  it('is given up after the time that was set, with the call that was being made', () => {
    const calls = held({ outageTimeoutMs: HOUR });
    calls.failed(call(0), true, 0);
    calls.failed(call(1), true, 0);
    calls.take(FIRST);
    expect(calls.expire(HOUR - 1)).toBeNull();
    expect(calls.expire(HOUR)).toBe('ModelUnavailable: 503 (openai did not answer for 3600 s)');
    expect(calls.take(HOUR)).toEqual([{ call: call(1), again: false }]);
    calls.failed(call(0), true, HOUR + 1);
    expect(calls.take(HOUR + 1)).toEqual([{ call: call(0), again: false }]);
    calls.resume(HOUR + 2);
    calls.failed(call(2), true, HOUR + 3);
    expect(calls.take(HOUR + 2 + FIRST)).toEqual([{ call: call(2), again: true }]);
  });
});

describe('a refusal of the account', () => {
  const refused = (task: number) => call(task, FailureType.QuotaExceeded);
  const REASON = 'QuotaExceeded: 503';

  it('stops the run at the first where nothing has worked, at the second in a row elsewhere', () => {
    expect(held().failed(refused(0), false, 0)).toBe(REASON);
    const calls = held();
    expect(calls.failed(refused(0), true, 0)).toBeNull();
    calls.episodeEnded('task-9.trial-0', true, 1);
    expect(calls.failed(refused(1), true, 2)).toBeNull();
    expect(calls.failed(refused(0), true, 3)).toBe(REASON);
  });

  it('waits to be resumed, and then tries one call', () => {
    const calls = held();
    for (const task of [0, 1, 2]) calls.failed(refused(task), false, 0);
    expect(calls.dueAt()).toBeNull();
    // An answer to an earlier request changes nothing.
    calls.episodeEnded('task-9.trial-0', true, 1);
    expect(calls.take(HOUR)).toEqual([]);
    expect(calls.view()).toMatchObject([{ isRefused: true, episodes: 3, nextTryAt: null }]);
    calls.resume(HOUR);
    expect(tasksOf(calls.take(HOUR))).toEqual([0]);
    expect(calls.failed(refused(0), false, HOUR + 1)).toBe(REASON);
    expect(calls.take(2 * HOUR)).toEqual([]);
    calls.resume(2 * HOUR);
    expect(tasksOf(calls.take(2 * HOUR))).toEqual([1]);
    calls.answered(refused(1), 2 * HOUR);
    expect(tasksOf(calls.take(3 * HOUR))).toEqual([2, 0]);
  });

  it('is given up where nobody attends the run', () => {
    const calls = held({ unattended: true });
    expect(calls.failed(refused(0), false, 0)).toBe(REASON);
    calls.failed(refused(1), false, 1);
    expect(calls.take(1).map(({ again }) => again)).toEqual([false, false]);
  });

  it('is one of the request alone where an episode has ended well', () => {
    const calls = held();
    expect(calls.failed(call(0, FailureType.RequestRefused), true, 0)).toBeNull();
    expect(calls.take(0)).toEqual([{ call: call(0, FailureType.RequestRefused), again: false }]);
    const fresh = held();
    // A gateway's page in place of a provider that has worked is waited for.
    expect(fresh.failed(call(7, FailureType.NotACompletion), true, 0)).toBeNull();
    expect(fresh.take(5_000)).toEqual([{ call: call(7, FailureType.NotACompletion), again: true }]);
    // So is a name that no server has any more, as of a laptop that has left its network.
    const moved = held();
    expect(moved.failed(call(8, FailureType.NoConnection), true, 0)).toBeNull();
    expect(moved.take(5_000)).toEqual([{ call: call(8, FailureType.NoConnection), again: true }]);
    expect(fresh.failed(call(0, FailureType.RequestRefused), false, 0)).toBeNull();
    expect(fresh.failed(call(1, FailureType.RequestRefused), false, 0)).toBe('RequestRefused: 503');
  });
});
