/** Values that are kept as long as nothing has changed. */

import { describe, expect, it } from 'vitest';

import { VersionedCache } from '../../../src/viewer/server/testing.ts';

describe('what has been read', () => {
  it('is made once for a version, also for those who ask at the same time', async () => {
    const kept = new VersionedCache<{ made: number }>(2);
    let made = 0;
    const make = () => Promise.resolve({ made: ++made });
    const both = await Promise.all([kept.get('a', '1', make), kept.get('a', '1', make)]);
    expect(both).toEqual([{ made: 1 }, { made: 1 }]);
    expect(await kept.get('a', '2', make)).toEqual({ made: 2 });
    expect(await kept.get('b', '1', make)).toEqual({ made: 3 });
    expect(await kept.get('a', '2', make)).toEqual({ made: 2 });
  });

  it('may be of an earlier version for a while, and says of which', async () => {
    const kept = new VersionedCache<{ text: string }>(1);
    const make = (text: string) => () => Promise.resolve({ text });
    await kept.get('a', '1', make('first'));
    const recent = kept.getRecent('a', '2', Infinity, make('second'));
    expect([recent.version, await recent.value]).toEqual(['1', { text: 'first' }]);
    const present = kept.getRecent('a', '2', 0, make('second'));
    expect([present.version, await present.value]).toEqual(['2', { text: 'second' }]);
  });

  it('is tried again after an error', async () => {
    const kept = new VersionedCache<object>(1);
    await expect(kept.get('a', '1', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await kept.get('a', '1', () => Promise.resolve({ yes: true }))).toEqual({ yes: true });
  });
});
