import { chmodSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { entryPath, shelfName, parseShelf } from '../../../src/models/cache/testing.ts';
import { removeShelves, CompletionStore, replySchema } from '../../../src/models/index.ts';
import { filesBelow, placeOf, replyWith, scratchFolder, storeIn } from './helpers.ts';

const BLOCK = 4096;

describe('a store of completions', () => {
  it('returns stored completions to every process with the folder', async () => {
    const folder = scratchFolder();
    const reply = replyWith({
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"amount": 131.0, "to": "\u2603"}' } },
        ],
      },
      fingerprint: null,
    });
    await storeIn(folder).keep(placeOf(1), reply);
    expect(await storeIn(folder).find(placeOf(1))).toEqual(reply);
    expect(await storeIn(folder).find(placeOf(2))).toBeNull();
    expect(await storeIn(folder).find(placeOf(1, { model: 'gpt-4o-mini' }))).toBeNull();
  });

  it('writes nothing to disk before the first completion', async () => {
    const folder = join(scratchFolder(), 'home', 'completions');
    const store = storeIn(folder);
    expect(await store.find(placeOf(1))).toBeNull();
    expect(filesBelow(join(folder, '../..'))).toEqual([]);
    await store.keep(placeOf(1), replyWith());
    expect(filesBelow(folder)).toHaveLength(1);
  });

  it.runIf(process.platform !== 'win32')('makes completions readable by their owner only', async () => {
    const folder = join(scratchFolder(), 'completions');
    await storeIn(folder).keep(placeOf(1), replyWith());
    const path = entryPath(folder, placeOf(1).shelf, placeOf(1).key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const part of [folder, join(path, '..'), join(path, '../..')]) expect(statSync(part).mode & 0o777).toBe(0o700);
  });

  it('keeps the newer of two', async () => {
    const folder = scratchFolder();
    await storeIn(folder).keep(placeOf(1), replyWith({ fingerprint: 'old' }));
    await storeIn(folder).keep(placeOf(1), replyWith({ fingerprint: 'new' }));
    expect(await storeIn(folder).find(placeOf(1))).toMatchObject({ fingerprint: 'new' });
    expect(filesBelow(folder)).toHaveLength(1);
  });

  it.each<[string, (text: string) => string]>([
    ['cut short', (text) => text.slice(0, -20)],
    ['empty', () => ''],
    ['no JSON', () => 'completion'],
    ['changed in one letter', (text) => text.replace('Hello', 'Hallo')],
    ['of another version', (text) => text.replace('"format":1', '"format":2')],
    ['of a version with another field', (text) => text.replace('"usageReported"', '"logprobs":[],"usageReported"')],
    ['without a field', (text) => text.replace('"servedModel":"gpt-4o-2024-08-06",', '')],
    ['the file of another key', (text) => text.replace(placeOf(1).key, placeOf(2).key)],
  ])('ignores and replaces a file that is %s', async (_what, damage) => {
    const folder = scratchFolder();
    const store = storeIn(folder);
    await store.keep(placeOf(1), replyWith());
    const path = entryPath(folder, placeOf(1).shelf, placeOf(1).key);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, damage(text));
    expect(readFileSync(path, 'utf8')).not.toBe(text);
    expect(await store.find(placeOf(1))).toBeNull();
    await store.keep(placeOf(1), replyWith());
    expect(await store.find(placeOf(1))).toEqual(replyWith());
  });

  it('never returns partial files while processes write and read', async () => {
    const folder = scratchFolder();
    const [one, other, reader] = [storeIn(folder), storeIn(folder), storeIn(folder)];
    const long = (letter: string) =>
      replyWith({ message: { role: 'assistant', content: letter.repeat(200_000) }, fingerprint: letter });
    await one.keep(placeOf(1), long('a'));
    const seen = new Set<string | null | undefined>();
    const rounds = Array.from({ length: 25 }, (_, round) => round);
    await Promise.all(
      rounds.flatMap(() => [
        one.keep(placeOf(1), long('a')),
        other.keep(placeOf(1), long('b')),
        reader.find(placeOf(1)).then((reply) => seen.add(reply?.fingerprint)),
      ]),
    );
    expect([...seen].filter((letter) => letter !== 'a' && letter !== 'b')).toEqual([]);
    expect(filesBelow(folder)).toHaveLength(1);
  });

  it('keeps completions that are stored while it is cleared', async () => {
    const folder = scratchFolder();
    const [one, other] = [storeIn(folder), storeIn(folder)];
    const places = Array.from({ length: 60 }, (_, n) => placeOf(n));
    await Promise.all([
      ...places.map((place) => one.keep(place, replyWith())),
      ...[1, 2, 3].map(() => removeShelves(folder, () => true)),
      ...places.map((place) => other.keep(place, replyWith())),
    ]);
    await Promise.all(places.map((place) => one.keep(place, replyWith())));
    const found = await Promise.all(places.map((place) => other.find(place)));
    expect(found.filter((reply) => reply === null)).toEqual([]);
  });

  it('warns once that nothing can be stored, and continues', async () => {
    const folder = join(scratchFolder(), 'completions');
    writeFileSync(folder, 'a file where the folder should be');
    const warnings: string[] = [];
    const store = new CompletionStore({ schema: replySchema, folder, warn: (message) => void warnings.push(message) });
    await store.keep(placeOf(1), replyWith());
    await store.keep(placeOf(2), replyWith());
    expect(await store.find(placeOf(1))).toBeNull();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^completions in .* cannot be stored \(.*\); the run goes on without the cache$/);
  });

  it.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')(
    'warns that a completion cannot be read',
    async () => {
      const folder = scratchFolder();
      await storeIn(folder).keep(placeOf(1), replyWith());
      chmodSync(entryPath(folder, placeOf(1).shelf, placeOf(1).key), 0);
      const warnings: string[] = [];
      const store = new CompletionStore({
        schema: replySchema,
        folder,
        warn: (message) => void warnings.push(message),
      });
      expect(await store.find(placeOf(1))).toBeNull();
      expect(warnings).toHaveLength(1);
    },
  );
});

describe('the size limit of a store', () => {
  /** Sets the minute at which the completion was last used. */
  function usedAt(folder: string, n: number, minute: number): void {
    const time = new Date(Date.UTC(2025, 0, 1, 0, minute));
    utimesSync(entryPath(folder, placeOf(n).shelf, placeOf(n).key), time, time);
  }

  it('removes the least recently used completions', async () => {
    const folder = scratchFolder();
    const roomy = storeIn(folder);
    for (let n = 0; n < 20; n++) {
      await roomy.keep(placeOf(n), replyWith());
      usedAt(folder, n, n);
    }
    await roomy.find(placeOf(0));

    const tight = storeIn(folder, 10 * BLOCK);
    await tight.keep(placeOf(20), replyWith());
    await tight.idle();
    const left = await Promise.all(
      Array.from({ length: 21 }, async (_, n) => ((await tight.find(placeOf(n))) === null ? [] : [n])),
    );
    // Nine tenths of the bound stay: nine completions of one block each.
    expect(left.flat()).toEqual([0, 13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it('is exceeded by at most its share with two processes', async () => {
    const folder = scratchFolder();
    const maxBytes = 64 * BLOCK;
    const stores = [storeIn(folder, maxBytes), storeIn(folder, maxBytes)];
    let most = 0;
    for (let n = 0; n < 160; n++) {
      const store = stores[n % 2];
      await store?.keep(placeOf(n), replyWith());
      await store?.idle();
      if (n % 10 === 0) most = Math.max(most, filesBelow(folder).length);
    }
    expect(most).toBeGreaterThan(50);
    expect(most).toBeLessThanOrEqual(66);
  });

  it('is not checked for every completion', async () => {
    const folder = scratchFolder();
    const store = storeIn(folder, 640 * BLOCK);
    await store.keep(placeOf(0), replyWith());
    await store.idle();
    // The next look comes after a 32nd of the bound: 20 completions. Until then, no one tidies up.
    const entry = entryPath(folder, placeOf(0).shelf, placeOf(0).key);
    const remains = join(dirname(entry), `.${basename(entry).slice(0, 60)}.00000000-1-00000000-1.tmp`);
    writeFileSync(remains, 'half');
    utimesSync(remains, new Date(0), new Date(0));
    for (let n = 1; n < 20; n++) await store.keep(placeOf(n), replyWith());
    await store.idle();
    expect(filesBelow(folder)).toContain(remains);
    await store.keep(placeOf(20), replyWith());
    await store.idle();
    expect(filesBelow(folder)).not.toContain(remains);
  });

  it('does not affect other files', async () => {
    const folder = scratchFolder();
    const store = storeIn(folder, BLOCK);
    await store.keep(placeOf(0), replyWith());
    await store.idle();
    const { shelf, key } = placeOf(0);
    const strangers = [
      join(folder, 'notes.txt'),
      join(folder, shelfName(shelf), 'notes.txt'),
      join(entryPath(folder, shelf, key), '../notes.txt'),
      join(folder, 'my folder', '00', `${key}.json`),
    ];
    for (const stranger of strangers) {
      mkdirSync(join(stranger, '..'), { recursive: true });
      writeFileSync(stranger, 'dear');
    }
    for (let n = 1; n < 5; n++) await store.keep(placeOf(n), replyWith());
    await store.idle();
    await removeShelves(folder, () => true);
    expect(filesBelow(folder)).toEqual(strangers.sort());
  });
});

describe('a shelf’s name', () => {
  it('distinguishes configuration, provider and model', () => {
    const shelf = { configuration: '0123456789abcdef', provider: 'openai', model: 'gpt-4.1' };
    expect(shelfName(shelf)).toBe('0123456789abcdef.openai.gpt-4.1');
    expect(parseShelf('0123456789abcdef.openai.gpt-4.1')).toEqual(shelf);
    expect(parseShelf('my folder')).toBeNull();
  });

  it('stays in the cache’s folder, whatever configuration an input has', () => {
    for (const configuration of ['../../../x', '..', '/etc/x', 'a/b']) {
      const name = shelfName({ configuration, provider: 'openai', model: 'gpt-4.1' });
      expect(name).not.toMatch(/[/\\]|^\.\.$/);
    }
  });

  it('is a file name on any system, for any model, and short', () => {
    const text = fc.string({ minLength: 1, maxLength: 200, unit: 'binary' });
    fc.assert(
      fc.property(text, text, (provider, model) => {
        const name = shelfName({ configuration: '0123456789abcdef', provider, model });
        expect(name).toMatch(/^[0-9a-f]{16}\.[A-Za-z0-9%_!~'()-]+\.[A-Za-z0-9%_.!~'()-]+$/);
        expect(name).not.toMatch(/\.$/);
        expect(name.length).toBeLessThan(255);
        const shelf = parseShelf(name);
        expect(shelf?.configuration).toBe('0123456789abcdef');
        if (name.length < 110) expect(shelf).toMatchObject({ provider, model });
      }),
    );
  });
});
