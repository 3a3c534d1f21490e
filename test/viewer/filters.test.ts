/** Which episodes a reader's words and choices let through. */

import { expect, test } from 'vitest';

import type { PayloadEpisode, PayloadRun } from '../../src/results/page/payload.ts';
import { keyOf, matching, NO_FILTERS, type Filters } from '../../src/viewer/filters.ts';

const EPISODE: PayloadEpisode = {
  taskId: 1,
  trial: 0,
  reward: 1,
  outcome: 'user_stop',
  steps: 5,
  turns: 1,
  costUsd: 0,
  durationMs: 1,
  faults: [],
  customer: [],
  isSuspect: false,
  error: null,
  tools: [0],
  verdict: null,
  chunk: 0,
  place: 0,
};

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
  expect(matching(RUN, { ...NO_FILTERS, ...asked }, null).map(keyOf)).toEqual(expected);
});

test('words in conversations count when they are asked for', () => {
  const asked: Filters = { ...NO_FILTERS, query: 'gift card', inConversations: true };
  const said = new Set(['1/0']);
  expect(matching(RUN, asked, said).map(keyOf)).toEqual(['1/0']);
  expect(matching(RUN, { ...asked, inConversations: false }, said)).toEqual([]);
});
