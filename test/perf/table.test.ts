import { describe, expect, it } from 'vitest';
import {
  bytes,
  count,
  formatQuantity,
  formatTable,
  isWithinTarget,
  ms,
  perSecond,
  ratioOf,
  rowToJson,
  type Row,
} from '../../perf/table.ts';

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
    expect(ratioOf(wall)).toBeCloseTo(1.0147, 4);
    expect(ratioOf({ section: '', name: '', measured: ms(1) })).toBeNull();
    expect(ratioOf({ ...wall, measured: null })).toBeNull();
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
