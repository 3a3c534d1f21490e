import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  summarizeCosts,
  computeMetrics,
  averageReward,
  computePassHats,
  passHatKOwnTrials,
  type TrialReward,
} from '../../src/results/metrics/index.ts';
import { formatFloat } from '../../src/benchmarks/python/index.ts';
import { overallScore, successWithinTurns } from '../../src/results/metrics/testing.ts';
import { COUNTS } from '../conformance/counts.ts';
import { describeWithReference } from '../helpers/reference.ts';
import { row } from './fixtures.ts';

interface GoldenResult {
  readonly task_id: number;
  readonly trial: number;
  readonly reward: number;
}
interface GoldenCase {
  readonly name: string;
  readonly results?: readonly GoldenResult[];
  readonly stdout: string;
  readonly avg_reward?: number;
  readonly pass_hat_k?: Readonly<Record<string, number>>;
  readonly raised?: { readonly type: string };
}

describeWithReference('figures of the reference', (dir) => {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(dir, file), 'utf8'));
  const { cases } = read('golden/metrics.json') as { cases: GoldenCase[] };
  const published = read('historical/gpt-4o-airline.json') as GoldenResult[];

  /** The published records that a case named `historical/…` is about. */
  function historical(name: string): readonly GoldenResult[] {
    const part = name.replace('historical/gpt-4o-airline', '');
    const trial = /^\/trial-(\d+)$/.exec(part);
    if (trial !== null) return published.filter((result) => result.trial === Number(trial[1]));
    if (part === '/first-two-trials') return published.filter((result) => result.trial < 2);
    if (part === '/first-123-records') return published.slice(0, 123);
    expect(part).toBe('');
    return published;
  }

  it('has all its cases here', () => {
    expect(cases).toHaveLength(COUNTS['metrics.json'].equal);
  });

  it.each(cases)('$name is the same to the last bit, and in print', (golden) => {
    const rows: TrialReward[] = (golden.results ?? historical(golden.name)).map((result) => ({
      taskId: result.task_id,
      trial: result.trial,
      reward: result.reward,
    }));
    if (golden.raised !== undefined) {
      expect(golden.raised.type).toBe('ZeroDivisionError');
      expect([averageReward(rows), referenceSummary(rows)]).toEqual([null, null]);
      return;
    }
    expect(averageReward(rows)).toBe(golden.avg_reward);
    expect(Object.fromEntries(computePassHats(rows).map(({ k, value }) => [String(k), value]))).toEqual(
      golden.pass_hat_k,
    );
    expect(referenceSummary(rows)).toBe(golden.stdout);
  });
});

/**
 * Returns what tau-bench's `run.py` prints at its end, to the letter; null where it fails with a division by zero, because
 * there is no result.
 */
function referenceSummary(rows: readonly TrialReward[]): string | null {
  const average = averageReward(rows);
  if (average === null) return null;
  const lines = computePassHats(rows).map(({ k, value }) => `  k=${String(k)}: ${formatFloat(value)}\n`);
  return `🏆 Average reward: ${formatFloat(average)}\n📈 Pass^k\n${lines.join('')}`;
}

/** Every task with every trial, rewards 0 or 1. */
const fullRun = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 8 }))
  .chain(([tasks, trials]) =>
    fc
      .array(fc.integer({ min: 0, max: 1 }), { minLength: tasks * trials, maxLength: tasks * trials })
      .map((rewards) =>
        rewards.map((reward, i) => row(Math.floor(i / trials), i % trials, reward, { turns: (i * 7) % 11 })),
      ),
  );

describe('pass^k', () => {
  it('lies between 0 and 1, falls with k, and begins at the average reward', () => {
    fc.assert(
      fc.property(fullRun, (rows) => {
        const values = computePassHats(rows).map(({ value }) => value);
        expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
        values.forEach((value, i) => expect(value).toBeLessThanOrEqual((values[i - 1] ?? 1) + 1e-12));
        expect(values[0]).toBeCloseTo(averageReward(rows) ?? NaN, 12);
      }),
    );
  });

  it('is, for k = n, the share of tasks that succeeded in every trial', () => {
    fc.assert(
      fc.property(fullRun, (rows) => {
        const tasks = [...new Set(rows.map(({ taskId }) => taskId))];
        const perfect = tasks.filter((task) => rows.every((each) => each.taskId !== task || each.reward === 1));
        expect(computePassHats(rows).at(-1)?.value).toBeCloseTo(perfect.length / tasks.length, 12);
      }),
    );
  });

  it('is the same with each task’s own number of trials when none is missing', () => {
    fc.assert(
      fc.property(fullRun, (rows) => {
        expect(passHatKOwnTrials(rows)).toEqual(computePassHats(rows));
      }),
    );
  });

  it('is over the tasks that have k trials left where some were left out', () => {
    const rows = [row(0, 0, 1), row(0, 1, 1), row(1, 0, 1)];
    expect(passHatKOwnTrials(rows)).toEqual([
      { k: 1, value: 1, trials: null, tasks: 2 },
      { k: 2, value: 1, trials: 2, tasks: 1 },
    ]);
    expect(computePassHats(rows)[1]).toEqual({ k: 2, value: 0.5, trials: 2, tasks: 2 });
  });

  it('stays exact where the counts do not fit a double', () => {
    const rows = Array.from({ length: 200 }, (_, trial) => row(0, trial, trial < 199 ? 1 : 0));
    // C(199,100) / C(200,100) = 100 / 200
    expect(computePassHats(rows)[99]?.value).toBe(0.5);
  });
});

describe('success within k turns', () => {
  it('rises with k to the share of successes, and is not pass^k', () => {
    fc.assert(
      fc.property(fullRun, (rows) => {
        const within = successWithinTurns(rows).map((entry) => entry.within);
        within.forEach((value, i) => expect(value).toBeGreaterThanOrEqual(within[i - 1] ?? 0));
        expect(within.at(-1)).toBeCloseTo(averageReward(rows) ?? NaN, 12);
      }),
    );
  });

  it('counts at most k and exactly k turns over all episodes', () => {
    const rows = [row(0, 0, 1, { turns: 1 }), row(0, 1, 1, { turns: 3 }), row(1, 0, 0, { turns: 1 }), row(1, 1, 1)];
    expect(successWithinTurns(rows).map(({ k, within, exactly }) => [k, within, exactly])).toEqual([
      [0, 0, 0],
      [1, 0.25, 0.25],
      [2, 0.25, 0],
      [3, 0.75, 0.5],
      [4, 0.75, 0],
    ]);
  });
});

describe('a run’s figures', () => {
  const rows = [
    row(0, 0, 1, { steps: 4, turns: 2 }),
    row(0, 1, 0, { outcome: 'infrastructure_error', error: 'rate limited' }),
    row(1, 0, 0, { outcome: 'max_steps', wouldHavePassed: true }),
    row(1, 1, 0, { outcome: 'agent_error', error: 'bad JSON' }),
    row(2, 0, 1, { steps: 8, turns: 3, outcome: 'transferred' }),
    row(2, 1, 0, { outcome: 'cancelled' }),
  ];
  const metrics = computeMetrics(rows);

  it('have both denominators: infrastructure errors as failures, and left out', () => {
    expect(metrics.errorsAsFailures).toMatchObject({ episodes: 5, successes: 2, averageReward: 0.4 });
    expect(metrics.infrastructureErrorsLeftOut).toMatchObject({ episodes: 4, successes: 2, averageReward: 0.5 });
    expect(metrics.infrastructureErrorsLeftOut.passHatK[0]).toMatchObject({ k: 1, tasks: 3, value: 2 / 3 });
  });

  it('leave out the errors of a results file that does not say whose they are', () => {
    const { errorsAsFailures, infrastructureErrorsLeftOut } = computeMetrics([
      row(0, 0, 1),
      row(1, 0, 0, { outcome: 'error', error: 'boom' }),
    ]);
    expect(errorsAsFailures).toMatchObject({ episodes: 2, averageReward: 0.5 });
    expect(infrastructureErrorsLeftOut).toMatchObject({ episodes: 1, averageReward: 1 });
  });

  it('leave cancelled episodes out of everything but the outcomes and the costs', () => {
    expect(metrics).toMatchObject({ episodes: 5, cancelled: 1, tasks: 3, trials: 2 });
    expect(metrics.outcomes).toEqual({
      user_stop: 1,
      infrastructure_error: 1,
      max_steps: 1,
      agent_error: 1,
      transferred: 1,
      cancelled: 1,
    });
    expect(metrics.costs.totalUsd).toBe(3);
  });

  it('report steps and turns of the successful episodes', () => {
    expect(metrics.stepsToSuccess).toEqual({ mean: 6, median: 6, min: 4, max: 8 });
    expect(metrics.successTurn).toEqual({ mean: 2.5, median: 2.5, min: 2, max: 3 });
    expect(metrics.wouldHavePassed).toBe(1);
  });

  it('have an overall score over the pass^k that exist, four at most', () => {
    expect(metrics.overallScore?.ks).toEqual([1, 2]);
    const eight = computePassHats(Array.from({ length: 8 }, (_, trial) => row(0, trial, 1)));
    expect(overallScore(eight)).toEqual({ value: 1, ks: [1, 2, 3, 4] });
  });

  it('exist for a run without any episode', () => {
    expect(computeMetrics([])).toMatchObject({
      episodes: 0,
      overallScore: null,
      stepsToSuccess: null,
      errorsAsFailures: { averageReward: null, passHatK: [] },
      costs: { totalUsd: 0, perEpisodeUsd: null },
    });
  });
});

describe('costs', () => {
  it('are divided by episodes and by successes, and split by role', () => {
    const costs = summarizeCosts([row(0, 0, 1), row(1, 0, 1), row(2, 0, 0), row(3, 0, 0)]);
    expect(costs).toMatchObject({ totalUsd: 2, perEpisodeUsd: 0.5, perSuccessUsd: 1, calls: 40, unpriced: 0 });
    expect(costs.roles).toMatchObject([{ role: 'agent', costUsd: 2, promptTokens: 80_000 }]);
  });

  it('are a lower bound, never a sum, where a price is unknown', () => {
    const [agent] = row(0, 0, 1).roles;
    if (agent === undefined) throw new Error('the fixture has a role');
    const unpriced = row(0, 1, 1, { costUsd: null, roles: [{ ...agent, costUsd: null }] });
    expect(summarizeCosts([row(0, 0, 1), unpriced])).toMatchObject({
      knownUsd: 0.5,
      totalUsd: null,
      perEpisodeUsd: null,
      perSuccessUsd: null,
      unpriced: 1,
      roles: [{ costUsd: null, knownCostUsd: 0.5 }],
    });
  });
});

describe('what the providers served', () => {
  it('is reported once each, with its fingerprints', () => {
    const rows = [
      row(0, 0, 1, { servedModels: ['gpt-4o-2024-08-06 (fp_b)', 'gpt-4o-2024-08-06 (fp_a)'] }),
      row(1, 0, 1, { servedModels: ['gpt-4o-2024-08-06 (fp_a)'] }),
      row(2, 0, 1),
    ];
    expect(computeMetrics(rows).servedModels).toEqual(['gpt-4o-2024-08-06 (fp_a)', 'gpt-4o-2024-08-06 (fp_b)']);
  });
});
