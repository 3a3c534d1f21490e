/** A command that may be corrected: `parameterTries` above 1. */

import { describe, expect, it } from 'vitest';

import { splitValues } from '../../../src/agents/fastworkflow/understanding/parameter-stage.ts';
import { START, type CmeStep } from '../../../src/agents/fastworkflow/understanding/types.ts';

import { context, take, result } from './machine-steps.ts';

describe('a command with more than one try', () => {
  const given = context({ parameterTries: 3 });
  const first = take('cancel_pending_order <order_id>#W-1</order_id>', START, given);
  const again = (text: string, from: CmeStep = first) => take(text, from.stage, given);

  it('may be corrected, and says how', () => {
    expect(first.stage).toMatchObject({ stage: 'parameter_extraction', triesLeft: 2 });
    const plan = result(first);
    expect(plan).toMatchObject({ kind: 'error', correctable: true });
    expect(plan.kind === 'error' && plan.message).toContain('It is enough to give reason, order_id now');
  });

  it.each([
    'no longer needed, #W1',
    '"no longer needed", W1',
    '<order_id>#W1</order_id> <reason>no longer needed</reason>',
  ])('takes %s', (text) => {
    expect(again(text)).toMatchObject({ stage: START });
    expect(result(again(text))).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([
        ['order_id', '#W1'],
        ['reason', 'no longer needed'],
      ]),
    });
  });

  it('keeps what one correction gave for the next, and ends with the last try', () => {
    const second = again('<reason>ordered by mistake</reason>');
    expect(result(second)).toMatchObject({ kind: 'error', correctable: true });
    expect(result(again('#W1', second))).toMatchObject({ kind: 'plan' });
    const third = again('#W-2', second);
    expect(third).toMatchObject({ stage: START });
    expect(result(third)).not.toHaveProperty('correctable');
  });

  it('takes one value with commas in it whole when only one was asked for', () => {
    const open = take('transfer_to_human_agents', START, given);
    expect(result(again('Angry, tired, wants out', open))).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([['summary', 'Angry, tired, wants out']]),
    });
  });

  it('takes a value that begins like a command', () => {
    const open = take('transfer_to_human_agents', START, given);
    for (const summary of ['Cancel everything, he says', 'list of all that he wants', 'get']) {
      expect(result(again(summary, open))).toMatchObject({
        kind: 'plan',
        commandName: 'transfer_to_human_agents',
        cmdParameters: new Map([['summary', summary]]),
      });
    }
  });

  it('is left by an exact command and by abort', () => {
    expect(result(again('list_all_product_types'))).toMatchObject({ commandName: 'list_all_product_types' });
    expect(again('abort')).toMatchObject({ stage: START, effect: { plan: { kind: 'handled' } } });
  });

  it('is not used up by an empty text', () => {
    expect(again(' ').stage).toEqual(first.stage);
  });

  it('splits values at commas outside of brackets and quotes', () => {
    expect(splitValues('a, [1, 2], "b, c", d')).toEqual(['a', '[1, 2]', '"b, c"', 'd']);
  });
});
