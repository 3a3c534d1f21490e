import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { catalogueText } from '../../../src/agents/fastworkflow/catalogue/text.ts';
import { plan } from '../../../src/agents/fastworkflow/cme/plan.ts';
import { readList, writeCommand } from '../../../src/agents/fastworkflow/cme/parameters/xml.ts';
import { dumpJson, parseJson } from '../../../src/bench/python/json.ts';
import { isDict, isList, type PyDict } from '../../../src/bench/python/value.ts';
import { describeWithReference } from '../../helpers/reference.ts';

const RETAIL = catalogueOf('retail');
const { commands: COMMANDS, find: findCommand } = RETAIL;

function planned(command: string): string {
  const result = plan(RETAIL, command);
  if (result.kind !== 'plan') throw new Error(`no plan but ${JSON.stringify(result)}`);
  return `${result.commandName} ${dumpJson(result.cmdParameters)}`;
}

function problem(command: string): string {
  const result = plan(RETAIL, command);
  if (result.kind !== 'error') throw new Error(`no parameter error but ${result.kind}`);
  return result.message;
}

const ADDRESS =
  '<address1>1 Elm St</address1> <address2>Apt 2</address2> <city>Austin</city> <state>TX</state> ' +
  '<country>USA</country> <zip>78701</zip>';

describe('an exact command', () => {
  it.each([
    ['get_order_details <order_id>#W1000001</order_id>', 'get_order_details {"order_id": "#W1000001"}'],
    ['get_order_details <order_id>W1000001</order_id>', 'get_order_details {"order_id": "#W1000001"}'],
    ['get_order_details <id>#W1000001</id>', 'get_order_details {"order_id": "#W1000001"}'],
    ['GET_ORDER_DETAILS <order_id>#W1</order_id>', 'get_order_details {"order_id": "#W1"}'],
    ['get_order_details<order_id> #W1 </order_id>', 'get_order_details {"order_id": "#W1"}'],
    ['get_order_details(<order_id>#W1</order_id>)', 'get_order_details {"order_id": "#W1"}'],
    ['get_order_details <p><order_id>#W1</order_id></p>', 'get_order_details {"order_id": "#W1"}'],
    [
      "find_user_id_by_name_zip <first_name>José</first_name> <last_name>O'Hara</last_name> <zip>12345</zip>",
      'find_user_id_by_name_zip {"first_name": "Jos\\u00e9", "last_name": "O\'Hara", "zip": "12345"}',
    ],
    ['list_all_product_types', 'list_all_product_types {}'],
    ['calculate <expression>10 + 5 * 2</expression>', 'calculate {"expression": "10 + 5 * 2"}'],
    ['calculate <expression>10 / 0</expression>', 'calculate {"expression": "10 / 0"}'],
    [
      'cancel_pending_order <order_id>#W1</order_id> <reason>no longer needed</reason>',
      'cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}',
    ],
    [
      'cancel_pending_order <reason>Ordered by Mistake</reason> <order_id>#W1</order_id>',
      'cancel_pending_order {"order_id": "#W1", "reason": "ordered by mistake"}',
    ],
    [
      'transfer_to_human_agents <summary>Wants <b>more</b>\nget_order_details too</summary>',
      'transfer_to_human_agents {"summary": "Wants <b>more</b>\\nget_order_details too"}',
    ],
  ])('%s is understood', (command, expected) => {
    expect(planned(command)).toBe(expected);
  });

  it('runs only the first of two commands on two lines', () => {
    const two = 'get_order_details <order_id>#W1</order_id>\nget_order_details <order_id>#W2</order_id>';
    expect(planned(two)).toBe('get_order_details {"order_id": "#W1"}');
    expect(problem('get_user_details\nget_order_details <order_id>#W2</order_id>')).toContain('user_id');
  });

  it('takes an empty tag as an explicit empty text, an absent one as missing', () => {
    const address = ADDRESS.replace('Apt 2', '');
    expect(planned(`modify_user_address <user_id>a_b_1</user_id> ${address}`)).toContain('"address2": ""');
    const absent = ADDRESS.replace('<address2>Apt 2</address2>', '');
    expect(problem(`modify_user_address <user_id>a_b_1</user_id> ${absent}`)).toContain(
      'Missing parameter values: address2',
    );
    const selfClosed = ADDRESS.replace('<address2>Apt 2</address2>', '<address2/>');
    expect(planned(`modify_user_address <user_id>a_b_1</user_id> ${selfClosed}`)).toContain('"address2": ""');
  });

  it('accepts values that look like common examples', () => {
    const california = ADDRESS.replace('TX', 'CA');
    expect(planned(`modify_user_address <user_id>a_b_1</user_id> ${california}`)).toContain('"country": "USA"');
  });

  it('may exchange an item for itself', () => {
    expect(
      planned(
        'exchange_delivered_order_items <order_id>#W1</order_id> <item_ids>1</item_ids> ' +
          '<new_item_ids>1</new_item_ids> <payment_method_id>paypal_1</payment_method_id>',
      ),
    ).toContain('"item_ids": ["1"], "new_item_ids": ["1"]');
  });
});

describe('a list', () => {
  const returning = (items: string) =>
    `return_delivered_order_items <order_id>#W1</order_id> ${items} <payment_method_id>paypal_1</payment_method_id>`;

  it.each([
    '<item_ids>1, 2</item_ids>',
    '<item_ids>["1","2"]</item_ids>',
    "<item_ids>['1','2']</item_ids>",
    "<item_ids>'1', '2'</item_ids>",
    '<item_ids>[1, 2]</item_ids>',
    '<item_ids>["1", "2",]</item_ids>',
    '<item_ids>1 2</item_ids>',
    '<item_ids>1</item_ids> <item_ids>2</item_ids>',
  ])('%s is two texts', (items) => {
    expect(planned(returning(items))).toContain('"item_ids": ["1", "2"]');
  });

  it.each(["<item_ids>'1 2'</item_ids>", '<item_ids>abc</item_ids>'])('%s is no list of integers', (items) => {
    expect(problem(returning(items))).toContain('a list of integers');
  });

  it.each(['', '<item_ids></item_ids>', '<item_ids>[]</item_ids>'])('%s is missing', (items) => {
    const message = problem(returning(items));
    expect(message).toContain('Missing parameter values: item_ids');
    expect(message).toContain('item_ids can be learnt from get_order_details.');
  });

  it('reads back every JSON array of texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (items) => {
        const trimmed = items.map((item) => item.trim()).filter((item) => item !== '');
        expect(readList(dumpJson(trimmed))).toEqual(trimmed);
      }),
    );
  });

  it('must be as long as the list it goes with', () => {
    const message = problem(
      'exchange_delivered_order_items <order_id>#W1</order_id> <item_ids>1, 2</item_ids> ' +
        '<new_item_ids>3</new_item_ids> <payment_method_id>paypal_1</payment_method_id>',
    );
    expect(message).toContain('item_ids has 2 and new_item_ids 1 entries');
    expect(message).toContain('Item Ids: ["1", "2"]');
  });
});

describe('a parameter error', () => {
  it.each(['get_order_details', 'get_order_details(#W1000001)', 'get_order_details #W1000001'])(
    '%s names what is missing and where it comes from',
    (command) => {
      const message = problem(command);
      expect(message).toMatch(/^PARAMETER EXTRACTION ERROR FOR COMMAND 'get_order_details'$/m);
      expect(message).toContain('Missing parameter values: order_id');
      expect(message).toContain('get_user_details');
    },
  );

  it('shows the pattern of an invalid value, and the field once', () => {
    const message = problem('get_order_details <order_id>#W-1</order_id>');
    expect(message).toContain("Invalid parameter values: order_id '#W-1'\n");
    expect(message).toContain('#?\\w+');
  });

  it('names the allowed values of a missing or invalid field', () => {
    const command = 'cancel_pending_order <order_id>#W1</order_id>';
    expect(problem(command)).toContain("reason must be one of: 'no longer needed', 'ordered by mistake'.");
    expect(problem(command)).toContain('Order Id: #W1');
    expect(problem(`${command} <reason>changed my mind</reason>`)).toContain("'ordered by mistake'");
  });

  it('hints only at fields that a command can tell', () => {
    const message = problem('cancel_pending_order');
    expect(message).toContain('Missing parameter values: order_id, reason');
    expect(message.match(/can be learnt/g)).toHaveLength(1);
  });

  it.each([
    ['state', 'TX', 'Texas'],
    ['zip', '78701', '7870'],
  ])('keeps the other fields when %s is invalid', (field, valid, invalid) => {
    const address = ADDRESS.replace(valid, invalid);
    const message = problem(`modify_user_address <user_id>a_b_1</user_id> ${address}`);
    expect(message).toContain(`Invalid parameter values: ${field} '${invalid}'`);
    expect(message.match(/^(User Id|Address1|Address2|City|State|Country|Zip): /gm)).toHaveLength(6);
  });

  it.each([
    ['modify_pending_order_payment <order_id>#W1</order_id> <payment_method_id>visa_1</payment_method_id>', 'visa_1'],
    [
      'modify_pending_order_payment <order_id>#W1</order_id> <payment_method_id>credit card 1</payment_method_id>',
      'credit card 1',
    ],
    ['find_user_id_by_email <email>a.b@c</email>', 'a.b@c'],
    ['get_user_details <user_id>Yusuf_Rossi_1</user_id>', 'Yusuf_Rossi_1'],
    ['get_product_details <product_id>123456789</product_id>', '123456789'],
    ['calculate <expression>two plus two</expression>', 'two plus two'],
    ['get_order_details <order_id></order_id>', ''],
  ])('%s is invalid', (command, value) => {
    expect(problem(command)).toContain(`'${value}'`);
  });

  it('keeps a value whose tag was right when others were misnamed', () => {
    const message = problem('find_user_id_by_name_zip <first>Jo</first> <last>Li</last> <zip>12345</zip>');
    expect(message).toContain('Missing parameter values: first_name, last_name');
    expect(message).toContain('Zip: 12345');
  });

  it('stops a transfer without a summary', () => {
    expect(problem('transfer_to_human_agents')).toContain('summary');
  });

  it('asks for one parameter when there is no tag at all', () => {
    expect(problem('find_user_id_by_email a@b.co')).toContain('Missing parameter values: email');
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

describe('the catalogue', () => {
  it('names every command with every field, its type, values and sources', () => {
    expect(COMMANDS).toHaveLength(15);
    expect(catalogueText(RETAIL)).toMatchSnapshot();
  });

  it('refers only to commands that exist, with examples that are valid', () => {
    for (const field of COMMANDS.flatMap((command) => command.fields)) {
      for (const source of field.availableFrom ?? []) expect(findCommand(source)).toBeDefined();
      const examples = (field.examples ?? []).flatMap((text) => (field.type === 'list' ? readList(text) : [text]));
      if (field.pattern !== undefined) {
        for (const example of examples) expect(example).toMatch(new RegExp(`^(?:${field.pattern})$`, 'u'));
      }
    }
  });
});

describe('the ground truth of the shipped pack', () => {
  it.each(['test', 'dev'])('of the %s split survives being written as commands', (split) => {
    const folder = fileURLToPath(new URL('../../../data/retail', import.meta.url));
    expect(roundTrips(join(folder, `tasks-${split}.json`))).toBeGreaterThan(20);
  });
});

describeWithReference('the ground truth of tau-bench retail', (dir) => {
  it.each(['test', 'dev'])('of the %s split survives being written as commands', (split) => {
    expect(roundTrips(join(dir, `retail/tasks-${split}.json`))).toBeGreaterThan(20);
  });
});

/** Writes every ground-truth action that is a command, reads it again, and counts them. */
function roundTrips(tasksFile: string): number {
  const tasks = parseJson(readFileSync(tasksFile, 'utf8'));
  let count = 0;
  for (const task of isList(tasks) ? tasks : []) {
    const actions = isDict(task) ? task.get('actions') : undefined;
    for (const action of isList(actions) ? actions : []) {
      const name = isDict(action) ? action.get('name') : undefined;
      const kwargs = isDict(action) ? action.get('kwargs') : undefined;
      if (typeof name !== 'string' || !isDict(kwargs) || findCommand(name) === undefined) continue;
      const result = plan(RETAIL, writeCommand(name, kwargs));
      expect(result.kind === 'plan' ? inOrder(result.cmdParameters) : result).toEqual(inOrder(kwargs));
      count++;
    }
  }
  return count;
}

function inOrder(kwargs: PyDict): string {
  return dumpJson(new Map([...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))));
}
