import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idealWallMs, inOrderWallMs, median, sum } from '../../perf/figures.ts';

describe('median', () => {
  it('is the middle of an odd number of values, and the mean of the two middle ones of an even number', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('does not change what it is given', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('refuses an empty list', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('the ideal wall time', () => {
  it('is the sum of all latencies over the concurrency', () => {
    expect(idealWallMs([500, 500, 1000, 2000], 2)).toBe(2000);
  });

  it('is at least the longest episode, whose calls come one after another', () => {
    expect(idealWallMs([100, 100, 5000], 50)).toBe(5000);
  });

  it('is nothing for no episodes', () => {
    expect(idealWallMs([], 10)).toBe(0);
  });

  it('refuses a concurrency under 1', () => {
    expect(() => idealWallMs([1], 0)).toThrow(RangeError);
  });
});

describe('the wall time in a given order', () => {
  it('opens an episode as soon as a place is free', () => {
    expect(inOrderWallMs([3, 1, 1, 1, 6], 2)).toBe(9);
  });

  it('lies between the ideal and twice the ideal, and is the sum with one place', () => {
    const chains = fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(chains, fc.integer({ min: 1, max: 70 }), (chainsMs, concurrency) => {
        const ideal = idealWallMs(chainsMs, concurrency);
        const inOrder = inOrderWallMs(chainsMs, concurrency);
        expect(inOrder).toBeGreaterThanOrEqual(ideal);
        expect(inOrder).toBeLessThanOrEqual(2 * ideal);
        expect(inOrderWallMs(chainsMs, 1)).toBe(sum(chainsMs));
      }),
    );
  });
});
