import { afterEach, describe, expect, it, vi } from 'vitest';

import { JudgeMonitor } from '../../src/orchestration/index.ts';
import type { GivenVerdict } from '../../src/orchestration/testing.ts';

const spent = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
/** The episode failed by infrastructure: no model was asked. */
const needsNone: GivenVerdict = { author: 'infrastructure', faultType: null, spent, failure: null };
const refused: GivenVerdict = {
  author: 'unjudged',
  faultType: null,
  spent,
  failure: { type: 'RequestRefused', message: 'no such model' },
};

describe('a judge’s breaker', () => {
  it('stops after two refusals in a row, whatever needed no model between them', () => {
    const monitor = new JudgeMonitor({ maxCostUsd: null, judge: {} });
    monitor.enter(refused);
    monitor.enter(needsNone);
    expect(monitor.halted).toBeNull();
    monitor.enter(refused);
    expect(monitor.halted).toBe('RequestRefused: no such model');
  });

  it('does not take an episode that needed no model for one that the judge has answered', () => {
    const monitor = new JudgeMonitor({ maxCostUsd: null, judge: {} });
    monitor.enter(needsNone);
    monitor.enter(refused);
    monitor.enter(refused);
    expect(monitor.halted).toBe('RequestRefused: no such model');
  });

  it('goes on where the judge has answered', () => {
    const monitor = new JudgeMonitor({ maxCostUsd: null, judge: {} });
    monitor.enter({ author: 'agent', faultType: null, spent, failure: null });
    monitor.enter(refused);
    monitor.enter(refused);
    expect(monitor.halted).toBeNull();
  });
});

describe('a judge’s call whose provider is away', () => {
  const away = { type: 'ModelUnavailable', message: '503' };
  const started = () => new JudgeMonitor({ maxCostUsd: null, judge: { outageTimeoutMs: 600_000 } });
  afterEach(() => vi.useRealTimers());

  it('waits longer each time, until the outage is too long, and not for what is permanent', () => {
    vi.useFakeTimers({ now: 1_000 });
    const monitor = started();
    const waits = [1, 2, 3, 9].map((count) => monitor.waitMs(away, Array<number>(count).fill(1_000)));
    expect(waits).toEqual([5_000, 10_000, 20_000, 300_000]);
    vi.setSystemTime(400_000);
    expect(monitor.waitMs(away, Array<number>(9).fill(1_000))).toBeNull();
    expect(monitor.waitMs({ type: 'RequestRefused', message: '' }, [1_000])).toBeNull();
  });

  it('is given up at its eighth failure if the judge answers all others, unless for a rate limit', () => {
    vi.useFakeTimers({ now: 2_000 });
    const failedAt = Array<number>(8).fill(1_000);
    const [one, other] = [started(), started()];
    for (const monitor of [one, other]) monitor.answered();
    expect(one.waitMs({ type: 'RateLimited', message: '' }, failedAt)).toBe(300_000);
    expect(one.waitMs(away, failedAt)).toBeNull();
    other.waitMs(away, [2_000]);
    expect(other.waitMs(away, failedAt)).toBe(300_000);
  });
});
