import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWindow } from '../../src/orchestration/testing.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe("a long sweep's window", () => {
  it('is split equally, and the first lanes take what does not divide', () => {
    expect(splitWindow(10, [500, 500, 500])).toEqual([4, 3, 3]);
    expect(splitWindow(1, [500, 500])).toEqual([1, 0]);
  });

  it('is used by the others where a lane has too few episodes', () => {
    expect(splitWindow(1_000, [500, 500, 150])).toEqual([425, 425, 150]);
    expect(splitWindow(1_100, [500, 500, 150])).toEqual([475, 475, 150]);
  });

  it('is split whole, in parts that differ by one at most but for lanes that have all their episodes open', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), sizes, (window, lanes) => {
        const parts = splitWindow(window, lanes);
        expect(sum(parts)).toBe(Math.min(window, sum(lanes)));
        const most = Math.max(...parts);
        parts.forEach((part, lane) => {
          expect(part).toBeLessThanOrEqual(lanes[lane] ?? 0);
          if (part !== lanes[lane]) expect(part).toBeGreaterThanOrEqual(most - 1);
        });
      }),
    );
  });
});
