import { describe, expect, it } from 'vitest';

import { isNever, skippedTime } from '../../src/cli/schedule/testing.ts';

describe('a start time that never comes', () => {
  it.each(['0 2 31 2 *', '0 2 30,31 2 *', '0 2 31 2,4,6 *', '30 2 31 4-4 *'])('is found in %j', (cron) => {
    expect(isNever(cron)).toBe(true);
  });
  it.each(['0 2 29 2 *', '0 2 31 1,2 *', '0 2 * * *', '@daily', '0 2 31 FEB *', '0 2 28-31 2 *', '0 2 */10 2 *'])(
    'is not found in %j',
    (cron) => expect(isNever(cron)).toBe(false),
  );
});

describe('a start time that clocks go over', () => {
  const now = Date.parse('2026-11-27T00:00:00Z');
  it('is found with its day', () => {
    expect(skippedTime('30 2 * * *', 'Europe/Berlin', now)).toBe('2027-03-28 02:30');
    expect(skippedTime('*/20 2 * * *', 'America/New_York', now)).toBe('2027-03-14 02:00');
    expect(skippedTime('15 2 * * *', 'Australia/Lord_Howe', now)).toBe('2027-10-03 02:15');
  });
  it('is none at other hours, in UTC, and at every hour', () => {
    expect(skippedTime('30 3 * * *', 'Europe/Berlin', now)).toBeNull();
    expect(skippedTime('30 2 * * *', 'UTC', now)).toBeNull();
    expect(skippedTime('30 * * * *', 'Europe/Berlin', now)).toBeNull();
    expect(skippedTime('@daily', 'Europe/Berlin', now)).toBeNull();
  });
});
