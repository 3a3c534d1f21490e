import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan } from '../../../src/agents/fastworkflow/cme/plan.ts';
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
