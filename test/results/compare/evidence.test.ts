import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareRuns, flipItems, tradeSentence } from '../../../src/results/compare/testing.ts';
import { findSettling } from '../../../src/results/metrics/index.ts';
import { renderTerminal } from '../../../src/cli/terminal/testing.ts';
import { formatP, renderMarkdown, list } from '../../../src/results/document/index.ts';
import type { EpisodeRow } from '../../../src/run-log/index.ts';
import { row } from '../fixtures.ts';
import { manifest, quick, run, twenty } from './runs.ts';

describe('a task that was lost', () => {
  const temporal = { address: '127.0.0.1:7233', namespace: 'default', workflowId: 'b' };
  const fault = {
    kind: 'missing_write',
    faultType: 'goal_partially_completed',
    step: 4,
    sentence: 'Not paid.',
  } as const;
  const before = { ...run('a', [row(3, 0, 1), row(3, 1, 1)]), hasRecords: false };
  const after = {
    ...run(
      'b',
      [row(3, 1, 0, { outcome: 'max_steps', analysis: { faults: [fault], differences: [], user: [] } }), row(3, 0, 1)],
      manifest('b', {}, { temporal }),
    ),
    uiUrl: 'http://127.0.0.1:8233',
  };
  const { worse } = compareRuns(before, after, quick);

  it('has its episodes by trial, each with what is known of where it is', () => {
    expect(worse).toMatchObject([
      {
        taskId: 3,
        episodesBefore: [
          { trial: 0, reward: 1, workflowId: null, url: null, record: null },
          { trial: 1, reward: 1 },
        ],
        episodesAfter: [
          { trial: 0, reward: 1 },
          {
            trial: 1,
            reward: 0,
            workflowId: 'b/task-3/trial-1',
            url: 'http://127.0.0.1:8233/namespaces/default/workflows/b%2Ftask-3%2Ftrial-1',
            record: 'b/episodes/task-3.trial-1.json',
          },
        ],
        fault: { runId: 'b', trial: 1, fault: { kind: 'missing_write', step: 4 } },
      },
    ]);
  });

  it('is one line in the terminal, with a list of links in Markdown', () => {
    const items = flipItems(worse, 'a', 'b');
    const line = 'task 3: 1.000 → 0.500 (1 1 → 1 0), a change was not made, step 4 of b/task-3/trial-1';
    expect(renderTerminal([list(items)], { columns: 60, color: false })).toBe(`  ${line}\n`);
    const item = renderMarkdown([list(items)]);
    expect(item).toContain(`- ${line}\n  - b: Not paid.\n`);
    expect(item).toContain('\n  - a: trial 0: 1; trial 1: 1');
    expect(item).toContain(
      'trial 1: 0 (max_steps) [b/task-3/trial-1](http://127.0.0.1:8233/namespaces/default/workflows/b%2Ftask-3%2Ftrial-1)' +
        ' ([record](b/episodes/task-3.trial-1.json))',
    );
  });

  it('counts the rest of many', () => {
    const many = compareRuns(run('a', twenty(20)), run('b', twenty(0)), quick).worse;
    const items = flipItems([...many, ...many], 'a', 'b');
    expect(items).toHaveLength(21);
    expect(items.at(-1)).toMatchObject({ text: 'and 20 more' });
  });
});

describe('cost against score', () => {
  const at = (solved: number, costUsd: number | null): EpisodeRow[] =>
    twenty(solved).map((episode) => ({
      ...episode,
      costUsd,
      roles: episode.roles.map((role) => ({ ...role, costUsd })),
    }));

  it.each([
    ['better and cheaper', [6, 0.5], [18, 0.25], 'dominates', 'b is better and cheaper by 50 %: it dominates a.'],
    [
      'worse and more expensive',
      [18, 0.25],
      [6, 0.5],
      'dominated',
      'b is worse and more expensive by 100 %: a dominates it.',
    ],
    // 0.25 USD more an episode for 0.6 more successes an episode.
    [
      'better and more expensive',
      [6, 0.25],
      [18, 0.5],
      'trade_off',
      'b is better and more expensive by 100 %: $0.4167 for each additional success.',
    ],
    [
      'as good and cheaper',
      [18, 0.5],
      [18, 0.25],
      'cheaper',
      'No difference of the scores is shown, and b is cheaper by 50 %.',
    ],
    ['worse, and no longer free', [18, 0], [6, 0.5], 'dominated', 'b is worse and more expensive: a dominates it.'],
    ['worse for as much', [18, 0.5], [6, 0.5], 'score_only', 'b is worse, and no difference of the costs is shown.'],
    ['free both', [18, 0], [6, 0], 'score_only', 'Neither run cost anything.'],
    [
      'of unknown price',
      [18, 0.5],
      [6, null],
      'not_known',
      expect.stringMatching(/^The difference of the costs is not known/),
    ],
  ] as const)('%s', (_, [solvedA, costA], [solvedB, costB], trade, sentence) => {
    const comparison = compareRuns(run('a', at(solvedA, costA)), run('b', at(solvedB, costB)), quick);
    expect(comparison.costs.trade).toBe(trade);
    expect(tradeSentence(comparison)).toEqual(sentence);
  });

  it('is over the tasks of both runs', () => {
    const expensive = [...at(18, 0.25), row(99, 0, 1, { costUsd: 1000 })];
    const { costs } = compareRuns(run('a', at(18, 0.25)), run('b', expensive), quick);
    expect(costs).toMatchObject({ after: { episodes: 20, perEpisodeUsd: 0.25 }, deltaUsd: 0, trade: 'neither' });
  });
});

describe('what it would take', () => {
  const pair = (taskId: number, before: number, after: number, trials: number) => ({
    taskId,
    before,
    after,
    trialsBefore: trials,
    trialsAfter: trials,
  });

  // SD of the differences: 5 of 20 gained, 3 lost: mean 0.1, SD² = (8 − 20·0.01)/19 = 0.410526. Detectable:
  // (1.95996 + 0.84162)·0.640723/√20 = 0.401377; so 20·(0.401377/0.1)² = 322.2 tasks, or as many times the trials.
  it('is so many times the trials where each task has one', () => {
    const pairs = Array.from({ length: 20 }, (_, id) => pair(id, id < 3 ? 1 : 0, id >= 3 && id < 8 ? 1 : 0, 1));
    expect(findSettling(pairs)).toEqual({ difference: 0.1, trials: 18, trialsRange: { low: 9, high: 28 }, tasks: 323 });
  });

  it('is more tasks where the difference lies in the tasks, not in the trials', () => {
    const pairs = Array.from({ length: 20 }, (_, id) => pair(id, id < 3 ? 1 : 0, id >= 3 && id < 8 ? 1 : 0, 4));
    expect(findSettling(pairs)).toMatchObject({ trials: null, tasks: 323 });
  });

  // The tasks' differences vary by 0.0536, of which the trials alone would account for 0.4375. The quantiles of t with
  // seven degrees of freedom are 2.365 and 0.896: (2·0.4375)·3.261²/(8·0.125²) = 74.4 trials of each task.
  it('is more trials where they alone account for the spread of the tasks', () => {
    const pairs = Array.from({ length: 8 }, (_, id) => pair(id, 0.5, id < 2 ? 1 : 0.5, 2));
    expect(findSettling(pairs)).toMatchObject({ difference: 0.125, trials: 75 });
  });

  it('is nothing where no difference was seen', () => {
    expect(findSettling([pair(0, 1, 0, 1), pair(1, 0, 1, 1)])).toBeNull();
    expect(findSettling([pair(0, 0, 1, 1), pair(1, 0, 1, 1)])).toBeNull();
    expect(findSettling([])).toBeNull();
  });
});

describe('a p-value in words', () => {
  it('never reads as the level where it is below it', () => {
    expect([0.0499, 0.04996, 0.05, 0.0124, 0.126, 0.0001].map((p) => formatP(p))).toEqual([
      '< 0.050',
      '< 0.050',
      '0.050',
      '0.012',
      '0.13',
      '< 0.001',
    ]);
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.0499999, noNaN: true }), (p) => {
        const figure = formatP(p);
        expect(figure.startsWith('<') || Number(figure) < 0.05).toBe(true);
      }),
    );
  });
});
