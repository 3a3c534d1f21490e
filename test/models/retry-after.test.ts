import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../src/models/retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), NOW);

describe('when a provider wants to be asked again', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '20', 'retry-after': '9' }, 20],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '9999999' }, 86_400_000],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '7.66s' }, 7660],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20ms' }, 20],
    [{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '7.66s' }, undefined],
    [
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1m1s',
      },
      61_000,
    ],
    [
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-03-01T12:00:30Z',
      },
      30_000,
    ],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 4000) }, 4000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 4) }, 4000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3' }, 3000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'never' }, undefined],
    [{ 'x-ratelimit-remaining': '0' }, undefined],
    [{ 'retry-after': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }, 1000],
  ])('%j: %s ms', (headers, expected) => {
    expect(read(headers)).toBe(expected);
  });
});
