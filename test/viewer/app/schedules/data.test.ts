import { describe, expect, it } from 'vitest';
import type { TrendPoint } from '../../../../src/viewer/data/testing.ts';
import {
  isNews,
  scoreText,
  shownTime,
  sparkline,
  trendSentence,
  toVerdictStatus,
} from '../../../../src/viewer/app/testing.ts';

function point(day: number, passHat1: number | null, more: Partial<TrendPoint> = {}): TrendPoint {
  return {
    runId: `shop-2026-11-${day}T020000Z`,
    at: `2026-11-${day}T02:00:00Z`,
    status: 'completed',
    episodes: 40,
    errors: 0,
    passHat1,
    interval: null,
    costUsd: 1,
    verdict: null,
    baseline: null,
    sentence: null,
    ...more,
  };
}

const trend = (...runs: TrendPoint[]) => ({ schedule: 'shop', runs });

describe('a verdict', () => {
  it('has a word and a sign of its own, and is news only where a reader has to look', () => {
    const verdicts = ['regression', 'improvement', 'no_difference', 'unfinished', 'incomparable', 'first'] as const;
    const shown = verdicts.map((verdict) => toVerdictStatus(point(10, 1, { verdict })));
    expect(new Set(shown.map(({ sign }) => sign)).size).toBe(verdicts.length);
    expect(new Set(shown.map(({ word }) => word)).size).toBe(verdicts.length);
    expect(verdicts.filter((verdict) => isNews(point(10, 1, { verdict })))).toEqual([
      'regression',
      'improvement',
      'unfinished',
      'incomparable',
    ]);
  });

  it('is the status of a run that was not compared', () => {
    expect(toVerdictStatus(point(10, null, { status: 'running' })).word).toBe('running');
    expect(toVerdictStatus(point(10, null, { status: 'cancelled' }))).toMatchObject({ word: 'canceled', tone: 'warn' });
    expect(toVerdictStatus(point(10, 1)).word).toBe('not compared');
  });
});

describe('a trend in a sentence', () => {
  it('has its runs, its first and last score, and its verdicts', () => {
    const runs = [point(10, 0.875), point(11, null), point(12, 0.625, { verdict: 'regression' })];
    expect(trendSentence(trend(...runs))).toBe(
      '3 runs, 2026-11-10 to 2026-11-12. pass^1 was 0.875 in the first and is 0.625 in the last. 1 regression.',
    );
  });

  it('says no more than is known', () => {
    expect(trendSentence(trend(point(10, null)))).toBe('1 run, 2026-11-10.');
    expect(trendSentence(trend())).toBe('');
  });
});

it('times and scores are short', () => {
  expect(shownTime(point(10, 1))).toBe('2026-11-10 02:00');
  expect(scoreText(point(10, 0.5, { interval: { low: 0.4, high: 0.6 } }))).toBe('0.500 (0.400 to 0.600)');
});

describe('a sparkline', () => {
  it('reaches from edge to edge where scores differ, and leaves out runs without one', () => {
    const points = sparkline(trend(point(10, 0.2), point(11, null), point(12, 0.8), point(13, 0.5)));
    expect(points.map(({ x }) => x)).toEqual([0, 0.5, 1]);
    const heights = points.map(({ y }) => Number(y.toFixed(6)));
    expect(heights).toEqual([1, 0, 0.5]);
  });

  it('keeps small changes small, and a single score in the middle', () => {
    const [low, high] = sparkline(trend(point(10, 0.5), point(11, 0.52)));
    expect((low?.y ?? 0) - (high?.y ?? 0)).toBeCloseTo(0.1);
    expect(sparkline(trend(point(10, 1)))).toEqual([{ x: 1, y: expect.closeTo(0.5) as number }]);
    expect(sparkline(trend())).toEqual([]);
  });
});
