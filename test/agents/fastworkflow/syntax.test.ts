import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readList } from '../../../src/agents/fastworkflow/testing.ts';
import { writeCommand } from '../../../src/agents/index.ts';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { planned, problem, readCommand } from './commands.ts';

describe('the text of a command outside its tags', () => {
  it.each([
    ['get_order_details', ''],
    ['get_order_details()', ''],
    ['get_order_details ", "', ''],
    ['get_order_details(#W1000001)', '#W1000001'],
    ['get_order_details #W1000001', '#W1000001'],
    ['get_order_details (see above) for #W1 (and #W2)', '(see above) for #W1 (and #W2)'],
    ['calculate((2 + 3) * 4)', '(2 + 3) * 4'],
    ['calculate (2 + 3) * (4 + 5)', '(2 + 3) * (4 + 5)'],
    ['find_user_id_by_email a@b.co', 'a@b.co'],
    [
      'find_user_id_by_name_zip <first>Jo</first> <last>Li</last> <zip>12345</zip>',
      '<first>Jo</first> <last>Li</last>',
    ],
    ['cancel_pending_order <order_id>#W1</order_id>, as it is no longer needed', ', as it is no longer needed'],
    ['cancel_pending_order for Jo <order_id>#W1</order_id> no longer needed', 'for Jo no longer needed'],
    ['get_order_details <order_id>#W1', '<order_id>#W1'],
    ['get_order_details\nthe order is #W1', 'the order is #W1'],
  ])('of %s is %j', (command, statement) => {
    expect(readCommand(command).statement).toBe(statement);
  });

  it.each([
    'get_order_details <order_id>#W1</order_id>',
    'get_order_details <id>#W1</id>',
    'get_order_details <order_id>#W1</id>',
    '(get_order_details <order_id>#W1</order_id>)'.slice(1),
    'get_order_details <parameters>\n  <order_id>#W1</order_id>\n</parameters>',
    'get_order_details <order_id>#W1</order_id> <order_id>#W2</order_id>',
  ])('is empty in %s', (command) => {
    expect(readCommand(command)).toMatchObject({ found: new Map([['order_id', '#W1']]), statement: '' });
  });

  it('ends where a line starts with a command, whose parameters are its own', () => {
    const two = 'get_order_details <order_id>#W1</order_id>\nget_order_details <order_id>#W2</order_id>';
    expect(planned(two)).toBe('get_order_details {"order_id": "#W1"}');
    expect(readCommand(two).statement).toBe('');
    const broken = 'get_user_details the one above\n\n  Get_Order_Details(<order_id>#W2</order_id>)\nand more';
    expect(problem(broken).missing).toEqual(['user_id']);
    expect(readCommand(broken).statement).toBe('the one above');
  });

  it('does not end inside of a tag', () => {
    const text = 'transfer_to_human_agents <summary>They said:\nget_order_details\nfails</summary>';
    expect(planned(text)).toContain('They said:\\nget_order_details\\nfails');
  });
});

describe('a tag', () => {
  it('has the literal text of a CDATA section', () => {
    expect(planned('transfer_to_human_agents <summary><![CDATA[ a </summary> & b ]]></summary>')).toBe(
      'transfer_to_human_agents {"summary": " a </summary> & b "}',
    );
    expect(planned('transfer_to_human_agents <summary>half <![CDATA[ of it</summary>')).toContain('half <![CDATA[');
  });

  it('is written so that every text can be read back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', '/', ']', '![CDATA[', '</summary>', ' ', '\n', 'a', '&'), { minLength: 1 }),
        (pieces) => {
          const summary = pieces.join('');
          const { found, statement } = readCommand(
            writeCommand('transfer_to_human_agents', new Map([['summary', summary]])),
          );
          expect([found.get('summary'), statement]).toEqual([summary.trim() === '' ? undefined : summary, '']);
        },
      ),
      { examples: [[[']', ']', '>', '</summary>']]] },
    );
  });

  it('can be repeated for items of a list only', () => {
    const { found } = readCommand(
      'return_delivered_order_items <order_id>#W1</order_id> <order_id>#W2</order_id> <item_ids>1</item_ids> ' +
        '<item_ids>2, 3</item_ids>',
    );
    expect(found).toEqual(
      new Map<string, unknown>([
        ['order_id', '#W1'],
        ['item_ids', ['1', '2', '3']],
      ]),
    );
  });
});

describe('a list as text', () => {
  it('reads back every JSON array of texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (items) => {
        expect(readList(dumpJson(items))).toEqual(items);
      }),
    );
  });
});

it('parsing never throws', () => {
  const piece = fc.constantFrom(
    ...['<item_ids>', '</item_ids>', '<![CDATA[', ']]>', '[', "'", '"', '\\', ',', '1', '(', '\n', ' ', 'a', '#'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      readCommand(`return_delivered_order_items ${pieces.join('')}`);
    }),
  );
});
