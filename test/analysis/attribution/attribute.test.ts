import { describe, expect, it } from 'vitest';
import { attributeFailure } from '../../../src/analysis/testing.ts';
import type { AnalyzedEpisode } from '../../../src/analysis/index.ts';
import type { Action } from '../../../src/benchmarks/index.ts';
import { action, CANCEL, EXCHANGE, failed, moveTo, READ, RETURN, say, shop, taskOf, TRANSFER } from './episodes.ts';

const BYE = say('Anything else?');

function faultsOf(episode: AnalyzedEpisode) {
  return attributeFailure(shop, episode).faults;
}

/** `kind@step` of every fault. */
function kindsOf(wanted: readonly Action[], done: readonly Action[], outputs: readonly string[] = []) {
  const faults = faultsOf(failed(taskOf(wanted, outputs), done));
  return faults.map(({ kind, step }) => `${kind}@${String(step)}`);
}

describe('what the agent wrote', () => {
  it('is nothing to speak of in an episode that was solved', () => {
    const solved = failed(taskOf([CANCEL]), [READ, BYE], { reward: 1 });
    expect(attributeFailure(shop, solved)).toEqual({ faults: [], differences: [] });
  });

  it('lacks a write, by the last step', () => {
    const [fault, ...others] = faultsOf(failed(taskOf([READ, CANCEL]), [READ, BYE]));
    expect(others).toEqual([]);
    expect(fault).toEqual({
      kind: 'missing_write',
      faultType: 'goal_partially_completed',
      step: 2,
      tool: 'cancel_pending_order',
      argument: null,
      expected: '{"order_id": "#W1", "reason": "no longer needed"}',
      given: null,
      sentence: 'cancel_pending_order (order_id "#W1") was not carried out.',
    });
  });

  it('lacks a write that comes too late after another', () => {
    const pay = action('modify_pending_order_payment', '{"order_id": "#W1", "payment_method_id": "card_1"}');
    const [fault] = faultsOf(failed(taskOf([pay, CANCEL]), [READ, CANCEL, BYE]));
    expect(fault).toMatchObject({ kind: 'missing_write', step: 2, tool: 'modify_pending_order_payment' });
    expect(fault?.sentence).toContain('before step 2, after which it is too late');
  });

  it('lacks a write where it went another way after the look-up, not at the end of the conversation', () => {
    const other = action('get_order_details', '{"order_id": "#W2"}');
    const ask = say('I can cancel #W1. Do you want me to?');
    const [fault, ...others] = faultsOf(
      failed(taskOf([READ, CANCEL]), [READ, ask, other, say('Hm.'), say('So.'), BYE]),
    );
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      kind: 'missing_write',
      step: 3,
      sentence:
        'cancel_pending_order (order_id "#W1") was not carried out: step 3 went another way after get_order_details of step 1.',
    });
    // Until the steps run out it could still have been made.
    const cut = failed(taskOf([READ, CANCEL]), [READ, say('Hm.'), say('So.'), other], { outcome: 'max_steps' });
    expect(faultsOf(cut).map(({ kind, step }) => [kind, step])).toEqual([
      ['out_of_steps', 4],
      ['missing_write', 4],
    ]);
    // A look-up that the ground truth has before the write, of whatever record.
    const done = [other, say('Hm.'), say('So.'), BYE];
    expect(kindsOf([other, CANCEL], done)).toEqual(['missing_write@2']);
    expect(kindsOf([CANCEL, other], done)).toEqual(['missing_write@4']);
    expect(kindsOf([READ, CANCEL], [READ, say('Fine. Anything else?'), say('Hm.'), BYE])).toEqual(['missing_write@2']);
  });

  it('lacks a write as early where the user stopped in the words of τ³-bench', () => {
    const episode = failed(taskOf([READ, CANCEL]), [READ, say('Fine. Anything else?'), say('Hm.'), BYE]);
    const steps = episode.steps.map((step) => ({
      ...step,
      observation: step.observation?.replace('###STOP###', '###TRANSFER###') ?? null,
    }));
    expect(faultsOf({ ...episode, steps }).map(({ kind, step }) => [kind, step])).toEqual([['missing_write', 2]]);
  });

  it('lacks a write from the reply that refused it, before what it said later', () => {
    const refuse = say('I am sorry. I cannot cancel your order #W1, as it is too late.');
    const faults = faultsOf(failed(taskOf([CANCEL]), [READ, refuse, READ, say('Your order has been cancelled.'), BYE]));
    expect(faults.map(({ kind, step }) => [kind, step])).toEqual([
      ['missing_write', 2],
      ['said_not_done', 4],
    ]);
    expect(faults[0]?.sentence).toBe(
      'cancel_pending_order (order_id "#W1") was not carried out: step 2 refused it: “I cannot cancel your order #W1, as it is too late.”.',
    );
    expect(kindsOf([CANCEL], [READ, say('Done! Your order has been cancelled.'), refuse, BYE])).toEqual([
      'said_not_done@2',
      'missing_write@2',
    ]);
    const both = say('I cannot cancel your order #W1. Your order has been cancelled.');
    const missing = faultsOf(failed(taskOf([CANCEL]), [READ, both, BYE])).find(({ kind }) => kind === 'missing_write');
    expect(missing?.sentence).toContain('step 2 refused it');
  });

  it.each([
    'Cancellation is not possible here.',
    "Unfortunately, pending orders can't be cancelled.",
    'We are unable to cancel it.',
  ])('was refused: %s', (text) => {
    expect(kindsOf([READ, CANCEL], [say(text), READ, say('Hm.'), BYE])).toEqual(['missing_write@1']);
  });

  it.each([
    'I cannot cancel your order #W2.',
    'I cannot cancel it until you confirm.',
    'Is it that you cannot cancel it?',
    'I cannot find you.',
    'We cannot change the address.',
  ])('was not refused: %s', (text) => {
    expect(kindsOf([READ, CANCEL], [say(text), READ, say('Hm.'), BYE])).toEqual(['missing_write@3']);
  });

  it('was not refused where another tool of its verb was', () => {
    const wanted = [moveTo('"1"', '"order_id": "#W1"', 'modify_pending_order_address')];
    expect(kindsOf(wanted, [say('You cannot change the items.'), READ, BYE])).toEqual(['missing_write@3']);
    expect(kindsOf(wanted, [say('You cannot change the address.'), READ, BYE])).toEqual(['missing_write@1']);
  });

  it('has a write too many', () => {
    const [fault, ...others] = faultsOf(failed(taskOf([CANCEL]), [CANCEL, RETURN, BYE]));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      kind: 'extra_write',
      faultType: 'took_unintended_action',
      step: 2,
      tool: 'return_delivered_order_items',
    });
  });

  it('has a wrong argument, named with its path', () => {
    const wrong = action(
      'return_delivered_order_items',
      '{"order_id": "#W2", "item_ids": ["101", "101"], "payment_method_id": "card_1"}',
    );
    const [fault, ...others] = faultsOf(failed(taskOf([RETURN]), [READ, wrong, BYE]));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      kind: 'wrong_argument',
      faultType: 'used_wrong_tool_argument',
      step: 2,
      argument: 'item_ids[1]',
      expected: null,
      given: '"101"',
      sentence: 'Step 2 called return_delivered_order_items with item_ids[1] "101" instead of nothing.',
    });
  });

  it('has an argument wrong that the tool refused, and says so', () => {
    const wrong = action('cancel_pending_order', '{"order_id": "#W1", "reason": "a whim"}');
    const faults = faultsOf(failed(taskOf([CANCEL]), [wrong, TRANSFER]));
    expect(faults.map(({ kind, step }) => [kind, step])).toEqual([
      ['wrong_argument', 1],
      ['transferred_early', 2],
    ]);
    expect(faults[0]).toMatchObject({ argument: 'reason', expected: '"no longer needed"', given: '"a whim"' });
    expect(faults[0]?.sentence).toContain('and was refused: “Error: ');
  });

  it('lacks an argument, or has one too many', () => {
    const without = action('cancel_pending_order', '{"order_id": "#W1"}');
    expect(faultsOf(failed(taskOf([CANCEL]), [without, BYE]))).toMatchObject([
      { kind: 'wrong_argument', argument: 'reason', expected: '"no longer needed"', given: null },
    ]);
    const more = action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed", "now": true}');
    expect(faultsOf(failed(taskOf([CANCEL]), [more, BYE]))).toMatchObject([
      { kind: 'wrong_argument', argument: 'now', expected: null, given: 'true' },
    ]);
  });

  it('is of another record where nothing else differs', () => {
    const other = moveTo('"1"', '"user_id": "bob_2"');
    expect(faultsOf(failed(taskOf([moveTo('"1"')]), [other, BYE]))).toMatchObject([
      { kind: 'wrong_argument', argument: 'user_id', expected: '"ada_1"', given: '"bob_2"' },
    ]);
  });

  it('was made with another tool, done or refused', () => {
    expect(faultsOf(failed(taskOf([EXCHANGE]), [RETURN, BYE]))).toMatchObject([
      { kind: 'wrong_tool', faultType: 'called_wrong_tool', step: 1, tool: 'return_delivered_order_items' },
    ]);
    const refused = action('cancel_pending_order', '{"order_id": "#W2", "reason": "no longer needed"}');
    const [fault] = faultsOf(failed(taskOf([RETURN]), [refused, BYE]));
    expect(fault).toMatchObject({ kind: 'wrong_tool', tool: 'cancel_pending_order' });
    expect(fault?.sentence).toMatch(/instead of return_delivered_order_items, and was refused: “Error/);
    const unknown = action('return_items', '{"order_id": "#W2", "item_ids": ["101"]}');
    expect(kindsOf([RETURN], [unknown, BYE])).toEqual(['wrong_tool@1']);
  });

  it('is not a wrong tool where the tool has its own work on the record, or only read', () => {
    const payment = action('modify_pending_order_payment', '{"order_id": "#W1", "payment_method_id": "card_1"}');
    const again = action('modify_pending_order_payment', '{"order_id": "#W1", "payment_method_id": "nobody"}');
    expect(kindsOf([payment, CANCEL], [payment, again, BYE])).toEqual(['missing_write@3']);
    expect(kindsOf([CANCEL], [READ, BYE])).toEqual(['missing_write@2']);
  });

  it('was in an order that matters', () => {
    const first = moveTo('"1"');
    const second = moveTo('"2"');
    expect(faultsOf(failed(taskOf([first, second]), [READ, second, first, BYE]))).toMatchObject([
      { kind: 'wrong_order', faultType: 'other', step: 2 },
    ]);
    expect(kindsOf([CANCEL, RETURN], [RETURN, CANCEL, BYE])).toEqual(['other@null']);
  });

  it('is no fault where it was undone, or where another call comes to the same', () => {
    const there = moveTo('"9"');
    expect(kindsOf([CANCEL, moveTo('"1"')], [there, moveTo('"1"'), BYE])).toEqual(['missing_write@3']);
    const swapped = action(
      'return_delivered_order_items',
      '{"payment_method_id": "card_1", "item_ids": ["101"], "order_id": "#W2"}',
    );
    expect(kindsOf([RETURN, CANCEL], [swapped, BYE])).toEqual(['missing_write@2']);
  });

  it('is no fault where the ground truth is refused with the same call', () => {
    const refused = action('cancel_pending_order', '{"order_id": "#W2", "reason": "no longer needed"}');
    expect(kindsOf([refused, RETURN], [refused, BYE])).toEqual(['missing_write@2']);
  });

  it('differs only in how a number is spelt', () => {
    const [fault, ...others] = faultsOf(failed(taskOf([moveTo('2000')]), [moveTo('2000.0'), BYE]));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ kind: 'number_spelling', argument: 'zip', expected: '2000', given: '2000.0' });
  });
});

describe('the end of an episode', () => {
  it('is a transfer while something is outstanding, before what it left', () => {
    expect(kindsOf([CANCEL], [READ, TRANSFER])).toEqual(['transferred_early@2', 'missing_write@2']);
    expect(kindsOf([], [say('Hm.'), TRANSFER], ['10'])).toEqual(['transferred_early@2', 'missing_output@2']);
    // An output that was due before a transfer that was due itself.
    expect(kindsOf([TRANSFER], [say('It is 11.'), TRANSFER], ['10'])).toEqual(['missing_output@1']);
    expect(kindsOf([], [CANCEL, TRANSFER])).toEqual(['extra_write@1']);
  });

  it('is the steps running out, also of an episode that is right', () => {
    const task = taskOf([CANCEL]);
    const open = { outcome: 'max_steps' };
    expect(faultsOf(failed(task, [READ, READ], open)).map(({ kind }) => kind)).toEqual([
      'out_of_steps',
      'missing_write',
    ]);
    const [fault, ...others] = faultsOf(failed(task, [CANCEL, READ], open));
    expect(others).toEqual([]);
    expect(fault?.sentence).toBe(
      'The episode ran out of steps after 2, though the data are right and every output was given.',
    );
    // A file that has no grade does not mean that the steps ran out.
    expect(faultsOf(failed(task, [READ, BYE], open)).map(({ kind }) => kind)).toEqual(['missing_write']);
  });

  it('is a message that is no action, one step after the last', () => {
    const episode = failed(taskOf([CANCEL]), [READ], {
      outcome: 'agent_error',
      unreadable: 'the arguments are not JSON: Extra data',
      error: { kind: 'invalid_tool_arguments', message: 'whatever' },
    });
    expect(faultsOf(episode)).toMatchObject([
      {
        kind: 'unreadable_call',
        step: 2,
        sentence: 'The message after step 1 is not an action: the arguments are not JSON: Extra data.',
      },
      { kind: 'missing_write', step: 2 },
    ]);
  });

  it('is an action that the environment cannot take', () => {
    const episode = failed(taskOf([CANCEL]), [READ, action('respond')], { outcome: 'agent_error' });
    expect(faultsOf(episode)[0]).toMatchObject({ kind: 'unreadable_call', step: 2, tool: 'respond' });
  });

  it('is an error of the agent that is no unreadable message', () => {
    const error = { kind: 'context_overflow', message: 'too long' };
    const [fault] = faultsOf(failed(taskOf([CANCEL]), [READ], { outcome: 'agent_error', error }));
    expect(fault).toMatchObject({ kind: 'other', faultType: 'other', step: 2 });
    expect(fault?.sentence).toContain('no longer fitted into the model');
  });

  it.each([
    ['infrastructure_error', [READ]],
    ['error', []],
    ['error', [READ]],
  ])('is infrastructure: %s after %j', (outcome, actions) => {
    const error = { kind: 'ProviderFailed', message: 'the provider is away' };
    expect(attributeFailure(shop, failed(taskOf([CANCEL]), actions, { outcome, error }))).toEqual({
      faults: [
        {
          kind: 'infrastructure',
          faultType: null,
          step: null,
          tool: null,
          argument: null,
          expected: null,
          given: null,
          sentence: 'Infrastructure ended the episode: the provider is away.',
        },
      ],
      differences: [],
    });
  });

  it.each(['cancelled', 'decision_only'])('is nobody’s fault when it was %s', (outcome) => {
    expect(faultsOf(failed(taskOf([CANCEL]), [READ], { outcome }))).toEqual([]);
  });
});

describe('what the agent said', () => {
  it('lacks an output', () => {
    expect(faultsOf(failed(taskOf([], ['10', '1,5']), [say('It is 1,0.'), BYE]))).toMatchObject([
      { kind: 'missing_output', step: 2, expected: '"1,5"', sentence: 'The user was not given "1,5".' },
    ]);
  });

  it('is no text', () => {
    const error = { kind: 'ungradable_content', message: "'int' object has no attribute 'lower'" };
    const actions = [action('respond', '{"content": 10}'), BYE];
    const episode = failed(taskOf([CANCEL], ['10']), actions, { outcome: 'agent_error', error });
    expect(faultsOf(episode).map(({ kind, step }) => `${kind}@${String(step)}`)).toEqual([
      'unreadable_call@1',
      'missing_write@2',
    ]);
  });

  const claim = (text: string, ...before: Action[]) =>
    kindsOf([CANCEL], [...before, say(text)]).filter((kind) => kind.startsWith('said_not_done'));

  it.each([
    'Your order #W1 has been cancelled.',
    'Good news! I have successfully canceled your order.',
    'The cancellation of your order has been processed.',
    'Nothing else is open, and your order has been cancelled.',
  ])('claims what was not done: %s', (text) => {
    expect(claim(text)).toEqual(['said_not_done@1']);
  });

  it.each([
    'Your order #W2 has been cancelled.',
    'Once your order has been cancelled, you get a mail.',
    'Has your order been cancelled?',
    'Your order has not been cancelled.',
    'Your order has already been cancelled.',
    'Your order can be cancelled.',
    'Your request is complete.',
  ])('does not claim it: %s', (text) => {
    expect(claim(text)).toEqual([]);
  });

  it('may mean what was done on another record, unless it names the one', () => {
    const modify = moveTo('"1"', '"order_id": "#W1"', 'modify_pending_order_address');
    const wanted = [modify, moveTo('"1"')];
    const done = (text: string) => kindsOf(wanted, [modify, say(text)]).filter((kind) => kind.startsWith('said'));
    expect(done('The address has been updated.')).toEqual([]);
    expect(done('The details of ada_1 have been changed.')).toEqual(['said_not_done@2']);
  });

  it('claims a part that no call had to do with', () => {
    const payment = action('modify_pending_order_payment', '{"order_id": "#W1", "payment_method_id": "card_1"}');
    const wanted = [payment, moveTo('"1"', '"order_id": "#W1"', 'modify_pending_order_address')];
    const done = (text: string) => kindsOf(wanted, [payment, say(text)]).filter((kind) => kind.startsWith('said'));
    expect(done('The order has been modified, and the new address has been added.')).toEqual(['said_not_done@2']);
    expect(done('The order has been modified.')).toEqual([]);
  });
});

describe('differences of the data', () => {
  it('name the field, both values and the last step that changed it', () => {
    const wrong = action('cancel_pending_order', '{"order_id": "#W1", "reason": "ordered by mistake"}');
    const { differences } = attributeFailure(shop, failed(taskOf([CANCEL, moveTo('"1"')]), [READ, wrong, BYE]));
    expect(differences).toContainEqual({
      table: 'orders',
      id: '#W1',
      path: ['cancel_reason'],
      step: 2,
      agent: '"ordered by mistake"',
      wanted: '"no longer needed"',
    });
    expect(differences).toContainEqual({
      table: 'users',
      id: 'ada_1',
      path: ['address', 'zip'],
      step: null,
      agent: '"1000"',
      wanted: '"1"',
    });
  });

  it('take the last of several steps that changed a field', () => {
    const { differences } = attributeFailure(
      shop,
      failed(taskOf([moveTo('"1"')]), [moveTo('"2"'), READ, moveTo('"3"'), READ, BYE]),
    );
    expect(differences.map(({ path, step, agent }) => [path.join('.'), step, agent])).toEqual([
      ['address.zip', 3, '"3"'],
    ]);
  });
});
