import { describe, expect, it } from 'vitest';

import { backoffMs } from '../../activities/backoff.ts';

describe('the wait before another attempt', () => {
  it('doubles from a second to a minute, and lies in the upper half of that', () => {
    const waits = (random: number) => [1, 2, 3, 6, 7, 40].map((failures) => backoffMs(failures, () => random));
    expect(waits(0)).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000]);
    expect(waits(1)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  });
});
