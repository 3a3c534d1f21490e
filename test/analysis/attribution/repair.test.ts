/**
 * The edits that faults are made of, on any calls: they put the data right, none of them is superfluous, and a ground
 * truth that was carried out with one mistake is found to have that mistake.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attributeFailure,
  isWrite,
  replayCalls,
  replayGroundTruth,
  applyEdits,
  findRepair,
  matchCalls,
} from '../../../src/analysis/testing.ts';
import type { FaultKind } from '../../../src/analysis/index.ts';
import { sameState, RESPOND, type Action } from '../../../src/benchmarks/index.ts';
import { shopActions } from '../../benchmarks/helpers.ts';
import { action, CANCEL, EXCHANGE, failed, moveTo, RETURN, shop, stateAfter, taskOf } from './episodes.ts';

const anyActions = fc.array(shopActions, { maxLength: 8 });
/** Actions that the environment can take: nothing comes after one that it cannot. */
const WRITE_KINDS: readonly FaultKind[] = [
  'missing_write',
  'extra_write',
  'wrong_tool',
  'wrong_argument',
  'wrong_order',
  'number_spelling',
];

function repairOf(wanted: readonly Action[], done: readonly Action[]) {
  const taken = done.map((action, at) => ({ action, step: at + 1 }));
  const agent = replayCalls(shop, taken, false);
  const truth = replayGroundTruth(shop, wanted);
  const matching = matchCalls(shop, agent.calls, truth.calls);
  return { agent, truth, matching, edits: findRepair(shop, matching, truth.state) };
}

describe('the edits', () => {
  it('put the data right, and without any one of them they are wrong', () => {
    fc.assert(
      fc.property(anyActions, anyActions, (wanted, done) => {
        const { truth, matching, edits } = repairOf(wanted, done);
        const isRight = (some: typeof edits) => sameState(shop, stateAfter(applyEdits(matching, some)), truth.state);
        expect(isRight(edits)).toBe(true);
        for (const edit of edits) expect(isRight(edits.filter((other) => other !== edit))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('are edits of what the agent did: none of them gives its own data', () => {
    fc.assert(
      fc.property(anyActions, anyActions, (wanted, done) => {
        const { agent, matching } = repairOf(wanted, done);
        expect(sameState(shop, stateAfter(applyEdits(matching, [])), agent.state)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('faults', () => {
  it('of writes exist exactly if the data differ, each with its differences', () => {
    fc.assert(
      fc.property(anyActions, anyActions, (wanted, done) => {
        const { agent, truth } = repairOf(wanted, done);
        const { faults, differences } = attributeFailure(shop, failed(taskOf(wanted), done));
        const isSame = sameState(shop, agent.state, truth.state);
        expect(faults.some(({ kind }) => WRITE_KINDS.includes(kind))).toBe(!isSame);
        expect(differences.length > 0).toBe(!isSame);
        expect(faults.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  it('are the same whenever they are asked for, each with a sentence, in the order of their steps', () => {
    fc.assert(
      fc.property(anyActions, anyActions, (wanted, done) => {
        const episode = failed(taskOf(wanted, ['1010', 'never']), done);
        const { faults } = attributeFailure(shop, episode);
        expect(attributeFailure(shop, episode).faults).toEqual(faults);
        const steps = faults.map(({ step }) => step ?? Infinity);
        expect(steps).toEqual(steps.toSorted((a, b) => a - b));
        for (const { sentence, step } of faults) {
          expect(sentence).toMatch(/^[A-Za-z].*[.]$/);
          if (step !== null) expect(step).toBeLessThanOrEqual(done.length + 1);
        }
      }),
    );
  });
});

/** Writes that do not depend on one another, so that a mistake in one of them shows in the data. */
const GROUND_TRUTHS: readonly (readonly Action[])[] = [
  [CANCEL, RETURN, moveTo('"1"')],
  [EXCHANGE, CANCEL],
  [moveTo('"1"'), action('modify_pending_order_payment', '{"order_id": "#W1", "payment_method_id": "card_1"}'), RETURN],
  [
    action(
      'modify_pending_order_items',
      '{"order_id": "#W1", "item_ids": ["100"], "new_item_ids": ["101"], "payment_method_id": "gift_card_1"}',
    ),
    EXCHANGE,
  ],
];
const READ_BETWEEN = action('get_user_details', '{"user_id": "ada_1"}');

interface Mutant {
  readonly wanted: readonly Action[];
  readonly done: readonly Action[];
  readonly kinds: readonly FaultKind[];
  /** null: the end, as nothing before shows that it was due. */
  readonly step: number | null;
}

/** The step after the read of its record, or after the write before it. */
function afterRead(write: Action, at: number): number | null {
  if (write.kwargs.get('user_id') === 'ada_1') return at + 2;
  return at === 0 ? null : at + 1;
}

const mutants: fc.Arbitrary<Mutant> = fc
  .tuple(fc.constantFrom(...GROUND_TRUTHS), fc.nat(), fc.constantFrom('drop', 'alter', 'insert', 'swap'), fc.nat())
  .map(([wanted, place, how, which]): Mutant => {
    const at = place % wanted.length;
    const write = wanted[at] ?? CANCEL;
    switch (how) {
      case 'drop':
        return { wanted, done: wanted.toSpliced(at, 1), kinds: ['missing_write'], step: at === 0 ? null : at + 1 };
      case 'alter': {
        const key = [...write.kwargs.keys()][which % write.kwargs.size] ?? '';
        const altered = { name: write.name, kwargs: new Map(write.kwargs).set(key, 'something else') };
        return { wanted, done: wanted.with(at, altered), kinds: ['wrong_argument'], step: at + 1 };
      }
      case 'insert':
        return {
          wanted,
          done: wanted.toSpliced(at, 0, moveTo('"7"', '"user_id": "bob_2"')),
          kinds: ['extra_write'],
          step: at + 1,
        };
      case 'swap': {
        const other = write.name === RETURN.name ? EXCHANGE : RETURN;
        const isSameRecord = write.kwargs.get('order_id') === '#W2';
        return isSameRecord
          ? { wanted, done: wanted.with(at, other), kinds: ['wrong_tool'], step: at + 1 }
          : { wanted, done: wanted.with(at, READ_BETWEEN), kinds: ['missing_write'], step: afterRead(write, at) };
      }
    }
  });

describe('a ground truth that was carried out with one mistake', () => {
  it('has that fault at that step, unless the data are right all the same', () => {
    let found = 0;
    fc.assert(
      fc.property(mutants, ({ wanted, done, kinds, step }) => {
        const steps = [...done, action(RESPOND, '{"content": "Anything else?"}')];
        const { agent, truth } = repairOf(wanted, steps);
        if (sameState(shop, agent.state, truth.state)) return;
        const { faults } = attributeFailure(shop, failed(taskOf(wanted), steps));
        expect(faults.map(({ kind }) => kind)).toEqual(kinds);
        expect(faults[0]?.step).toBe(step ?? steps.length);
        found += 1;
      }),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(200);
  });

  it('starts from ground truths of which every write has an effect', () => {
    for (const wanted of GROUND_TRUTHS) expect(replayGroundTruth(shop, wanted).calls.every(isWrite)).toBe(true);
  });
});
