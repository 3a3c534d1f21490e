import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan } from '../../../src/agents/fastworkflow/understanding/understand.ts';
import { RETAIL } from './commands.ts';

const { commands: COMMANDS } = RETAIL;

describe('a command that is understood', () => {
  it('becomes its name and its parameters', () => {
    expect(plan(RETAIL, 'GET_ORDER_DETAILS <order_id>W1</order_id>')).toEqual({
      kind: 'plan',
      commandName: 'get_order_details',
      cmdParameters: new Map([['order_id', '#W1']]),
    });
    expect(plan(RETAIL, 'list_all_product_types')).toEqual({
      kind: 'plan',
      commandName: 'list_all_product_types',
      cmdParameters: new Map(),
    });
  });

  it('is the first of two on two lines', () => {
    const two = 'get_order_details <order_id>#W1</order_id>\nget_order_details <order_id>#W2</order_id>';
    expect(plan(RETAIL, two)).toMatchObject({ kind: 'plan', cmdParameters: new Map([['order_id', '#W1']]) });
  });

  it('is an error without the parameters that it needs', () => {
    expect(plan(RETAIL, 'get_user_details\nget_order_details <order_id>#W2</order_id>')).toMatchObject({
      kind: 'error',
      commandName: 'get_user_details',
    });
  });
});

describe('a command without all of its parameters', () => {
  it.each([
    ['get_order_details', ['order_id', 'get_user_details']],
    ['get_order_details(#W1000001)', ['order_id', 'get_user_details']],
    ['get_order_details <order_id>#W-1</order_id>', ["order_id '#W-1'"]],
    ['cancel_pending_order', ['order_id', 'reason', 'get_user_details']],
    ['cancel_pending_order <order_id>#W1</order_id>', ["'no longer needed'", "'ordered by mistake'"]],
    ['return_delivered_order_items <order_id>#W1</order_id>', ['item_ids', 'get_order_details']],
    ['transfer_to_human_agents', ['summary']],
  ])('%s is an error that says what is needed', (text, needed) => {
    const result = plan(RETAIL, text);
    expect(result.kind).toBe('error');
    for (const part of needed) expect(result.kind === 'error' && result.message).toContain(part);
  });
});

describe('a command that may be one of several', () => {
  it('is answered with these', () => {
    const result = plan(RETAIL, 'get');
    expect(result.kind).toBe('clarification');
    const candidates = result.kind === 'clarification' ? result.candidates : [];
    expect([...candidates].sort()).toEqual(['get_order_details', 'get_product_details', 'get_user_details']);
    for (const name of candidates) expect(result.kind === 'clarification' && result.message).toContain(name);
  });

  it('is decided by a classifier of one’s own', () => {
    const classifier = () => [{ name: 'list_all_product_types', confidence: 1 }];
    expect(plan(RETAIL, 'what do you sell?', { classifier })).toMatchObject({ commandName: 'list_all_product_types' });
  });
});

describe('what is no command', () => {
  it('is answered with all command names', () => {
    const result = plan(RETAIL, 'tell me a joke');
    expect(result).toMatchObject({ kind: 'clarification', candidates: COMMANDS.map((command) => command.name) });
    for (const command of COMMANDS) expect(result.kind === 'clarification' && result.message).toContain(command.name);
  });

  it('is handled without the environment when it asks for the commands, or is empty', () => {
    expect(plan(RETAIL, 'what_can_i_do')).toMatchObject({ kind: 'handled', answer: { kind: 'catalogue' } });
    expect(plan(RETAIL, '  ')).toMatchObject({ kind: 'handled', answer: { kind: 'text' } });
  });

  it('never makes planning throw', () => {
    const piece = fc.constantFrom('<item_ids>', '</item_ids>', '[', "'", '"', '\\', ',', '1', '(', '\n', ' ', 'a', '#');
    const names = fc.constantFrom(...COMMANDS.map((command) => command.name));
    fc.assert(
      fc.property(names, fc.array(piece, { maxLength: 30 }), (name, pieces) => {
        plan(RETAIL, `${name} ${pieces.join('')}`);
      }),
    );
  });
});
