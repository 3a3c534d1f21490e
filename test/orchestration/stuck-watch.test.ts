import { describe, expect, it } from 'vitest';
import { timeToNextLook, type Look } from '../../src/orchestration/testing.ts';

const calm: Look = { isFailing: false, isCancelled: false, progress: '4/2' };
const failing = { ...calm, isFailing: true };
const cancelled = { ...calm, isCancelled: true };
const MINUTE = 60_000;
const times = { lastMs: MINUTE, firstMs: MINUTE };

describe('the next look at stuck episodes', () => {
  it.each([
    ['a workflow task that fails', calm, failing],
    ['a cancellation', calm, cancelled],
    ['a cancellation while a task fails', failing, { ...failing, isCancelled: true }],
    ['a task that fails after a cancellation', cancelled, { ...cancelled, isFailing: true }],
  ])('comes soon after %s', (_, before, now) => {
    expect(timeToNextLook(before, now, times)).toBe(10_000);
    expect(timeToNextLook(before, now, { ...times, firstMs: 1_000 })).toBe(1_000);
  });

  it.each([
    ['nothing is new', calm, calm],
    ['the same task fails still', failing, failing],
    ['it is cancelled still', cancelled, cancelled],
    ['a task has stopped failing', failing, calm],
    ['an episode has ended', calm, { ...calm, progress: '5/2' }],
  ])('comes after twice the time where %s', (_, before, now) => {
    expect(timeToNextLook(before, now, times)).toBe(2 * MINUTE);
  });

  it.each([
    [5 * MINUTE, failing, failing],
    [5 * MINUTE, cancelled, cancelled],
    [5 * MINUTE, calm, { ...calm, progress: '5/2' }],
    [60 * MINUTE, calm, calm],
  ])('comes after %d ms at the latest', (longest, before, now) => {
    expect(timeToNextLook(before, now, { ...times, lastMs: longest })).toBe(longest);
  });
});
