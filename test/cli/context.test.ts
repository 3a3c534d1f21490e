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
])('with TAUFLOW_HOME %j the home folder is %j', (given, folder) => {
  expect(homeFolder(given, CWD)).toBe(folder);
});

it('a user without a home folder has to set TAUFLOW_HOME', () => {
  expect(homeFolder('mine', CWD, null)).toBe(join(CWD, 'mine'));
  expect(() => homeFolder(undefined, CWD, null)).toThrow(
    'this user has no home folder; set TAUFLOW_HOME to a folder that you may write to.',
  );
});
