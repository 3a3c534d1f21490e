/** Faults of episodes on environment services, whose calls nobody can make again. */

import { expect, it } from 'vitest';
import { analyzeEpisode, type AnalyzedEpisode } from '../../../src/analysis/index.ts';
import type { Action } from '../../../src/benchmarks/index.ts';
import { action, CANCEL, READ, say, shop, taskOf } from './episodes.ts';

const service = { ...shop, domain: 'shop:orders' };
const PART = { counts: true, numberSpellingOnly: false, areWords: false } as const;
const WRONG_DATA = { kind: 'data', ...PART, checks: [{ wanted: 'W1 is canceled', isMet: false }] } as const;

type Parts = NonNullable<AnalyzedEpisode['grade']>['parts'];

function faultsOf(
  actions: readonly (readonly [Action, boolean])[],
  parts: Parts | null,
  rest: Partial<AnalyzedEpisode> = {},
) {
  const episode: AnalyzedEpisode = {
    task: taskOf([READ, CANCEL]),
    opening: 'Hi',
    steps: actions.map(([action, changed]) => ({ action, changed, observation: '{}' })),
    outcome: 'user_stop',
    reward: 0,
    unreadable: null,
    error: null,
    grade: parts === null ? null : { reward: 0, parts },
    ...rest,
  };
  return analyzeEpisode(service, episode).faults.map(({ kind, step, tool, sentence }) => [kind, step, tool, sentence]);
}

const otherOrder = action('cancel_pending_order', '{"order_id": "#W2", "reason": "no longer needed"}');
const refund = action('refund', '{"order_id": "#W1"}');
const bye = [say('Bye.'), false] as const;

it('a missing change of the ground truth is a fault, a missing read is not', () => {
  expect(faultsOf([bye], [WRONG_DATA])).toEqual([
    ['missing_write', 1, 'cancel_pending_order', 'cancel_pending_order (order_id "#W1") was not carried out.'],
  ]);
});

it('wrong arguments and extra changes are faults', () => {
  const taken = [
    [READ, true],
    [otherOrder, true],
    [refund, true],
  ] as const;
  expect(faultsOf(taken, [WRONG_DATA])).toEqual([
    [
      'wrong_argument',
      2,
      'cancel_pending_order',
      'Step 2 called cancel_pending_order with order_id "#W2" instead of "#W1".',
    ],
    ['extra_write', 3, 'refund', 'Step 3 called refund (order_id "#W1"), which the ground truth does not have.'],
  ]);
  // The data are right, so nothing that was called is wrong.
  const sentences = { kind: 'sentences', ...PART, checks: [{ wanted: 'It is kind.', isMet: false, reason: 'Rude.' }] };
  expect(faultsOf(taken, [sentences] as Parts)).toEqual([
    ['other', null, null, 'The judge does not find “It is kind.” met: Rude.'],
  ]);
});

it('faults name what the grade requires if the ground truth is unknown', () => {
  const task = taskOf([]);
  expect(faultsOf([bye], [WRONG_DATA], { task })).toEqual([
    [
      'missing_write',
      1,
      null,
      'No call changed the data, which are not as the task wants them: not met is W1 is canceled.',
    ],
  ]);
  expect(faultsOf([[refund, true]], [WRONG_DATA], { task })).toEqual([
    ['other', null, null, 'The calls did not lead to what the task wants: not met is W1 is canceled.'],
  ]);
  expect(faultsOf([bye], [], { task })).toEqual([
    ['other', null, null, 'The grade is 0, and nothing recorded says why.'],
  ]);
});

it('missing outputs and the step limit are faults', () => {
  const outputs = { kind: 'outputs', ...PART, checks: [{ wanted: '131', isMet: false }] } as const;
  expect(faultsOf([bye], [outputs])).toEqual([['missing_output', 1, null, 'The user was not given "131".']]);
  const solvedCalls = [
    [READ, false],
    [CANCEL, true],
  ] as const;
  expect(faultsOf(solvedCalls, null, { outcome: 'max_steps' })).toEqual([
    ['out_of_steps', 2, null, 'The episode ran out of steps after 2.'],
  ]);
});

it('infrastructure errors and solved episodes have no fault of the agent', () => {
  const error = { kind: 'EnvironmentRefused', message: 'no such task' };
  expect(faultsOf([], null, { outcome: 'infrastructure_error', error })).toEqual([
    ['infrastructure', null, null, 'Infrastructure ended the episode: no such task.'],
  ]);
  expect(faultsOf([bye], [], { reward: 1 })).toEqual([]);
});
