import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HOLD_MS, PROVIDER_STATES, holdMs, refusalsToHalt } from '../../src/orchestration/testing.ts';
import { FailureType } from '../../src/evaluation/index.ts';

describe('the states of a provider', () => {
  it('are those that docs/durability.md draws', async () => {
    const page = await readFile('docs/durability.md', 'utf8');
    const drawn = [...page.matchAll(/^ {2}(up|away|refused) --> (\w+): (.+)$/gm)].map(([, ...edge]) => edge);
    const edges = Object.entries(PROVIDER_STATES).flatMap(([from, events]) =>
      Object.entries(events).map(([event, to]) => [from, to, event]),
    );
    expect(drawn).toEqual(edges);
    for (const [, , event = ''] of edges) expect(page).toContain(`\n| ${event} `);
  });
});

describe('the delay of a held call', () => {
  it('doubles from five seconds to five minutes', () => {
    const seconds = [0, 1, 2, 5, 6, 60].map((failures) => holdMs(failures, HOLD_MS) / 1_000);
    expect(seconds).toEqual([5, 10, 20, 160, 300, 300]);
  });
});

describe('refusals', () => {
  const { QuotaExceeded, NotAuthorised, MissingKey, RequestRefused, ModelUnavailable, RateLimited } = FailureType;

  it.each([QuotaExceeded, NotAuthorised, MissingKey])('of the account halt at the first, or the second: %s', (type) => {
    expect(refusalsToHalt(type, false)).toBe(1);
    expect(refusalsToHalt(type, true)).toBe(2);
    expect(refusalsToHalt(type, false, true)).toBe(2);
  });

  it('of a request halt at the second where nothing has worked', () => {
    expect(refusalsToHalt(RequestRefused, false)).toBe(2);
    expect(refusalsToHalt(RequestRefused, false, true)).toBe(2);
    expect(refusalsToHalt(RequestRefused, true)).toBe(Infinity);
  });

  it.each(['NotACompletion', 'NoConnection'] as const)(
    'of the way to a provider halt at the second where there has never been a completion: %s',
    (type) => {
      expect(refusalsToHalt(type, false)).toBe(2);
      expect(refusalsToHalt(type, false, true)).toBe(Infinity);
      expect(refusalsToHalt(type, true)).toBe(Infinity);
    },
  );

  it.each([ModelUnavailable, RateLimited, 'ActivityTimeout', 'EpisodeDeadline'])('are none: %s', (type) => {
    expect(refusalsToHalt(type, false)).toBe(Infinity);
  });
});
