/** Tasks with different numbers of trials: one rule in every form. A task has three trials, another one. */

import { describe, expect, it } from 'vitest';

import { compareRuns, differenceFigures } from '../../src/results/compare/testing.ts';
import { buildReport, scoreFigures, uncertaintyFigures } from '../../src/results/report/testing.ts';
import { subjectOfFile } from '../../src/results/report/index.ts';
import { passCurves } from '../../src/viewer/app/testing.ts';
import { run as comparedRun } from './compare/runs.ts';
import { row } from './fixtures.ts';

const suspect = {
  faults: [],
  differences: [],
  user: [{ kind: 'invented_id', severity: 'suspect', step: 1, sentence: '' }],
} as const;
const ragged = [row(0, 0, 1), row(0, 1, 1), row(0, 2, 0), row(1, 0, 1)];
const whole = [...ragged, row(1, 1, 0), row(1, 2, 0)];
const quick = { resamples: 200 };

describe('a report of tasks with different numbers of trials', () => {
  const report = buildReport(subjectOfFile('x.json'), ragged);
  const lines = new Map([...scoreFigures(report), ...uncertaintyFigures(report)].map((line) => [line.name, line]));

  it('counts a missing trial as a failure in pass^k, as tau-bench does, and says so', () => {
    expect(lines.get('pass^1')?.value).toBe('0.500');
    expect(report.metrics.errorsAsFailures.passHatK).toEqual(
      buildReport(subjectOfFile('x.json'), whole).metrics.errorsAsFailures.passHatK,
    );
    expect(report.remarks).toEqual([expect.stringContaining('Tasks have 1 to 3 of 3 trials')]);
  });

  it('shows beside it what the trials come to that there are', () => {
    expect(lines.get('pass^1, missing trials left out')?.value).toBe('0.833');
    expect(lines.get('average reward')).toMatchObject({ value: '0.750' });
  });

  it('takes no episode that never ran for a draw', () => {
    expect(lines.get('successes by Wilson')).toMatchObject({
      value: '0.750',
      interval: '[0.30, 0.95]',
      meaning: expect.stringContaining('n = 4') as string,
    });
  });

  it('has the same curves on the page', () => {
    const curves = passCurves({ metrics: report.metrics, notes: null }).curves;
    expect(curves.map(({ name, points }) => [name, points[0]?.value.toFixed(3)])).toEqual([
      ['errors as failures', '0.500'],
      ['missing trials left out', '0.833'],
    ]);
  });

  it('leaves suspect users out of the same denominator', () => {
    const suspected = ragged.map((each, at) => (at === 2 ? { ...each, analysis: suspect } : each));
    const { errorsAsFailures, withoutSuspects } = buildReport(subjectOfFile('x.json'), suspected).metrics;
    expect(errorsAsFailures.passHatK[0]?.value).toBeCloseTo(0.5, 12);
    // Task 0 has two trials left and solved both; task 1 has one success of three still.
    expect(withoutSuspects.passHatK[0]?.value).toBeCloseTo((1 + 1 / 3) / 2, 12);
  });
});

describe('a comparison of such a run', () => {
  const comparison = compareRuns(comparedRun('a', whole, null), comparedRun('b', ragged, null), quick);

  it('counts missing trials as failures where it counts errors so, and says it', () => {
    expect(comparison.errorsAsFailures).toMatchObject({ before: 0.5, after: 0.5, delta: 0 });
    expect(comparison.errorsLeftOut.after).toBeCloseTo(5 / 6, 12);
    expect(comparison.run.passHat1).toBeCloseTo(0.5, 12);
    expect(comparison.warnings).toContainEqual(
      expect.stringMatching(/^b: Tasks have 1 to 3 of 3 trials: pass\^k counts/),
    );
  });
});

describe('the lines of a comparison', () => {
  it('have no McNemar test beside rewards that are neither 0 nor 1', () => {
    const before = [row(0, 0, 0.5), row(1, 0, 1)];
    const after = [row(0, 0, 1), row(1, 0, 1)];
    const comparison = compareRuns(comparedRun('a', before, null), comparedRun('b', after, null), quick);
    expect(comparison.errorsLeftOut.mcNemar).toBeNull();
    const lines = [...differenceFigures(comparison)];
    expect(lines.map(({ name }) => name)).not.toContain('McNemar’s exact test');
    expect(lines.find(({ name }) => name === 'trial by trial')?.meaning).toContain('rewards between 0 and 1');
  });

  it('say one task of one', () => {
    const comparison = compareRuns(
      comparedRun('a', [row(0, 0, 1)], null),
      comparedRun('b', [row(0, 0, 0)], null),
      quick,
    );
    const text = [...differenceFigures(comparison)].map(({ meaning }) => meaning).join('\n');
    expect(text).toContain('1 task solved only before');
    expect(text).not.toMatch(/\b1 tasks/);
  });

  it('do not say that no number of trials would show what these runs cannot', () => {
    // Every task always comes out the same way: by these runs, more trials would lessen nothing.
    const rows = (solved: (taskId: number) => boolean) =>
      Array.from({ length: 20 }, (_, taskId) =>
        [0, 1].map((trial) => row(taskId, trial, solved(taskId) ? 1 : 0)),
      ).flat();
    const before = comparedRun(
      'a',
      rows((id) => id < 10),
      null,
    );
    const after = comparedRun(
      'b',
      rows((id) => id > 1 && id < 11),
      null,
    );
    const figures = [...differenceFigures(compareRuns(before, after, quick))];
    const settling = figures.find(({ name }) => name === 'to settle it');
    expect(settling?.value).toBe('more tasks');
    expect(settling?.meaning).toMatch(/^[\d,]+ such tasks instead of 20 would show a true difference of 0\.050/);
  });
});
