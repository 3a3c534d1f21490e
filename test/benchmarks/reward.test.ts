import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  foldActions,
  grade,
  reportedActions,
  areOutputsWords,
  findOutputs,
  dataHash,
  type RewardInfo,
  type Action,
  type Task,
} from '../../src/benchmarks/index.ts';
import { fromRewardInfo, toRewardInfo } from '../../src/benchmarks/testing.ts';
import { action, createHasher, sha256, shop, shopActions } from './helpers.ts';

const CANCEL = action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}');
const say = (content: string) => action('respond', JSON.stringify({ content }));

function task(actions: readonly Action[], outputs: readonly string[] = []): Task {
  return { userId: 'ada_1', instruction: '', actions, outputs };
}

function gradeInfo(actions: readonly Action[], graded: Task): RewardInfo {
  const output = grade(shop, graded, actions, { hash: createHasher(shop) });
  if (output.kind === 'raised') throw new Error(output.message);
  return toRewardInfo(output.grade);
}

describe('grade', () => {
  it('compares the data with those of the ground truth', () => {
    const gtDataHash = dataHash(shop, foldActions(shop, [CANCEL]), sha256);
    expect(gradeInfo([CANCEL], task([CANCEL]))).toMatchObject({
      reward: 1,
      detail: { kind: 'actions', rActions: true, gtDataHash },
    });
    expect(gradeInfo([], task([CANCEL]))).toMatchObject({ reward: 0, detail: { rActions: false, gtDataHash } });
  });

  it('ignores what fails in the ground truth, and its terminating tools', () => {
    const truth = [action('cancel_pending_order', '{"order_id": "#W9"}'), action('transfer_to_human_agents'), CANCEL];
    expect(gradeInfo([CANCEL], task(truth)).reward).toBe(1);
    expect(reportedActions(task([...truth, say('x')]))).toEqual(truth);
  });

  it('counts the changes of a terminating tool for the agent, and not for the ground truth', () => {
    const ending = { ...shop, terminateTools: [CANCEL.name] };
    const rewardOf = (actions: readonly Action[]) => {
      const output = grade(ending, task([CANCEL]), actions, { hash: createHasher(ending) });
      return output.kind === 'raised' ? output.message : output.grade.reward;
    };
    expect(rewardOf([])).toBe(1);
    expect(rewardOf([CANCEL])).toBe(0);
  });

  it("finds outputs in the agent's messages, without commas and in any case", () => {
    const graded = task([], ['1010', 'Blue mug']);
    expect(gradeInfo([say('$1,010 for a'), say('BLUE MUG')], graded)).toMatchObject({
      reward: 1,
      detail: {
        kind: 'outputs',
        rOutputs: true,
        outputs: [
          ['1010', true],
          ['Blue mug', true],
        ],
      },
      strictOutputs: true,
    });
    expect(gradeInfo([say('1010')], graded)).toMatchObject({
      reward: 0,
      detail: {
        rOutputs: false,
        outputs: [
          ['1010', true],
          ['Blue mug', false],
        ],
      },
    });
  });

  it('reports outputs as given when only the data differ', () => {
    expect(gradeInfo([say('ten')], task([CANCEL], ['ten']))).toMatchObject({
      reward: 0,
      detail: { kind: 'outputs', rOutputs: true },
      dataMatches: false,
    });
  });

  it('notes an output that was only given inside another word or number', () => {
    const strict = (content: string, output: string) => gradeInfo([say(content)], task([], [output])).strictOutputs;
    expect(strict('it costs $1,010.', '10')).toBe(false);
    expect(strict('it costs $10.50', '10')).toBe(false);
    expect(strict('items 9,10,11', '10')).toBe(true);
    expect(strict('it costs $10.', '10')).toBe(true);
    expect(strict('it costs $1,010', '1010')).toBe(true);
    expect(strict('a mugful', 'mug')).toBe(false);
  });

  it('raises where the reference does: when the search reaches a content that is not text', () => {
    const silent = action('respond', '{"content": null}');
    const graded = task([], ['ten']);
    expect(grade(shop, graded, [silent, say('ten')], { hash: createHasher(shop) })).toEqual({
      kind: 'raised',
      message: "'NoneType' object has no attribute 'lower'",
    });
    expect(grade(shop, graded, [action('respond')], { hash: createHasher(shop) })).toEqual({
      kind: 'raised',
      message: "'content'",
    });
    expect(gradeInfo([say('ten'), silent], graded).reward).toBe(1);
    expect(gradeInfo([silent], task([])).reward).toBe(1);
  });

  it('notes when only the spelling of a number decided', () => {
    const move = (zip: string) =>
      action(
        'modify_user_address',
        `{"user_id": "ada_1", "address1": "", "address2": "", "city": "", "state": "", "country": "", "zip": ${zip}}`,
      );
    expect(gradeInfo([move('131.0')], task([move('131')]))).toMatchObject({ reward: 0, numberSpellingOnly: true });
    expect(gradeInfo([move('132')], task([move('131')]))).toMatchObject({ reward: 0, numberSpellingOnly: false });
    expect(gradeInfo([move('131')], task([move('131')]))).toMatchObject({ reward: 1, numberSpellingOnly: false });
  });

  it('asks for the ground truth’s hash only when it is reported', () => {
    const hash = vi.fn(() => 'remembered');
    expect(grade(shop, task([CANCEL]), [], { hash })).toMatchObject({
      grade: { parts: [{ kind: 'data', checks: [{ wanted: 'remembered' }] }, { kind: 'outputs' }] },
    });
    grade(shop, task([CANCEL], ['x']), [], { hash });
    expect(hash).toHaveBeenCalledTimes(1);
  });

  it('returns the same result each time', () => {
    fc.assert(
      fc.property(fc.array(shopActions), fc.array(shopActions), fc.boolean(), (actions, truth, withOutput) => {
        const graded = task(truth, withOutput ? ['1010'] : []);
        const first = grade(shop, graded, actions, { hash: createHasher(shop) });
        expect(grade(shop, graded, actions, { hash: createHasher(shop) })).toEqual(first);
        // It is the same once it has crossed Temporal.
        if (first.kind === 'graded') expect(fromRewardInfo(toRewardInfo(first.grade))).toEqual(first.grade);
      }),
    );
  });
});

describe('the strict check of outputs', () => {
  it.each([
    ['1010', 'It is $1,010.', true],
    ['1,010', 'It is $1010.', true],
    ['1,010', 'It is $1,010.', true],
    ['1234567', 'in all 1,234,567', true],
    ['10', 'It is $1,010.', false],
    ['1010', 'rooms 10,10', false],
    ['12', '1,2 and 3', false],
    ['1', '1,2 and 3', true],
    ['blue, large', 'The BLUE, large one', true],
    ['1.5', 'it is 1.52', false],
  ])('%j is reported by %j: %s', (output, content, isTold) => {
    expect(areOutputsWords([output], [say(content)])).toBe(isTold);
  });

  it('needs every output in any message to the user, and ignores other messages', () => {
    expect(areOutputsWords(['10', '20'], [say('10'), say('20')])).toBe(true);
    expect(areOutputsWords(['10', '20'], [say('10')])).toBe(false);
    expect(areOutputsWords(['10'], [action('think', '{"content": "10"}')])).toBe(false);
  });
});

describe('the benchmark’s check of outputs', () => {
  it('keeps the commas of the output, and removes those of the answer', () => {
    expect(findOutputs(['1,010'], [say('It is $1,010.')])).toEqual(new Map([['1,010', false]]));
    expect(findOutputs(['1010', '101'], [say('It is $1,010.')])).toEqual(
      new Map([
        ['1010', true],
        ['101', true],
      ]),
    );
  });
});
