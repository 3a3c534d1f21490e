import { describe, expect, it } from 'vitest';
import type { LiveEpisode, OpenEpisode } from '../../../src/viewer/data/testing.ts';
import { NONE_ENDED, plotCourse, measureProgress, withEnded } from '../../../src/viewer/app/testing.ts';

const START = Date.parse('2025-01-01T00:00:00.000Z');

/** @param minute at which it ended; null: not known */
function ended(taskId: number, minute: number | null, changes: Partial<LiveEpisode> = {}): LiveEpisode {
  return {
    ...{ taskId, trial: 0, reward: 1, outcome: 'user_stop', steps: 5, turns: 2, costUsd: 0.5, durationMs: 1000 },
    ...{ faults: [], userFaults: [], isSuspect: false, error: null, tools: [], verdict: null },
    endedAt: minute === null ? null : new Date(START + minute * 60_000).toISOString(),
    ...changes,
  };
}

function open(taskId: number, costUsd: number | null = 0.25): OpenEpisode {
  const at = new Date(START).toISOString();
  return { taskId, trial: 0, startedAt: at, lastAt: at, steps: 1, costUsd, last: '' };
}

const of = (...episodes: readonly LiveEpisode[]) => withEnded(NONE_ENDED, episodes);

describe('the progress of a run', () => {
  it('counts every end once, and what is open apart', () => {
    const all = of(
      ended(0, 1),
      ended(1, 2, { reward: 0 }),
      ended(2, 3, { reward: 0, outcome: 'infrastructure_error', costUsd: 0 }),
      ended(3, 4, { reward: 0, outcome: 'max_steps' }),
    );
    expect(measureProgress(all, { planned: 10, open: [open(7)] }, START + 5 * 60_000)).toEqual({
      ...{ planned: 10, ended: 4, solved: 1, failed: 2, errors: 1, open: 1, costUsd: 1.75, isPriced: true },
      // Three episodes and a dollar in the four minutes since the first one ended.
      ...{ perMinute: 0.75, usdPerHour: 15, leftMs: 8 * 60_000 },
    });
  });

  it('counts an episode that runs again as open, with what it had cost', () => {
    const again = measureProgress(of(ended(0, 1), ended(1, 2)), { planned: 2, open: [open(1)] }, START);
    expect(again).toMatchObject({ ended: 1, open: 1, costUsd: 1.25 });
  });

  it('does not guess: a rate needs a few episodes, a price every one, and the end a plan', () => {
    const few = measureProgress(of(ended(0, 1), ended(1, null, { costUsd: null })), { planned: null, open: [] }, START);
    expect(few).toMatchObject({ perMinute: null, usdPerHour: null, leftMs: null, isPriced: false, costUsd: 0.5 });
    expect(measureProgress(NONE_ENDED, { planned: 5, open: [open(1, null)] }, START)).toMatchObject({
      isPriced: false,
    });
  });

  it('takes its rate from the last episodes: a pause of hours is no slowness', () => {
    const before = Array.from({ length: 50 }, (_, id) => ended(id, id / 10));
    const after = Array.from({ length: 40 }, (_, id) => ended(100 + id, 600 + id));
    const { perMinute } = measureProgress(of(...before, ...after), { planned: 200, open: [] }, START + 639 * 60_000);
    expect(perMinute).toBeCloseTo(1, 5);
  });

  it('has a sane rate where the clock of the browser is an hour behind', () => {
    const all = of(...Array.from({ length: 11 }, (_, id) => ended(id, id)));
    const { perMinute, leftMs } = measureProgress(all, { planned: 21, open: [] }, START - 60 * 60_000);
    expect([perMinute, leftMs]).toEqual([1, 10 * 60_000]);
  });

  it('is that of an episode’s last end, in whatever order the answers come', () => {
    const first = ended(0, 1, { reward: 0 });
    const second = ended(0, 9);
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const all = order.reduce((known, episode) => withEnded(known, [episode]), NONE_ENDED);
      expect([...all.values()]).toEqual([second]);
    }
    const known = of(first);
    expect(withEnded(known, [])).toBe(known);
  });
});

describe('the course of a run', () => {
  it('adds up in the order of the ends', () => {
    const course = plotCourse(
      of(ended(1, 2, { reward: 0 }), ended(0, 1), ended(2, 3, { costUsd: null }), ended(3, null)),
    );
    expect(course.map(({ episodes, costUsd, passHat1 }) => [episodes, costUsd, passHat1])).toEqual([
      [1, 0.5, 1],
      [2, 1, 0.5],
      [3, 1, 2 / 3],
    ]);
  });

  it('has few points however long the run is, the last among them', () => {
    const course = plotCourse(of(...Array.from({ length: 10_000 }, (_, id) => ended(id, id))));
    expect(course.length).toBeLessThanOrEqual(301);
    expect(course.at(-1)?.episodes).toBe(10_000);
  });
});
