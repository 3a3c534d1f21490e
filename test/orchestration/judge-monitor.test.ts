import { describe, expect, it } from 'vitest';

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
    const monitor = new JudgeMonitor({ maxCostUsd: null });
    monitor.enter(refused);
    monitor.enter(needsNone);
    expect(monitor.halted).toBeNull();
    monitor.enter(refused);
    expect(monitor.halted).toBe('RequestRefused: no such model');
  });

  it('does not take an episode that needed no model for one that the judge has answered', () => {
    const monitor = new JudgeMonitor({ maxCostUsd: null });
    monitor.enter(needsNone);
    monitor.enter(refused);
    monitor.enter(refused);
    expect(monitor.halted).toBe('RequestRefused: no such model');
  });

  it('goes on where the judge has answered', () => {
    const monitor = new JudgeMonitor({ maxCostUsd: null });
    monitor.enter({ author: 'agent', faultType: null, spent, failure: null });
    monitor.enter(refused);
    monitor.enter(refused);
    expect(monitor.halted).toBeNull();
  });
});
