import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  rankCommands,
  readStatement,
  chooseManner,
  wordCommand,
  type Move,
  type Manner,
} from '../../src/scripted-model/testing.ts';
import { dict } from './helpers.ts';

const TOOLS = [
  'calculate',
  'cancel_pending_order',
  'exchange_delivered_order_items',
  'find_user_id_by_email',
  'find_user_id_by_name_zip',
  'get_order_details',
  'get_product_details',
  'get_user_details',
  'list_all_product_types',
  'modify_pending_order_address',
  'modify_pending_order_items',
  'modify_pending_order_payment',
  'modify_user_address',
  'return_delivered_order_items',
  'transfer_to_human_agents',
].map((name) => ({ name, required: [], properties: new Map() }));
const NAMES = TOOLS.map(({ name }) => name);
const EXCHANGE = {
  name: 'exchange_delivered_order_items',
  kwargs: dict({ item_ids: ['11', '12'], order_id: '#W2', new_item_ids: ['13', '14'], payment_method_id: 'paypal_1' }),
};
const ORDERED = ['order_id', 'item_ids', 'new_item_ids', 'payment_method_id'];
const LOOK_UP = { name: 'get_order_details', kwargs: dict({ order_id: '#W1' }) };
const LIST = { name: 'list_all_product_types', kwargs: dict({}) };
const word = (manner: Manner, action = LOOK_UP, required: readonly string[] = []) =>
  wordCommand(
    action,
    manner,
    1,
    TOOLS.map((tool) => (tool.name === action.name ? { ...tool, required } : tool)),
  );

describe('natural wording', () => {
  it.each([
    ['exact', 'get_order_details <order_id>#W1</order_id>'],
    ['numbered', '1. get_order_details <order_id>#W1</order_id>'],
    ['fenced', '```\nget_order_details <order_id>#W1</order_id>\n```'],
    ['introduced', 'Please run:\nget_order_details <order_id>#W1</order_id>'],
    ['wrapped', '<command>get_order_details <order_id>#W1</order_id></command>'],
    ['tagged', '<get_order_details> <order_id>#W1</order_id></get_order_details>'],
    ['json', '{"name": "get_order_details", "arguments": {"order_id": "#W1"}}'],
    ['paired', '1. get_order_details <order_id>#W1</order_id>'],
    ['drafted', 'get_order_details <order_id>#W1</order_id>'],
    ['misspelt', 'get_order_detials <order_id>#W1</order_id>'],
    ['shortened', 'get_order <order_id>#W1</order_id>'],
    ['called', 'get_order_details(order_id="#W1")'],
    ['told', 'get_order_details where order_id is "#W1"'],
    ['described', 'Please look up the order details: order_id is "#W1".'],
    ['ambiguous', 'Something about the order.'],
  ] as const)('%s: %s', (manner, text) => {
    expect(word(manner)).toBe(text);
  });

  it('adds the next command of the episode where two are paired', () => {
    expect(wordCommand(LOOK_UP, 'paired', 1, TOOLS, LIST)).toBe(
      '1. get_order_details <order_id>#W1</order_id>\n2. list_all_product_types',
    );
  });

  it('calls a parameter by the first part of its name where that distinguishes them', () => {
    expect(word('mistagged', { name: 'cancel_pending_order', kwargs: dict({ order_id: '#W1', reason: 'x' }) })).toBe(
      'cancel_pending_order <order>#W1</order> <reason>x</reason>',
    );
  });

  it('does not name many parameters in a sentence: names of parameters speak for other commands too', () => {
    expect(word('described', EXCHANGE, ORDERED)).toBe(
      'Please exchange the delivered order items ("#W2", ["11", "12"], ["13", "14"], "paypal_1").',
    );
  });

  it('leaves nothing to introduce where a command takes no parameters', () => {
    expect((['called', 'told', 'described'] as const).map((manner) => word(manner, LIST))).toEqual([
      'list_all_product_types()',
      'list_all_product_types',
      'Please tell me all product types.',
    ]);
  });

  it('cuts names only as far as they still differ', () => {
    for (const name of NAMES) {
      const [short = ''] = word('shortened', { name, kwargs: dict({}) }).split(' ');
      expect(name.startsWith(short) && short.length >= 4).toBe(true);
      expect(NAMES.filter((other) => other.startsWith(short))).toEqual([name]);
    }
  });

  it('never begins a sentence like the name of a command', () => {
    const manners = ['described', 'ambiguous', 'jargon', 'hopeless'] as const;
    for (const manner of manners) {
      for (const name of NAMES) {
        const first = word(manner, { name, kwargs: dict({}) }).split(/[\s(<]/)[0] ?? '';
        expect(NAMES.filter((other) => other.startsWith(first.toLowerCase().slice(0, 3)))).toEqual([]);
      }
    }
  });

  it('names half of the commands in full with tags or JSON and asks for more than the exact syntax in a third', () => {
    const move: Move = { kind: 'call', action: EXCHANGE };
    const manners = Array.from({ length: 4000 }, (_, i) =>
      chooseManner(move, `[case a/test/${i} s1]`, i % 9, 'natural'),
    );
    const share = (...some: Manner[]) => manners.filter((manner) => some.includes(manner)).length / manners.length;
    const forms = ['numbered', 'fenced', 'introduced', 'wrapped', 'tagged', 'json', 'paired', 'drafted'] as const;
    expect(share('exact', ...forms)).toBeCloseTo(0.5, 1);
    expect(share('exact', ...forms, 'misspelt', 'shortened')).toBeLessThan(0.65);
    for (const form of forms) expect(share(form)).toBeGreaterThan(0.02);
    expect(new Set(manners).size).toBeGreaterThanOrEqual(9 + forms.length);
  });

  it('is the same whenever it is asked for, and exact for a model without it', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: 30 }), (code, position) => {
        const move: Move = { kind: 'call', action: LOOK_UP };
        expect(chooseManner(move, code, position, 'natural')).toBe(chooseManner(move, code, position, 'natural'));
        expect(chooseManner(move, code, position, 'exact')).toBe('exact');
        expect(chooseManner({ ...move, garbled: true }, code, position, 'natural')).toBe('exact');
      }),
    );
  });
});

describe('reading a statement', () => {
  const fields = ORDERED;

  it.each(['called', 'told', 'described', 'exact'] as const)(
    'finds every value in a command worded as %s',
    (manner) => {
      const statement = word(manner, EXCHANGE, ORDERED).replaceAll(EXCHANGE.name, '');
      expect(readStatement(statement, fields)).toEqual(EXCHANGE.kwargs);
    },
  );

  it('finds any text that is written as a sentence has it', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (first, list, last) => {
        const action = { name: 'do_it', kwargs: dict({ order_id: first, item_ids: list, note: last }) };
        for (const manner of ['called', 'told', 'described'] as const) {
          const statement = wordCommand(action, manner, 0, []).replace('do_it', '');
          // A value may look like the words around another; the first field is always read right.
          expect(readStatement(statement, ['order_id']).get('order_id')).toEqual(first);
        }
      }),
    );
  });

  it('reads tags that begin like the field, unless several do', () => {
    expect(
      readStatement('<first>Ada</first> <last>Low</last> <zip>1</zip>', ['first_name', 'last_name', 'zip']),
    ).toEqual(
      new Map([
        ['first_name', 'Ada'],
        ['last_name', 'Low'],
        ['zip', '1'],
      ]),
    );
    expect(readStatement('<item>1</item>', ['item_ids', 'item_name'])).toEqual(new Map());
  });

  it.each([
    ['(#W1)', '#W1'],
    [' (  10 + (5 * 2)) ', '10 + (5 * 2)'],
    ['order_id: #W1.', '#W1'],
    ['where order_id = #W1, please', '#W1'],
  ])('takes %s for %s', (statement, value) => {
    expect(readStatement(statement, ['order_id'])).toEqual(new Map([['order_id', value]]));
  });

  it('takes values in brackets for all fields in their order, or for none', () => {
    const statement = 'Please send them back ("#W1", ["1", "2"]).';
    expect(readStatement(statement, ['order_id', 'item_ids'])).toEqual(
      new Map<string, unknown>([
        ['order_id', '#W1'],
        ['item_ids', ['1', '2']],
      ]),
    );
    expect(readStatement(statement, ['order_id', 'item_ids', 'reason'])).toEqual(new Map());
  });

  it('finds nothing where nothing is said, and no field within another', () => {
    expect(readStatement('Just do it.', ['order_id', 'reason'])).toEqual(new Map());
    expect(readStatement('new_item_ids is ["1"]', ['item_ids'])).toEqual(new Map());
  });
});

describe('ranking commands', () => {
  const commands = NAMES.map((name) => `- ${name}: what it does\n  parameters:\n    order_id`).join('\n\n');

  it('goes by the words of their names, and what people say for the verb', () => {
    expect(rankCommands('Please look up the order details.', commands)).toMatchObject({
      get_order_details: 1,
      get_user_details: 0.67,
      cancel_pending_order: 0.33,
    });
    expect(rankCommands('Please send back the delivered order items.', commands)).toMatchObject({
      return_delivered_order_items: 1,
      exchange_delivered_order_items: 0.75,
    });
    expect(rankCommands('Abracadabra.', commands)).toEqual({});
  });
});
