/** The parts of steering that need no server. */

import { describe, expect, it } from 'vitest';

import { parseSelection, selectEpisodes, windUp, type Patience, type Winding } from '../../src/cli/steer/testing.ts';
import { steeringChanges } from '../../src/cli/terminal/testing.ts';
import { episodeName, parseEpisodeName } from '../../src/evaluation/index.ts';

describe('the name of an episode', () => {
  it('is read as it is written', () => {
    const key = { taskId: 17, trial: 0 };
    expect(parseEpisodeName(episodeName(key))).toEqual(key);
  });

  it.each(['17.0', 'task-17', 'task-17/trial-0', 'task-017.trial-0', 'task-1.trial--1', 'task-1.trial-0.json', ''])(
    'is not %j',
    (text) => {
      expect(parseEpisodeName(text)).toBeNull();
    },
  );
});

describe('a selection', () => {
  const plan = { taskIds: [4, 2], numTrials: 2 };
  const select = (names: string[], flags: Parameters<typeof parseSelection>[1] = {}, conditions?: string[]) => {
    const selection = parseSelection(names, flags);
    return selection === null ? null : selectEpisodes(selection, { ...plan, conditions }).map(episodeName);
  };

  it('is what is named, or tasks and trials, one of them meaning all of the other', () => {
    expect(select([])).toBeNull();
    expect(select(['task-2.trial-1'])).toEqual(['task-2.trial-1']);
    expect(select([], { taskIds: ['2'] })).toEqual(['task-2.trial-0', 'task-2.trial-1']);
    expect(select([], { trials: ['1'] })).toEqual(['task-4.trial-1', 'task-2.trial-1']);
    expect(select([], { taskIds: ['2,4'], trials: ['0'] })).toEqual(['task-2.trial-0', 'task-4.trial-0']);
  });

  it('is of every condition, or of those that are named', () => {
    const conditions = ['tool-errors', 'user-claims'];
    expect(select([], { taskIds: ['2'], trials: ['0'] }, conditions)).toEqual([
      ...['task-2.trial-0', 'task-2.trial-0.tool-errors', 'task-2.trial-0.user-claims'],
    ]);
    const named = { trials: ['1'], conditions: ['base,user:claims'] };
    expect(select([], named, conditions)).toEqual([
      ...['task-4.trial-1', 'task-4.trial-1.user-claims', 'task-2.trial-1', 'task-2.trial-1.user-claims'],
    ]);
    expect(() => select([], { conditions: ['slow-tools'] }, conditions)).toThrow(
      'the run has no condition slow-tools; it has base, tool-errors, user-claims.',
    );
    expect(() => select(['task-2.trial-0'], { conditions: ['base'] }, conditions)).toThrow(/not both\.$/);
  });

  it('is refused where the run has no such episode', () => {
    expect(() => select(['task-3.trial-0'])).toThrow('the run has no task 3; its tasks are in run.json.');
    expect(() => select([], { trials: ['2'] })).toThrow('the run has no trial 2; its trials are 0 to 1.');
  });
});

describe('what has changed', () => {
  const before = { paused: false, maxConcurrency: 2, maxCostUsd: null, numTrials: 1 };

  it('is a sentence each, and none when nobody has steered', () => {
    expect(steeringChanges(before, before)).toEqual([]);
    expect(steeringChanges(before, { paused: true, maxConcurrency: 8, maxCostUsd: 20, numTrials: 4 })).toEqual([
      'paused: open episodes continue to their end, no others are opened',
      'at most 8 at once now, instead of 2',
      'a budget of $20.00 now, instead of no budget',
      '4 trials per task now, instead of 1',
    ]);
    expect(steeringChanges({ ...before, paused: true }, before)).toEqual(['resumed: further episodes are opened']);
  });

  it('says why a run has paused itself', () => {
    const halted = { ...before, paused: true, pausedFor: 'QuotaExceeded: 429 no credit' };
    expect(steeringChanges(before, halted)).toEqual([
      'paused, because calls are refused or not answered (QuotaExceeded: 429 no credit): no further episodes are opened',
    ]);
    expect(steeringChanges(halted, before)).toEqual(['resumed: further episodes are opened']);
  });

  it('is nothing where a sweep of before says nothing of its budget', () => {
    const { maxCostUsd, ...old } = before;
    expect(maxCostUsd).toBeNull();
    expect(steeringChanges(old, before)).toEqual([]);
  });
});

describe('winding up', () => {
  const QUICK: Patience = { lookMs: 1, reportMs: 0, silentMs: 20, slowMs: 50 };
  const winding = (changes: Partial<Winding>): Winding => ({
    isClosed: () => Promise.resolve(false),
    countOpen: () => Promise.resolve(1),
    isListenedTo: () => Promise.resolve(true),
    isAnswered: () => Promise.resolve(true),
    ...changes,
  });

  it('reports how many are open, until all is closed', async () => {
    const counts = [3, 3, 1, 0];
    const told: string[] = [];
    const end = await windUp(
      winding({
        isClosed: () => Promise.resolve(counts.length === 0),
        countOpen: () => Promise.resolve(counts.shift() ?? 0),
      }),
      (line) => told.push(line),
      // On a busy machine, a millisecond's delay takes long.
      { ...QUICK, silentMs: 60_000, slowMs: 60_000 },
    );
    expect(end).toEqual({ kind: 'closed', open: 0 });
    expect(told).toEqual(['winding up: 3 episodes are open', 'winding up: 1 episode is open', 'writing the results']);
  });

  it.each<[where: string, changes: Partial<Winding>, kind: string]>([
    ['nobody listens', { isListenedTo: () => Promise.resolve(false) }, 'unanswered'],
    ['nobody answers', { isAnswered: () => Promise.resolve(false) }, 'unanswered'],
    ['nothing moves', {}, 'slow'],
  ])('is left where %s', async (_name, changes, kind) => {
    expect(await windUp(winding(changes), () => undefined, QUICK)).toEqual({ kind, open: 1 });
  });
});
