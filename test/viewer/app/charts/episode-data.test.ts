import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  roundStep,
  spreads,
  spreadSentence,
  userFaultBars,
  faultBars,
  outcomeBars,
  verdictBars,
} from '../../../../src/viewer/app/testing.ts';
import { episode, run } from '../../payloads.ts';

const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(0, 1)), {
  minLength: 1,
  maxLength: 60,
});
const asEpisodes = (drawn: readonly (readonly [number, number])[]) =>
  drawn.map(([steps, reward], trial) => episode({ trial, steps, reward }));

describe('spreads', () => {
  it('puts every episode into the one bin that its value lies in', () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const { bins } = spreads(asEpisodes(drawn), ({ steps }) => steps, 1);
        for (const { low, high, solved, failed } of bins) {
          const inside = drawn.filter(([steps]) => steps >= low && steps < high);
          expect(solved + failed).toBe(inside.length);
          expect(solved).toBe(inside.filter(([, reward]) => reward === 1).length);
        }
        expect(bins.reduce((sum, { solved, failed }) => sum + solved + failed, 0)).toBe(drawn.length);
      }),
    );
  });

  it('has few bins, without gaps, as wide as each other', () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const { bins } = spreads(asEpisodes(drawn), ({ steps }) => steps, 1);
        expect(bins.length).toBeLessThanOrEqual(30);
        for (const [index, bin] of bins.entries()) {
          const next = bins[index + 1];
          if (next !== undefined) expect(next.low).toBe(bin.high);
        }
      }),
    );
  });

  it('leaves out what is not known, and says when nothing is', () => {
    const none = spreads([episode()], ({ durationMs }) => durationMs, 1);
    expect(none).toEqual({ bins: [], medianSolved: null, medianFailed: null });
    expect(spreadSentence(none, String)).toBe('Not known.');
  });

  it('says the medians of both sides', () => {
    const data = spreads(asEpisodes([[3, 1], [5, 1], [9, 0]]), ({ steps }) => steps, 1); // prettier-ignore
    expect(spreadSentence(data, (value) => `${String(value)} steps`)).toBe(
      'Half of the solved episodes take at most 4 steps, half of the failed ones at most 9 steps; 67 % of 3 were solved.',
    );
  });
});

it('steps of an axis are rounded up to 1, 2, 5, 10 …', () => {
  expect([0, 1, 1.2, 3, 5.5, 40, 101].map((least) => roundStep(least, 1))).toEqual([1, 1, 2, 5, 10, 50, 200]);
  expect(roundStep(0.03, 0.01)).toBeCloseTo(0.05);
});

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
      { title: 'transferred to a human agent', count: 1, share: 0.25 },
    ]);
  });
});

const FAULTS = { failed: 10, notAnalyzed: 2, unexplained: 1, kinds: { wrong_tool: 3, missing_write: 4 } };

describe('faultBars', () => {
  it('gives shares of the failures that were analysed, with tau-bench’s types', () => {
    const { bars, sentence } = faultBars({ ...FAULTS, faultTypes: {} });
    expect(bars.map(({ title, share }) => [title, share])).toEqual([
      ['a change was not made · goal partially completed', 0.5],
      ['another tool was called than was right · called wrong tool', 0.375],
      ['no fault was found', 0.125],
    ]);
    expect(sentence).toBe(
      'Of 10 failed episodes, 2 of them not analysed; most often: a change was not made · goal partially completed (4, 50 %).',
    );
  });

  it('has nothing to draw where nothing failed', () => {
    const none = { failed: 0, notAnalyzed: 0, unexplained: 0, kinds: {}, faultTypes: {} };
    expect(faultBars(none)).toEqual({ bars: [], sentence: 'Of 0 failed episodes.' });
  });
});

it('counts the suspect users', () => {
  const kinds = { invented_id: { episodes: 3, suspects: 2 } };
  expect(userFaultBars({ analyzed: 20, suspects: 2, kinds })).toEqual({
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
