import { describe, expect, it } from 'vitest';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { compareConditions, type ConditionFigures } from '../../src/results/metrics/index.ts';
import type { EpisodeRow } from '../../src/run-log/index.ts';

const row = (taskId: number, trial: number, reward: number, condition?: string): EpisodeRow => ({
  ...{
    taskId,
    trial,
    reward,
    condition,
    outcome: 'user_stop',
    steps: 5 + reward,
    turns: 2,
    costUsd: (1 + reward) / 10,
  },
  ...{
    roles: [],
    counts: {},
    durationMs: 1,
    error: null,
    numberSpellingOnly: false,
    wouldHavePassed: false,
    tools: [],
  },
});

const [TASKS, TRIALS, RUNS] = [30, 4, 40];
const NAMES = ['a', 'b', 'c'];

/** Plays runs of an agent whose chance in a task falls by `drop` under the first condition. */
function* simulate(drop: number): Generator<readonly ConditionFigures[]> {
  const generator = xoroshiro128plus(7);
  const draw = () => (generator.next() >>> 0) / 2 ** 32;
  for (let run = 0; run < RUNS; run++) {
    const rows: EpisodeRow[] = [];
    for (let taskId = 0; taskId < TASKS; taskId++) {
      const chance = Math.max(drop, draw() ** 0.5);
      for (let trial = 0; trial < TRIALS; trial++) {
        for (const condition of [undefined, ...NAMES]) {
          const lost = condition === 'a' ? drop : 0;
          rows.push(row(taskId, trial, draw() < chance - lost ? 1 : 0, condition));
        }
      }
    }
    yield compareConditions(rows, NAMES);
  }
}

function summarize(drop: number) {
  const runs = [...simulate(drop)];
  const covered = runs.filter(([first]) => {
    const { low = 0, high = 0 } = first?.difference.interval ?? {};
    return low <= -drop && -drop <= high;
  });
  const alarms = runs.filter((conditions) => conditions.some(({ decision }) => decision === 'worse'));
  return { coverage: covered.length / RUNS, alarms: alarms.length / RUNS };
}

describe('conditions of a simulated run', () => {
  it('have intervals that cover, and break nothing of a sound agent', () => {
    const { coverage, alarms } = summarize(0);
    expect(coverage).toBeGreaterThanOrEqual(0.93);
    expect(alarms).toBeLessThanOrEqual(0.05);
  }, 120_000);

  it('have intervals that cover a drop, which is found', () => {
    const { coverage, alarms } = summarize(0.25);
    expect(coverage).toBeGreaterThanOrEqual(0.93);
    expect(alarms).toBeGreaterThan(0.85);
  }, 120_000);
});

describe('a condition', () => {
  const all = Array.from({ length: 8 }, (_, taskId) =>
    [0, 1].flatMap((trial) => [row(taskId, trial, 1), row(taskId, trial, taskId === 0 ? 1 : 0, 'a')]),
  ).flat();

  it('breaks the tasks that are solved less often', () => {
    const [figures] = compareConditions(all, ['a']);
    expect(figures).toMatchObject({ decision: 'worse', difference: { tasks: 8, delta: -0.875 } });
    expect(figures?.worseTasks.map(({ taskId }) => taskId)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(figures?.steps.delta).toBeCloseTo(-0.875);
    expect(figures?.cost.delta).toBeCloseTo(-0.0875);
  });

  it('is compared over the tasks and trials that ended under both', () => {
    const rows = all
      .filter(({ condition, trial }) => condition === undefined || trial === 0)
      .map((each) =>
        each.condition === 'a' && each.taskId === 7 ? { ...each, outcome: 'infrastructure_error' as const } : each,
      );
    const [figures] = compareConditions(rows, ['a']);
    expect(figures?.difference.tasks).toBe(7);
    expect(figures?.metrics.episodes).toBe(8);
  });
});
