/** The folder that the program keeps its files in. */

import { join, sep } from 'node:path';
import envPaths from 'env-paths';
import { expect, it } from 'vitest';
import { homeFolder } from '../../src/cli/testing.ts';

const CWD = join(sep, 'work');

it.each([
  ['mine', join(CWD, 'mine')],
  [join(sep, 'mine'), join(sep, 'mine')],
  ['', envPaths('tauflow', { suffix: '' }).cache],
  [undefined, envPaths('tauflow', { suffix: '' }).cache],
])('with TAUFLOW_HOME %j is %j', (given, folder) => {
  expect(homeFolder(given, CWD)).toBe(folder);
});

it('has to be given by a user without a home folder', () => {
  expect(homeFolder('mine', CWD, null)).toBe(join(CWD, 'mine'));
  expect(() => homeFolder(undefined, CWD, null)).toThrow(
    'this user has no home folder; set TAUFLOW_HOME to a folder that you may write to.',
  );
});
