import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareRuns, comparisonDocument } from '../../../src/results/compare/testing.ts';
import { comparisonCodec } from '../../../src/run-log/testing.ts';
import { renderMarkdown } from '../../../src/results/document/index.ts';
import { CONFIG, row } from '../fixtures.ts';
import { manifest, quick, run, twenty } from './runs.ts';

describe('runs with conditions', () => {
  const under = (condition: string, solved: number) => twenty(solved, { condition });
  const withConditions = (runId: string, rate: number, conditionRows: ReturnType<typeof twenty>) => {
    const conditions = [{ name: 'tool-errors', rate: 0.2 }, { name: 'lost-answers', rate }, { name: 'slow-tools' }];
    return { ...run(runId, twenty(16), manifest(runId, { conditions })), conditionRows };
  };

  it('are compared under the conditions that both have with equal options', () => {
    const [before, after] = [
      withConditions('a', 0.5, [...under('tool-errors', 16), ...under('lost-answers', 16), ...under('slow-tools', 16)]),
      withConditions('b', 0.6, [...under('tool-errors', 2), ...under('lost-answers', 2), ...under('slow-tools', 16)]),
    ];
    const comparison = compareRuns(before, after, quick);
    expect(comparison.verdict).toBe('no_difference');
    const document = renderMarkdown(comparisonDocument(comparison));
    expect(document).toMatch(/tool-errors +\| 0\.800 → 0\.100 +\| −0\.700 \(95 % CI/);
    expect(document).toMatch(/slow-tools +\| 0\.800 → 0\.800 +\|/);
    expect(document).toContain('Conditions of one run only: lost-answers=0.5, lost-answers=0.6.');
  });
});

describe('the verdict', () => {
  it('is a regression where the permutation test shows that', () => {
    const comparison = compareRuns(run('a', twenty(16)), run('b', twenty(6)), quick);
    expect(comparison).toMatchObject({
      verdict: 'regression',
      errorsLeftOut: { tasks: 20, before: 0.8, after: 0.3, mcNemar: { worse: 10, better: 0 } },
      baseline: { runId: 'a', averageReward: 0.8, passHat1: 0.8 },
      run: { runId: 'b', averageReward: 0.3 },
      better: [],
    });
    expect(comparison.errorsLeftOut.delta).toBeCloseTo(-0.5, 12);
    expect(comparison.worse.map(({ taskId }) => taskId)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(comparison.sentence).toMatch(
      /^worse than a: 0\.800 → 0\.300 over 20 tasks, −0\.500 \(95 % CI −0\.\d+ to −0\.\d+, p = 0\.002\)$/,
    );
  });

  it('is an improvement the other way round', () => {
    const comparison = compareRuns(run('b', twenty(6)), run('a', twenty(16)), quick);
    expect(comparison.verdict).toBe('improvement');
    expect(comparison.better).toHaveLength(10);
  });

  it('is no difference where the test shows none, with the minimum detectable effect', () => {
    const comparison = compareRuns(run('a', twenty(16)), run('b', twenty(15)), quick);
    expect(comparison.verdict).toBe('no_difference');
    expect(comparison.sentence).toMatch(
      /^no difference shown against a: 0\.800 → 0\.750 .*, p = 1\.00\); minimum detectable effect 0\.378 \(80 % power\)$/,
    );
  });

  it('is the first without anything to compare with', () => {
    expect(compareRuns(null, run('b', twenty(16)))).toMatchObject({ verdict: 'first', baseline: null });
  });

  it.each([
    [
      'pack',
      { pack: { name: 'shop', digest: 'cd'.repeat(32), path: '/packs/shop' } },
      /the pack was shop ab.* is shop cd/,
    ],
    ['split', { split: 'dev' }, /the task split was test and is dev/],
    ['env', { env: 'airline' }, /the env was retail and is airline/],
  ])('is incomparable with another %s', (_, config, reason) => {
    const comparison = compareRuns(run('a', twenty(16)), run('b', twenty(0), manifest('b', config)));
    expect(comparison.verdict).toBe('incomparable');
    expect(comparison.incomparable).toMatch(reason);
    expect(comparison.errorsLeftOut.tasks).toBe(0);
  });

  it('is incomparable without a task in common', () => {
    const others = twenty(10).map((other) => ({ ...other, taskId: other.taskId + 100 }));
    const comparison = compareRuns(run('a', twenty(10)), run('b', others));
    expect(comparison).toMatchObject({
      verdict: 'incomparable',
      onlyBaseline: { length: 20 },
      onlyRun: { length: 20 },
    });
  });

  it('names another configuration, and compares', () => {
    const other = manifest('b', { agentModel: { provider: 'openai', model: 'gpt-5', temperature: 0 } });
    const comparison = compareRuns(run('a', twenty(16)), run('b', twenty(16), other), quick);
    expect(comparison.settings).toEqual([{ name: 'agent_model.model', concern: 'agent', values: ['gpt-4o', 'gpt-5'] }]);
    expect(comparison.verdict).toBe('no_difference');
  });

  it('takes every setting of the agent’s model for another agent, and of the user’s for another condition', () => {
    const plain = { provider: 'openai', model: 'gpt-5', temperature: null };
    const low = { ...plain, reasoning_effort: 'low', extra_body: { tier: 'flex' } } as const;
    const high = { ...plain, reasoning_effort: 'high', top_p: 0.9, wire: 'responses' } as const;
    const comparison = compareRuns(
      run('a', twenty(16), manifest('a', { agentModel: low })),
      run('b', twenty(16), manifest('b', { agentModel: high, userModel: { ...CONFIG.userModel, top_p: 0.5 } })),
      quick,
    );
    expect(
      Object.fromEntries(comparison.settings.map(({ name, concern, values }) => [name, [concern, ...values]])),
    ).toEqual({
      'agent_model.reasoning_effort': ['agent', 'low', 'high'],
      'agent_model.extra_body.tier': ['agent', 'flex', 'none'],
      'agent_model.top_p': ['agent', 'none', '0.9'],
      'agent_model.wire': ['agent', 'none', 'responses'],
      'user_model.top_p': ['conditions', 'none', '0.5'],
    });
  });
});

describe('unfinished work', () => {
  const broken = (taskId: number) => row(taskId, 0, 0, { outcome: 'infrastructure_error', error: 'no key' });

  it('is the verdict, with counts, and the comparison is over the tasks of both runs', () => {
    const rows = [...twenty(16).slice(0, 15), broken(15), broken(16), row(17, 0, 0, { outcome: 'cancelled' })];
    const comparison = compareRuns(run('a', twenty(16)), run('b', rows), quick);
    expect(comparison.verdict).toBe('unfinished');
    expect(comparison.run.unfinished).toEqual({ infrastructureErrors: 2, cancelled: 1, missing: 2 });
    expect(comparison.errorsLeftOut).toMatchObject({ tasks: 15, delta: 0 });
    expect(comparison.errorsAsFailures).toMatchObject({ tasks: 17 });
    expect(comparison.errorsAsFailures.delta).toBeCloseTo(-1 / 17, 12);
    expect(comparison.sentence).toMatch(
      /^unfinished: 2 infrastructure errors, 1 cancelled, 2 not run; over the tasks of both: 1\.000 → 1\.000 over 15 tasks/,
    );
  });

  it('does not hide a regression that it cannot explain', () => {
    const comparison = compareRuns(run('a', twenty(16)), run('b', [...twenty(4).slice(0, 19), broken(19)]), quick);
    expect(comparison.verdict).toBe('regression');
    expect(comparison.sentence).toMatch(/; unfinished: 1 infrastructure error$/);
  });

  it('is the verdict over a run that has failed or was cancelled, whatever it has', () => {
    for (const status of ['failed', 'cancelled', 'incomplete'] as const) {
      expect(compareRuns(run('a', twenty(16)), { ...run('b', twenty(16)), status }, quick).verdict).toBe('unfinished');
    }
    const completed = { ...run('b', twenty(16)), status: 'completed' } as const;
    expect(compareRuns(run('a', twenty(16)), completed, quick).verdict).not.toBe('unfinished');
  });

  it('compares nothing with episodes whose error is nobody’s', () => {
    const lost = (taskId: number) => row(taskId, 0, 0, { outcome: 'error', error: 'boom' });
    const rows = [...twenty(20).slice(0, 10), ...Array.from({ length: 10 }, (_, at) => lost(10 + at))];
    expect(compareRuns(run('a', twenty(20)), run('b', rows), quick).errorsLeftOut).toMatchObject({
      tasks: 10,
      delta: 0,
    });
  });

  it('is the whole sentence for a run without any episode', () => {
    const failed = { ...run('b', [], null), status: 'failed', planned: 20 } as const;
    expect(compareRuns(run('a', twenty(16)), failed)).toMatchObject({
      verdict: 'unfinished',
      run: { averageReward: null, unfinished: { missing: 20 } },
      sentence: 'unfinished: 20 not run; no scored episode of a common task with a',
    });
  });

  it('takes precedence over being the first', () => {
    expect(compareRuns(null, run('b', [broken(0)])).verdict).toBe('unfinished');
  });
});

const rewards = fc.array(fc.record({ taskId: fc.nat(12), trial: fc.nat(3), reward: fc.constantFrom(0, 1) }), {
  maxLength: 40,
});
const rowsOf = (episodes: readonly { taskId: number; trial: number; reward: number }[]) =>
  episodes.map(({ taskId, trial, reward }) => row(taskId, trial, reward));

const MIRRORED: Readonly<Record<string, string>> = { regression: 'improvement', improvement: 'regression' };

describe('runs with different numbers of trials', () => {
  it('are decided by the larger p of two tests, and say so', () => {
    const one = Array.from({ length: 10 }, (_, id) => row(id, 0, 1));
    const eight = one.flatMap(({ taskId }) =>
      Array.from({ length: 8 }, (_, trial) => row(taskId, trial, trial === 0 ? 0 : 1)),
    );
    const comparison = compareRuns(run('a', one, null), run('b', eight, null), { resamples: 100 });
    const { permutation, dealtP } = comparison.errorsLeftOut;
    // Ten tasks fall by 1/8: 2/2^10 by signs, though 8 of 9 trials of each were solved, and the chance that the one was is 8/9.
    expect(permutation?.p).toBe(dealtP);
    expect(dealtP).toBeGreaterThan(0.3);
    expect(comparison.verdict).toBe('no_difference');
    expect(compareRuns(run('a', one, null), run('b', one, null)).errorsLeftOut.dealtP).toBeNull();
  });
});

describe('any two runs', () => {
  it('differ the other way round when they change places', () => {
    const few = { resamples: 100 };
    fc.assert(
      fc.property(rewards, rewards, (x, y) => {
        const [a, b] = [run('a', rowsOf(x), null), run('b', rowsOf(y), null)];
        const [there, back] = [compareRuns(a, b, few), compareRuns(b, a, few)];
        expect(back.errorsLeftOut.delta ?? 0).toBeCloseTo(-(there.errorsLeftOut.delta ?? 0), 12);
        expect(back.worse.map(({ taskId }) => taskId)).toEqual(there.better.map(({ taskId }) => taskId));
        expect(back.errorsLeftOut.mcNemar?.p).toBe(there.errorsLeftOut.mcNemar?.p);
        expect(back.errorsLeftOut.permutation).toEqual(there.errorsLeftOut.permutation);
        expect(back.verdict).toBe(MIRRORED[there.verdict] ?? there.verdict);
        expect([back.onlyRun, back.onlyBaseline]).toEqual([there.onlyBaseline, there.onlyRun]);
      }),
      { numRuns: 50 },
    );
  });

  it('do not differ when they are the same, in whatever order', () => {
    fc.assert(
      fc.property(rewards, (x) => {
        const rows = rowsOf(x);
        const comparison = compareRuns(run('a', rows, null), run('b', [...rows].reverse(), null), { resamples: 100 });
        expect(Math.abs(comparison.errorsLeftOut.delta ?? 0)).toBe(0);
        expect([...comparison.worse, ...comparison.better]).toEqual([]);
        expect(['no_difference', 'incomparable']).toContain(comparison.verdict);
      }),
      { numRuns: 50 },
    );
  });

  it('differ alike in whatever order their episodes were read', () => {
    const few = { resamples: 50 };
    fc.assert(
      fc.property(rewards, rewards, (x, y) => {
        const [a, b] = [rowsOf(x), rowsOf(y)];
        const turned = compareRuns(run('a', [...a].reverse(), null), run('b', [...b].reverse(), null), few);
        const { worse, better, trials, ...comparison } = compareRuns(run('a', a, null), run('b', b, null), few);
        expect(turned).toMatchObject({ verdict: comparison.verdict, errorsLeftOut: comparison.errorsLeftOut });
        expect(turned.worse.map(({ taskId }) => taskId)).toEqual(worse.map(({ taskId }) => taskId));
        expect(turned.better).toHaveLength(better.length);
        expect(turned.trials === null).toBe(trials === null);
      }),
      { numRuns: 50 },
    );
  });

  it('have with one trial a task the same p by McNemar’s test, and with several none, but a table', () => {
    const { errorsLeftOut } = compareRuns(run('a', twenty(16)), run('b', twenty(9)), quick);
    expect(errorsLeftOut.mcNemar?.p).toBeCloseTo(errorsLeftOut.permutation?.p ?? NaN, 12);
    const before = [row(0, 0, 1), row(0, 1, 0), row(1, 0, 1), row(2, 0, 0)];
    const after = [row(0, 0, 1), row(0, 1, 1), row(1, 0, 0), row(1, 1, 1), row(2, 0, 0)];
    const several = compareRuns(run('a', before, null), run('b', after, null), quick);
    expect(several.errorsLeftOut.mcNemar).toBeNull();
    expect(several.trials).toEqual({ both: 1, onlyBefore: 1, onlyAfter: 1, neither: 1 });
  });
});

describe('a written comparison', () => {
  const comparison = compareRuns(run('a', twenty(16)), run('b', twenty(6)), quick);

  it('is read again', () => {
    const read = comparisonCodec.read(comparisonCodec.write(comparison));
    expect(read).toMatchObject({ verdict: 'regression', sentence: comparison.sentence });
    expect(read.run).toEqual({
      runId: 'b',
      episodes: 20,
      averageReward: 0.3,
      passHat1: 0.3,
      costUsd: 10,
      unfinished: { infrastructureErrors: 0, cancelled: 0, missing: 0 },
    });
    expect(read.errorsLeftOut.interval).toEqual(comparison.errorsLeftOut.interval);
  });

  it('is refused when it is cut short, or something else', () => {
    expect(() => comparisonCodec.read(comparisonCodec.write(comparison).slice(0, 100))).toThrow(/not complete JSON/);
    expect(() => comparisonCodec.read('{"format_version": 2}')).toThrow();
  });

  it('is Markdown with both runs and the tasks that changed', () => {
    const markdown = renderMarkdown(comparisonDocument(comparison));
    expect(markdown).toMatch(/^# regression: worse than a/);
    expect(markdown).toContain('| a | 20 | 0.800 | 0.800 | $10.00 | — |');
    expect(markdown).toContain('- task 6: 1.000 → 0.000');
  });
});
