import { describe, expect, it } from 'vitest';
import {
  bytes,
  count,
  formatQuantity,
  formatTable,
  isWithinTarget,
  medianRows,
  ms,
  perSecond,
  toRatio,
  rowToJson,
  idealWallMs,
  inOrderWallMs,
  median,
  sum,
  type Row,
} from '../../perf/table.ts';
import fc from 'fast-check';

const wall: Row = {
  section: 'Sweep',
  name: 'wall',
  measured: ms(48_200),
  baseline: { ...ms(47_500), what: 'ideal' },
  target: { atMost: 1.05, of: 'ratio' },
};

describe('quantities', () => {
  it('are printed in the largest unit that leaves at least 1', () => {
    expect(formatQuantity(ms(48_200))).toBe('48.2 s');
    expect(formatQuantity(ms(0.00061))).toBe('610 ns');
    expect(formatQuantity(ms(1.5))).toBe('1.50 ms');
    expect(formatQuantity(bytes(911_000_000))).toBe('911 MB');
    expect(formatQuantity(bytes(900))).toBe('900 B');
    expect(formatQuantity(perSecond(9364.4))).toBe('9,364/s');
    expect(formatQuantity(count(1_234_567))).toBe('1,234,567');
  });
});

describe('a row', () => {
  it('has the ratio of what was measured to what it is held against', () => {
    expect(toRatio(wall)).toBeCloseTo(1.0147, 4);
    expect(toRatio({ section: '', name: '', measured: ms(1) })).toBeNull();
    expect(toRatio({ ...wall, measured: null })).toBeNull();
  });

  it('is within its target when the ratio, or the figure itself, does not exceed it', () => {
    expect(isWithinTarget(wall)).toBe(true);
    expect(isWithinTarget({ ...wall, measured: ms(60_000) })).toBe(false);
    expect(isWithinTarget({ ...wall, target: { atMost: 48_000, of: 'measured' } })).toBe(false);
    expect(isWithinTarget({ ...wall, measured: null })).toBeNull();
    expect(isWithinTarget({ section: '', name: '', measured: ms(1) })).toBeNull();
  });

  it('is printed as JSON in base units with nothing rounded', () => {
    expect(rowToJson(wall)).toEqual({
      section: 'Sweep',
      name: 'wall',
      measured: 48_200,
      unit: 'ms',
      baseline: { what: 'ideal', value: 47_500 },
      ratio: 48_200 / 47_500,
      target: { atMost: 1.05, of: 'ratio' },
      within_target: true,
      note: null,
    });
  });
});

describe('the table', () => {
  it('aligns its columns, names each section once and says which targets are exceeded', () => {
    const rows: Row[] = [
      wall,
      { section: 'Sweep', name: 'slow', measured: ms(1000), target: { atMost: 500, of: 'measured' }, note: 'a note' },
      { section: 'Memory', name: 'peak', measured: null, note: 'needs Linux' },
      { section: 'Memory', name: 'reset', measured: ms(0.0001), baseline: { ...ms(50), what: 'copy' } },
    ];
    expect(formatTable(rows)).toBe(
      [
        '         measured  held against      ratio  target',
        '',
        'Sweep',
        '  wall     48.2 s  ideal 47.5 s      1.01×  ≤ 1.05× ok',
        '  slow        1 s                           ≤ 500 ms OVER  a note',
        '',
        'Memory',
        '  peak          –                                          needs Linux',
        '  reset    100 ns  copy 50 ms    1/500,000',
      ].join('\n'),
    );
  });
});

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

describe('several runs', () => {
  const row = (value: number, held: number): Row => ({
    section: 'Sweep',
    name: 'wall',
    measured: ms(value),
    baseline: { ...ms(held), what: 'ideal' },
  });

  it('make one table of medians, with the smallest and the largest value', () => {
    const rows = medianRows([[row(3_000, 10)], [row(1_000, 30)], [row(2_000, 20)]]);
    expect(rows).toEqual([{ ...row(2_000, 20), spread: [1_000, 3_000] }]);
    expect(formatTable(rows)).toContain('1 s to 3 s');
    expect(rowToJson(rows[0] ?? row(0, 0))).toMatchObject({ measured: 2_000, spread: [1_000, 3_000] });
  });

  it('leave out what one of them could not measure, and a run of its own as it is', () => {
    const missing: Row = { ...row(0, 10), measured: null };
    expect(medianRows([[missing], [row(4, 10)], []])).toMatchObject([{ measured: { value: 4 }, spread: [4, 4] }]);
    expect(medianRows([[missing], [missing]])).toEqual([missing]);
    expect(medianRows([[row(4, 10)]])).toEqual([row(4, 10)]);
  });
});
