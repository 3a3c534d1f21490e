import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { groupByRun, isOfRuns, isSynced } from '../../../src/run-log/sync/testing.ts';
import { isSafePath } from '../../../src/run-log/sync/index.ts';

describe('the files that are copied', () => {
  it.each([
    'r/run.json',
    'r/episodes/task-1.trial-0.json',
    'r/superseded/task-1.trial-0.1.json',
    'r/requests/task-1.trial-0.jsonl',
    'r.json',
    'baselines.json',
    'open/run.json',
  ])('include %s', (file) => {
    expect(isSynced(file)).toBe(true);
  });

  it.each([
    'r/rows.jsonl',
    'r/run-token',
    'r/open/task-1.trial-0.jsonl',
    'r/episodes/.task-1.trial-0.json.1a2b3c4d-4711-5e6f7a8b-1.tmp',
    '.env',
    '.git/config',
  ])('leave out %s, which belongs to its folder only', (file) => {
    expect(isSynced(file)).toBe(false);
  });

  it('are those of the runs that are named, and of no run whose name only begins so', () => {
    const files = ['r/run.json', 'r.json', 'r2/run.json', 'r2.json', 'baselines.json'];
    expect(files.filter((file) => isOfRuns(file, ['r']))).toEqual(['r/run.json', 'r.json']);
    expect(files.filter((file) => isOfRuns(file, null))).toEqual(files);
  });

  it('are in groups: each run with its results file, run.json last, what belongs to no run at the end', () => {
    const files = ['b/run.json', 'baselines.json', 'b/episodes/1.json', 'b.json', 'a/tasks.json', 'z.json'];
    expect(groupByRun(files)).toEqual([
      { name: 'a', files: ['a/tasks.json'], last: null },
      { name: 'b', files: ['b.json', 'b/episodes/1.json'], last: 'b/run.json' },
      { name: '', files: ['baselines.json', 'z.json'], last: null },
    ]);
  });
});

describe('a name from a store', () => {
  it.each([
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    'a/./b',
    'a\\..\\b',
    'C:x',
    'a\0b',
    'a\nb',
    '',
    'é'.repeat(128),
  ])('%j is refused', (name) => {
    expect(isSafePath(name)).toBe(false);
  });

  it('stays inside of the folder if it is accepted', () => {
    const part = fc.constantFrom('..', '.', '', 'a', '...', '~', '\\', '/', 'C:', '%2e%2e', ' ');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom('/', '', '\\'), (parts, separator) => {
        const name = parts.join(separator);
        fc.pre(isSafePath(name));
        expect(resolve(join('/logs', ...name.split('/'))).startsWith('/logs/')).toBe(true);
      }),
    );
  });
});
