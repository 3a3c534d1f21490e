import { describe, expect, it } from 'vitest';

import {
  customerBars,
  faultBars,
  faultTypeBars,
  outcomeBars,
  verdictBars,
} from '../../../src/viewer/charts/breakdown-data.ts';
import { episode, run } from '../payloads.ts';

describe('outcomeBars', () => {
  it('counts episodes, the most frequent first', () => {
    const { metrics } = run([
      episode({ outcome: 'transferred' }),
      episode({ trial: 1 }),
      episode({ trial: 2 }),
      episode({ trial: 3, outcome: 'cancelled' }),
    ]);
    expect(outcomeBars(metrics).bars).toEqual([
      { title: 'the user ended the conversation', count: 2, share: 0.5 },
      { title: 'cancelled', count: 1, share: 0.25 },
      { title: 'handed over to a human agent', count: 1, share: 0.25 },
    ]);
  });
});

const FAULTS = { failed: 10, notAnalyzed: 2, unexplained: 1, kinds: { wrong_tool: 3, missing_write: 4 } };

describe('faultBars', () => {
  it('gives shares of the failures that were analysed', () => {
    const { bars, sentence } = faultBars({ ...FAULTS, faultTypes: {} });
    expect(bars.map(({ title, share }) => [title, share])).toEqual([
      ['a change was not made', 0.5],
      ['another tool was called than was right', 0.375],
      ['no fault was found', 0.125],
    ]);
    expect(sentence).toBe(
      'Of 10 failed episodes, 2 of them not analysed; most often: a change was not made (4, 50 %).',
    );
  });

  it('has nothing to draw where nothing failed', () => {
    const none = { failed: 0, notAnalyzed: 0, unexplained: 0, kinds: {}, faultTypes: {} };
    expect(faultBars(none)).toEqual({ bars: [], sentence: 'Of 0 failed episodes.' });
    expect(faultTypeBars(none).bars).toEqual([]);
  });
});

it('speaks tau-bench’s fault types as words', () => {
  const { bars } = faultTypeBars({ ...FAULTS, faultTypes: { called_wrong_tool: 3, other: 1 } });
  expect(bars.map(({ title, share }) => [title, share])).toEqual([
    ['called wrong tool', 0.75],
    ['other', 0.25],
  ]);
});

it('counts the suspect users', () => {
  const kinds = { invented_id: { episodes: 3, suspects: 2 } };
  expect(customerBars({ analyzed: 20, suspects: 2, kinds })).toEqual({
    bars: [{ title: 'names an id that it cannot know', count: 3, share: 0.15 }],
    sentence: 'Of 20 users checked, 2 suspect (10 %); most often: names an id that it cannot know (3, 15 %).',
  });
});

describe('verdictBars', () => {
  it('is nothing where no judge was asked', () => {
    expect(verdictBars([episode()])).toBeNull();
  });

  it('counts verdicts by author and fault type', () => {
    const agent = { author: 'agent', faultType: 'called_wrong_tool' } as const;
    const user = { author: 'user', faultType: null } as const;
    const episodes = [agent, user, agent, null].map((verdict, trial) => episode({ trial, verdict }));
    expect(verdictBars(episodes)?.bars.map(({ title, count }) => [title, count])).toEqual([
      ['the agent’s: called wrong tool', 2],
      ['the user’s', 1],
    ]);
  });
});
