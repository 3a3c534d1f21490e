/** The split of a run that names none. */

import { expect, it } from 'vitest';
import { readPack, shippedPackFolder, type Pack } from '../../src/benchmarks/testing.ts';
import { defaultSplit } from '../../src/run-setup/index.ts';

const pack = await readPack((await shippedPackFolder('retail')) ?? '');

/** A domain of an environment service. */
function offer(splits: readonly string[], split?: string): Pack {
  const description = { defaults: split === undefined ? undefined : { split } };
  const environment = { service: { description } } as Pack['environment'];
  return { ...pack, environment, splits: Object.fromEntries(splits.map((name) => [name, []])) };
}

it.each([
  ['its default', offer(['train', 'test', 'base'], 'base'), 'base'],
  ['"test" if the domain lacks its default', offer(['train', 'test'], 'base'), 'test'],
  ['"test" if it has no default', offer(['train', 'test']), 'test'],
  ['the first otherwise', offer(['small', 'full'], 'base'), 'small'],
])('a run on a service takes %s', (_, domain, split) => {
  expect(defaultSplit(domain)).toBe(split);
});

it('a run on a pack takes the split of its benchmark', () => {
  expect(defaultSplit(pack)).toBe('test');
});
