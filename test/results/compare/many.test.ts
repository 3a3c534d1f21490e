import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  compareRuns,
  compareMany,
  manyDocument,
  manyToJson,
  summarizeMany,
  summarizeComparison,
  groupIndistinguishable,
} from '../../../src/results/compare/testing.ts';
import { renderMarkdown } from '../../../src/results/document/index.ts';
import { row } from '../fixtures.ts';
import { manifest, quick, run, twenty } from './runs.ts';

const runs = [run('mid', twenty(12)), run('low', twenty(4)), run('high', twenty(19))];

describe('several runs', () => {
  const comparison = compareMany(runs, quick);

  it('are sorted by score, each with its figures over the tasks in common', () => {
    expect(comparison.runs.map(({ runId, score, place }) => [runId, score, place])).toEqual([
      ['high', 0.95, 2],
      ['mid', 0.6, 0],
      ['low', 0.2, 1],
    ]);
    expect(comparison.tasks).toBe(20);
    expect(comparison.runs[0]).toMatchObject({ perEpisodeUsd: 0.5, passHatK: [{ k: 1, value: 0.95 }] });
  });

  // Eight, fifteen and seven tasks, all of one run only: p = 2/2^8, 2/2^15, 2/2^7; times 2, 3 and 1.
  it('are compared in pairs, with p-values corrected for their number', () => {
    expect(comparison.pairs).toMatchObject([
      { before: 'mid', after: 'low', adjustedP: 2 / 128, decision: 'worse' },
      { before: 'mid', after: 'high', adjustedP: 2 / 128, decision: 'better' },
      { before: 'low', after: 'high', adjustedP: 6 / 2 ** 15, decision: 'better' },
    ]);
    expect(comparison.groups).toEqual([['high'], ['mid'], ['low']]);
    expect(summarizeMany(comparison)[0]).toBe('3 runs over 20 tasks in common: 3 of 3 pairs differ.');
  });

  it('stay in one group with a neighbour that is too close', () => {
    const close = compareMany([run('a', twenty(19)), run('b', twenty(14)), run('c', twenty(9))], quick);
    expect(close.groups).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(close.runs.map(({ letters }) => letters)).toEqual(['a', 'ab', 'b']);
    expect(close.runs.map(({ rank: { best, worst } }) => [best, worst])).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    expect(summarizeMany(close)).toEqual([
      '3 runs over 20 tasks in common: 1 of 3 pairs differ.',
      expect.stringMatching(/^c is worse than a: −0\.500 \(95 % CI .*, corrected p = 0\.006\)\.$/),
      'No difference shown among: a, b.',
      'No difference shown among: b, c.',
    ]);
  });

  it('are over the tasks in common, and pairs over those in common to the two', () => {
    const fewer = run('few', twenty(19).slice(0, 10));
    const { tasks, runs: ranked, pairs } = compareMany([...runs, fewer], quick);
    expect(tasks).toBe(10);
    expect(ranked.map(({ runId, score }) => [runId, score])).toContainEqual(['high', 1]);
    expect(pairs.map(({ difference }) => difference.tasks)).toEqual([20, 20, 10, 20, 10, 10]);
  });

  it('are refused where any two have other tasks, and compared where that is asked for', () => {
    const other = run('other', twenty(4), manifest('other', { split: 'dev' }));
    const refused = compareMany([...runs, other], quick);
    expect(refused.incomparable).toBe('the task split was test and is dev (mid, other)');
    expect(summarizeMany(refused)).toEqual([
      'The runs cannot be compared: the task split was test and is dev (mid, other).',
    ]);
    expect(refused.runs[0]).toMatchObject({ runId: 'mid', episodes: 20, averageReward: 0.6, score: null });
    expect(renderMarkdown(manyDocument(refused))).not.toContain('Pairs');
    const forced = compareMany([...runs, other], { ...quick, allowDifferent: true });
    expect(forced.incomparable).toBeNull();
    expect(forced.warnings[0]).toMatch(/^DIFFERENT TASKS/);
  });

  it('without a task in common show no difference, and count no test', () => {
    const elsewhere = run('elsewhere', [row(500, 0, 1)]);
    const { pairs, tasks } = compareMany([...runs, elsewhere], quick);
    expect(tasks).toBe(0);
    expect(pairs.filter(({ adjustedP }) => adjustedP === null)).toHaveLength(3);
    expect(pairs[0]?.adjustedP).toBe(2 / 128);
  });

  it('are Markdown, JSON, and sentences for a page', () => {
    const differing = compareMany([...runs, run('steps', twenty(12), manifest('steps', { maxSteps: 10 }))], quick);
    const markdown = renderMarkdown(manyDocument(differing));
    expect(markdown).toMatch(/^# 4 runs over 20 tasks in common: 5 of 6 pairs differ\.\n\n> Not only the agents/);
    expect(markdown).toContain('- max_steps: 30 (mid, low, high); 10 (steps)');
    expect(markdown).toContain('| mid → low | 20 | −0.400');
    expect(JSON.parse(JSON.stringify(manyToJson(differing)))).toMatchObject({
      format_version: 1,
      runs: [{ run_id: 'high', score: 0.95 }, {}, {}, {}],
      pairs: [{ before: 'mid', after: 'low', decision: 'worse' }, {}, {}, {}, {}, {}],
    });
  });
});

describe('two runs in words', () => {
  it('are the verdict, the costs, and the warnings', () => {
    const comparison = compareRuns(run('mid', twenty(12)), run('file', twenty(4), null), quick);
    expect(summarizeComparison(comparison)).toEqual([
      expect.stringMatching(/^file: regression: worse than mid: .*\)\.$/),
      'file is worse, and no difference of the costs is shown.',
      expect.stringMatching(/^Only results are known of file: /),
    ]);
  });
});

describe('any runs', () => {
  const solved = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
  const rowsOf = (tasks: readonly boolean[]) => tasks.map((isSolved, id) => row(id, 0, isSolved ? 1 : 0));

  it('have corrected p-values in the order of the plain ones, none below its own; and sides that can change places', () => {
    fc.assert(
      fc.property(fc.array(solved, { minLength: 3, maxLength: 5 }), (all) => {
        const given = all.map((tasks, index) => run(String(index), rowsOf(tasks), null));
        const few = { resamples: 20 };
        const { pairs } = compareMany(given, few);
        const ps = pairs.map(({ difference, adjustedP }) => ({
          p: difference.permutation?.p ?? 1,
          adjusted: adjustedP ?? 1,
        }));
        for (const one of ps) {
          expect(one.adjusted).toBeGreaterThanOrEqual(one.p);
          for (const other of ps) if (one.p < other.p) expect(one.adjusted).toBeLessThanOrEqual(other.adjusted);
        }
        const turned = compareMany([...given].reverse(), few);
        expect([...turned.groups].map((group) => [...group].sort()).sort()).toEqual(
          [...compareMany(given, few).groups].map((group) => [...group].sort()).sort(),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('groups', () => {
  const count = 5;
  const pairs = Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (_unused, b) => [a, a + b + 1] as const),
  ).flat();

  it('are all largest sets of runs without a shown difference, none within another', () => {
    fc.assert(
      fc.property(fc.subarray(pairs), (apart) => {
        const isApart = (a: number, b: number) => apart.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
        const groups = groupIndistinguishable(count, apart);
        const key = (group: readonly number[]) => group.join(' ');
        // Every subset, by enumeration.
        const cliques = Array.from({ length: 2 ** count - 1 }, (_, bits) =>
          Array.from({ length: count }, (_unused, member) => member).filter(
            (member) => ((bits + 1) >> member) % 2 === 1,
          ),
        ).filter((group) => group.every((a) => group.every((b) => a === b || !isApart(a, b))));
        const largest = cliques.filter(
          (group) =>
            !cliques.some((other) => other.length > group.length && group.every((member) => other.includes(member))),
        );
        expect(groups.map(key).sort()).toEqual(largest.map(key).sort());
      }),
    );
  });
});
