/** Every view has an address, and every address its view. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { FAULT_KINDS, type FaultKind } from '../../src/analysis/types.ts';
import { NO_FILTERS, type Filters } from '../../src/viewer/filters.ts';
import { hashOf, placeOf, type Route } from '../../src/viewer/route.ts';

const number = fc.nat(100_000);
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.constant<Route>({ page: 'compare' }),
  fc.record({ page: fc.constant('run' as const), run: number }),
  fc.record({ page: fc.constant('task' as const), run: number, taskId: number }),
  fc.record({
    page: fc.constant('episode' as const),
    run: number,
    taskId: number,
    trial: number,
    step: fc.option(fc.integer({ min: 1, max: 200 })),
  }),
);
const filters: fc.Arbitrary<Filters> = fc.record({
  query: fc.string(),
  inConversations: fc.boolean(),
  outcome: fc.option(fc.constantFrom('max_steps' as const, 'user_stop' as const)),
  fault: fc.option(fc.constantFrom(...(Object.keys(FAULT_KINDS) as FaultKind[]))),
  reward: fc.option(fc.constantFrom('solved' as const, 'unsolved' as const)),
  suspect: fc.boolean(),
  defect: fc.boolean(),
});

test('a place is found again by its address', () => {
  fc.assert(
    fc.property(route, filters, (to, asked) => {
      expect(placeOf(hashOf({ route: to, filters: asked }))).toEqual({ route: to, filters: asked });
    }),
  );
});

test.each([
  ['#/episode/0/17/2/step-5', { page: 'episode', run: 0, taskId: 17, trial: 2, step: 5 }],
  ['#/episode/1/3/0', { page: 'episode', run: 1, taskId: 3, trial: 0, step: null }],
  ['#/run/0', { page: 'run', run: 0 }],
  ['#/task/0/4', { page: 'task', run: 0, taskId: 4 }],
])('%s is read', (hash, expected) => {
  expect(placeOf(hash)).toEqual({ route: expected, filters: NO_FILTERS });
});

test.each(['', '#', '#/', '#/nothing', '#/run', '#/run/x', '#/task/0', '#/episode/0/1', '#/compare/1'])(
  '%s is no address of the page',
  (hash) => {
    expect(placeOf(hash)).toBeNull();
  },
);
