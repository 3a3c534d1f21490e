import { expect, it } from 'vitest';

import { percent, shortTime, tickUsd, timeUnit, withInterval } from '../../../../src/viewer/app/testing.ts';

it('never rounds a share to none or to all', () => {
  expect([0, 0.001, 0.256, 0.999, 1].map(percent)).toEqual(['0 %', '< 1 %', '26 %', '> 99 %', '100 %']);
});

it('writes an interval with its level', () => {
  expect(withInterval(0.5, { low: 0.4, high: 0.6123, level: 0.9 })).toBe('0.500 (90 %: 0.400 to 0.612)');
  expect(withInterval(null, null)).toBe('—');
});

it('writes money and time with the digits that say something', () => {
  expect([0, 0.0004, 0.1 + 0.2, 20].map(tickUsd)).toEqual(['$0', '$0.0004', '$0.3', '$20']);
  expect([40, 2300, 61_000].map(shortTime)).toEqual(['40 ms', '2.3 s', '1 min 1 s']);
});

it('draws durations in the largest unit of which there are two', () => {
  expect([500, 1999, 2000, 119_999, 120_000, 7_200_000].map((ms) => timeUnit(ms).name)).toEqual([
    ...['milliseconds', 'milliseconds', 'seconds', 'seconds', 'minutes', 'hours'],
  ]);
});
