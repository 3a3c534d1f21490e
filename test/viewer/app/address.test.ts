/** Every view has an address, and every address its view; its filters choose the episodes. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../../../src/analysis/index.ts';
import {
  LIST_SORTS,
  NO_FILTERS,
  WHOLE_LIST,
  formatHash,
  parseHash,
  formatEpisodeKey,
  filterEpisodes,
  type Filters,
  type ListFilters,
  type Route,
} from '../../../src/viewer/app/testing.ts';
import type { PayloadRun } from '../../../src/viewer/data/testing.ts';
import { episode } from '../payloads.ts';

const number = fc.nat(100_000);
/** A folder's or a file's name is any text. */
const key = fc.string({ unit: 'grapheme', minLength: 1 });
const list: fc.Arbitrary<ListFilters> = fc.record({
  query: fc.string(),
  status: fc.option(fc.string()),
  domain: fc.option(fc.string()),
  sort: fc.constantFrom(...LIST_SORTS),
  isReversed: fc.boolean(),
});
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.record({ page: fc.constant('runs' as const), list }),
  fc.record({ page: fc.constant('schedules' as const), schedule: fc.option(key) }),
  fc.record({ page: fc.constant('compare' as const), runs: fc.array(key, { maxLength: 4 }) }),
  fc.record({ page: fc.constant('run' as const), run: key }),
  fc.record({ page: fc.constant('task' as const), run: key, taskId: number }),
  fc.record({
    page: fc.constant('episode' as const),
    run: key,
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
  labelled: fc.boolean(),
});

test('a place is found again by its address', () => {
  fc.assert(
    fc.property(route, filters, (to, asked) => {
      // The filters are of one run's episodes.
      const kept = to.page === 'runs' ? NO_FILTERS : asked;
      expect(parseHash(formatHash({ route: to, filters: asked }))).toEqual({ route: to, filters: kept });
    }),
  );
});

test.each([
  ['', { page: 'runs', list: WHOLE_LIST }],
  ['#/?q=b&sort=-cost', { page: 'runs', list: { ...WHOLE_LIST, query: 'b', sort: 'cost', isReversed: true } }],
  ['#/?sort=age', { page: 'runs', list: WHOLE_LIST }],
  ['#/schedule/nightly', { page: 'schedules', schedule: 'nightly' }],
  ['#/episode/0/17/2/step-5', { page: 'episode', run: '0', taskId: 17, trial: 2, step: 5 }],
  ['#/episode/1/3/0', { page: 'episode', run: '1', taskId: 3, trial: 0, step: null }],
  ['#/run/0', { page: 'run', run: '0' }],
  ['#/run/a%2Fb', { page: 'run', run: 'a/b' }],
  ['#/compare/a/b%20c', { page: 'compare', runs: ['a', 'b c'] }],
  ['#/task/0/4', { page: 'task', run: '0', taskId: 4 }],
])('%s is read', (hash, expected) => {
  expect(parseHash(hash)).toEqual({ route: expected, filters: NO_FILTERS });
});

test.each([
  '#/nothing',
  '#/schedules/x',
  '#/schedule/',
  '#/run',
  '#/run/',
  '#/run/%',
  '#/task/0',
  '#/episode/0/1',
  '#/compare//1',
])('%s is not an address of the page', (hash) => {
  expect(parseHash(hash)).toBeNull();
});

const EPISODE = episode({ taskId: 1, steps: 5, tools: [0] });

const RUN = {
  tools: ['get_order_details', 'pay'],
  notes: { defects: [{ taskId: 2, kind: 'x', severity: 'wrong', sentence: '' }] },
  episodes: [
    EPISODE,
    { ...EPISODE, taskId: 2, trial: 0, reward: 0, faults: [{ kind: 'wrong_argument', faultType: null, step: 1 }] },
    { ...EPISODE, taskId: 2, trial: 1, reward: 0, outcome: 'max_steps', tools: [1], isSuspect: true },
    { ...EPISODE, taskId: 12, trial: 2, reward: 0, outcome: 'agent_error', error: 'Unreadable JSON' },
  ],
} as unknown as PayloadRun;

test.each<[string, Partial<Filters>, string[]]>([
  ['nothing asked for', {}, ['1/0', '2/0', '2/1', '12/2']],
  ['a task', { query: '2' }, ['2/0', '2/1']],
  ['a task and trial', { query: '2/1' }, ['2/1']],
  ['a tool', { query: 'pay' }, ['2/1']],
  ['an error, whatever its case', { query: 'unreadable json' }, ['12/2']],
  ['a fault by its title', { query: 'wrong argument' }, ['2/0']],
  ['words that no episode has together', { query: 'pay json' }, []],
  ['an outcome', { outcome: 'max_steps' }, ['2/1']],
  ['a fault', { fault: 'wrong_argument' }, ['2/0']],
  ['a reward', { reward: 'solved' }, ['1/0']],
  ['suspects', { suspect: true }, ['2/1']],
  ['known defects', { defect: true }, ['2/0', '2/1']],
  ['several at once', { defect: true, outcome: 'user_stop' }, ['2/0']],
])('%s', (_, asked, expected) => {
  expect(filterEpisodes(RUN, { ...NO_FILTERS, ...asked }, null).map(formatEpisodeKey)).toEqual(expected);
});

test('notes are looked through, and episodes that have one can be asked for', () => {
  const notes = new Map([['2/1', { labels: ['ambiguous task'], text: 'Ask for the address?' }]]);
  const with_ = (asked: Partial<Filters>) =>
    filterEpisodes(RUN, { ...NO_FILTERS, ...asked }, null, notes).map(formatEpisodeKey);
  expect(with_({ labelled: true })).toEqual(['2/1']);
  expect(with_({ query: 'ambiguous ADDRESS' })).toEqual(['2/1']);
  expect(with_({ query: '12', labelled: true })).toEqual([]);
});

test('words in conversations count when they are asked for', () => {
  const asked: Filters = { ...NO_FILTERS, query: 'gift card', inConversations: true };
  const said = new Set(['1/0']);
  expect(filterEpisodes(RUN, asked, said).map(formatEpisodeKey)).toEqual(['1/0']);
  expect(filterEpisodes(RUN, { ...asked, inConversations: false }, said)).toEqual([]);
});
