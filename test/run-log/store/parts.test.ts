import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isWithinStore, resolveLogPlace, storeAddress } from '../../../src/run-log/index.ts';
import { inWritingOrder, isKept } from '../../../src/run-log/store/testing.ts';
import { selectRecords } from '../../../src/run-log/store/index.ts';

const segment = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{2,8}$/);
const segments = fc.array(segment, { maxLength: 3 });

describe('an address', () => {
  it('is named in one form only, which is its own', () => {
    fc.assert(
      fc.property(segment, segments, fc.boolean(), (bucket, parts, hasSlash) => {
        const plain = ['s3:/', bucket, ...parts].join('/');
        const address = storeAddress(`${plain}${hasSlash ? '/' : ''}`);
        expect(address).toBe(plain);
        expect(resolveLogPlace(plain, '/work')).toBe(plain);
      }),
    );
  });

  it('contains keys below it by whole names, and nothing else', () => {
    fc.assert(
      fc.property(segment, segments, segments, segment, (bucket, parts, more, tail) => {
        const root = ['s3:/', bucket, ...parts].join('/');
        expect(isWithinStore(root, [root, ...more].join('/'))).toBe(true);
        expect(isWithinStore(root, `${root}${tail}`)).toBe(false);
        expect(isWithinStore(`${root}/${tail}`, root)).toBe(false);
      }),
    );
  });

  it('is refused if it is not a store, or leads out of one', () => {
    expect(() => resolveLogPlace('gs://bucket/runs', '/work')).toThrow(
      /give --log-dir a folder, or s3:\/\/bucket\/prefix/,
    );
    expect(() => resolveLogPlace('s3://bucket/../runs', '/work')).toThrow(/empty part/);
  });
});

describe('the records of episodes', () => {
  const key = fc.record({ taskId: fc.nat(30), trial: fc.nat(3) });
  const nameOf = ({ taskId, trial }: { taskId: number; trial: number }) => `task-${taskId}.trial-${trial}`;

  it('are found below the listed folder, archived ones included', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 6 }), key, fc.nat(9), (episodes, other, place) => {
        const part = selectRecords(episodes);
        const finds = (file: string) => part.prefixes.some((prefix) => file.startsWith(prefix)) && part.wants(file);
        const names = new Set(episodes.map(nameOf));
        for (const episode of [...episodes, other]) {
          const name = nameOf(episode);
          expect(finds(`episodes/${name}.json`)).toBe(names.has(name));
          expect(finds(`superseded/${name}.${place + 1}.json`)).toBe(names.has(name));
          expect(finds(`forks/${name}.fork-1.json`)).toBe(false);
        }
      }),
    );
  });
});

describe('the list of written files', () => {
  it.each(['run-token', 'run.json', 'episodes/task-1.trial-0.json', '../mine.json', 'superseded/a.json'])(
    'includes %s',
    (file) => {
      expect(isKept(file)).toBe(true);
    },
  );

  it.each(['rows.jsonl', 'open/task-1.trial-0.jsonl', 'episodes/.x.tmp', '.x.tmp'])('does not include %s', (file) => {
    expect(isKept(file)).toBe(false);
  });

  it('has replaced records first and run.json last', () => {
    const files = ['run.json', 'metrics.json', '../mine.json', 'episodes/b.json', 'superseded/b.1.json', 'run-token'];
    fc.assert(
      fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (shuffled) => {
        const order = inWritingOrder(shuffled);
        expect(order.slice(0, 2)).toEqual(['superseded/b.1.json', 'episodes/b.json']);
        expect(order.at(-1)).toBe('run.json');
      }),
    );
  });
});
