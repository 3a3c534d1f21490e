import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { grade, STOP_MARKER, type Action, type Task } from '../../../src/benchmarks/index.ts';
import { listReasons, regradeDocument, summarize, isSameReward } from '../../../src/results/regrade/index.ts';
import { action, createHasher, shop, shopActions } from '../../benchmarks/helpers.ts';
import { entry, play, regraded } from './episodes.ts';

const CANCEL = action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}');
const say = (content: string): Action => ({ name: 'respond', kwargs: new Map([['content', content]]) });
const ask: Action = say('Anything else?');
const task = (changes: Partial<Task> = {}): Task => ({
  userId: 'ada_1',
  instruction: 'Cancel it.',
  actions: [CANCEL],
  outputs: [],
  ...changes,
});

describe('regradeEntry', () => {
  it('gives every played episode the reward that it had, in each form', () => {
    const episodes = fc.tuple(
      fc.array(shopActions, { maxLength: 8 }),
      fc.array(shopActions, { maxLength: 4 }),
      fc.subarray(['1010', 'dollars']),
      fc.constantFrom('tools' as const, 'text' as const),
    );
    fc.assert(
      fc.property(episodes, ([actions, truth, outputs, form]) => {
        const wanted = task({ actions: truth, outputs });
        const played = play(shop, [...actions, ask], ['Go on.'], form);
        const graded = grade(shop, wanted, played.actions, { hash: createHasher(shop) });
        const isDone =
          JSON.stringify(played.messages.at(-1)).includes(STOP_MARKER) ||
          played.actions.at(-1)?.name === 'transfer_to_human_agents';
        const reward = isDone && graded.kind === 'graded' ? graded.grade.reward : 0;
        const given = entry(played.messages, { reward });
        const record = regraded(shop, wanted, given);
        expect(record).toMatchObject({ recordedReward: reward, replayedReward: reward, mismatches: [] });
        expect(record.executedActions).toBe(played.actions.length);
        expect(regraded(shop, wanted, given)).toEqual(record);
        // Whatever costs the reward is told, and nothing else is.
        expect(listReasons(record).length > 0).toBe(reward === 0);
      }),
    );
  });

  it('names the data that differ and the outputs that are missing', () => {
    const record = regraded(shop, task({ outputs: ['12', 'OK.'] }), entry(play(shop, [say('ok. so')]).messages));
    expect(listReasons(record)).toEqual([
      'data: orders #W1 (payment_history[1], status +1) and users ada_1 (payment_methods.gift_card_1.balance)',
      'outputs missing: "12"',
    ]);
  });

  it('reports when only the spelling of a number decides', () => {
    const address = (zip: string) =>
      action(
        'modify_user_address',
        `{"user_id": "ada_1", "address1": "", "address2": "", "city": "", "state": "", "country": "", "zip": ${zip}}`,
      );
    const played = play(shop, [address('1.0'), ask]);
    const record = regraded(shop, task({ actions: [address('1')] }), entry(played.messages));
    expect(listReasons(record)).toEqual(['only the spelling of numbers differs', 'data: users ada_1 (address.zip)']);
  });

  it('grades no episode that was not done, but says what it would have been', () => {
    const { messages } = play(shop, [CANCEL, ask], ['And now?']);
    const record = regraded(shop, task(), entry(messages));
    expect(record).toMatchObject({ replayedReward: 0, ending: { kind: 'not_done' }, grade: null });
    expect(listReasons(record)).toEqual(['not done', 'the data are right, and no output is missing']);
    const long = play(
      shop,
      Array.from({ length: 30 }, () => ask),
      Array.from({ length: 30 }, () => 'more'),
    );
    expect(listReasons(regraded(shop, task({ actions: [] }), entry(long.messages)))[0]).toBe('out of steps (30)');
  });

  it('stops where the episode ended, whatever comes after', () => {
    const { messages } = play(shop, [CANCEL, ask]);
    const more = play(shop, [action('get_order_details', '{"order_id": "#W1"}')]).messages.slice(2);
    const record = regraded(shop, task(), entry([...messages, ...more], { reward: 1 }));
    expect(record).toMatchObject({ replayedReward: 1, executedActions: 2, recordedActions: 3, mismatches: [] });
  });

  it('reports observations that are not as they were recorded', () => {
    const { messages } = play(shop, [action('get_user_details', '{"user_id": "bob_2"}'), CANCEL, ask]);
    const recorded = messages.map((message) =>
      'name' in message && message.name === 'get_user_details' ? { ...message, content: 'once' } : message,
    );
    const record = regraded(shop, task(), entry(recorded, { reward: 1 }));
    expect(record).toMatchObject({
      mismatches: [{ position: 0, action: 'get_user_details', recorded: 'once' }],
      replayedReward: 1,
    });
  });

  it('reports what raises, and of messages that are no actions', () => {
    const nothing = regraded(
      shop,
      task({ outputs: ['12'] }),
      entry(play(shop, [{ ...ask, kwargs: new Map([['content', null]]) }]).messages),
    );
    expect(listReasons(nothing)).toEqual(["raised 'NoneType' object has no attribute 'lower'"]);
    const call = (text: string) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ function: { name: 'x', arguments: text } }],
    });
    expect(listReasons(regraded(shop, task(), entry([call('{')])))[0]).toMatch(
      /^message 1 of the agent is not an action: /,
    );
    expect(listReasons(regraded(shop, task(), entry([call('[]')])))[0]).toContain('not a JSON object');
    const mute = { role: 'assistant', tool_calls: [{ function: { name: 'respond', arguments: '{}' } }] };
    expect(listReasons(regraded(shop, task(), entry([mute])))).toEqual(["raised KeyError: 'content'"]);
  });

  it('takes an error in the place of a trajectory for a reward of zero', () => {
    const record = regraded(shop, task(), entry([], { info: { error: 'rate limit', traceback: '' } }));
    expect(isSameReward(record)).toBe(true);
    expect(listReasons(record)).toEqual(['ended in error: rate limit']);
  });

  it('reports which fields of the task are not the recorded ones', () => {
    const recorded = { user_id: 'bob_2', instruction: 'Other.', outputs: ['1'], actions: [ask] };
    const { taskChanges } = regraded(shop, task(), entry([], { info: { task: recorded } }));
    expect(taskChanges).toEqual(['user_id', 'instruction', 'actions', 'outputs']);
    const same = { user_id: 'ada_1', instruction: 'Cancel it.', outputs: [], actions: [CANCEL] };
    expect(regraded(shop, task(), entry([], { info: { task: same } })).taskChanges).toEqual([]);
  });
});

describe('summarize', () => {
  it('counts what happened', () => {
    const right = regraded(shop, task(), entry(play(shop, [CANCEL, ask]).messages, { reward: 0 }));
    const failed = regraded(shop, task(), entry([], { info: { error: 'x' } }));
    expect(summarize([right, failed])).toEqual({
      records: 2,
      rewardsEqual: 1,
      rewardsDiffer: 1,
      reportedSuccesses: 0,
      regradedSuccesses: 1,
      recordedAverage: 0,
      replayedAverage: 0.5,
      endings: { user_stop: 1, recorded_error: 1 },
      rightDataWithoutReward: 0,
      numberSpellingOnly: 0,
      observationMismatches: { records: 0, observations: 0 },
      refusedWrites: { records: 0, calls: 0 },
      taskChangedSince: {},
    });
  });
});

it('writes floats as Python does, and every key in snake_case', () => {
  const records = [regraded(shop, task({ outputs: ['12'] }), entry(play(shop, [say('ok')]).messages, { reward: 1 }))];
  const pack = { name: 'shop', digest: 'abc' };
  const file = { file: 'r.json', env: 'retail', split: 'test', pack, form: 'tools' as const };
  const text = dumpJson(regradeDocument({ ...file, summary: summarize(records), records }));
  expect(text).toMatch('"recorded_average": 1.0, "replayed_average": 0.0');
  expect(text).toMatch('"path": "status", "agent": "pending", "ground_truth": "cancelled"');
  expect(text.match(/"\w*[a-z][A-Z]\w*":/g)).toBeNull();
});
