import { describe, expect, it } from 'vitest';
import { ADDRESS, planned, problem } from './commands.ts';

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
  ])('is parsed: %s', (command, expected) => {
    expect(planned(command)).toBe(expected);
  });

  it('takes an empty tag as an empty text where a field may be empty, an absent one as missing', () => {
    const address = ADDRESS.replace('Apt 2', '');
    expect(planned(`modify_user_address <user_id>a_b_1</user_id> ${address}`)).toContain('"address2": ""');
    const selfClosed = ADDRESS.replace('<address2>Apt 2</address2>', '<address2/>');
    expect(planned(`modify_user_address <user_id>a_b_1</user_id> ${selfClosed}`)).toContain('"address2": ""');
    const absent = ADDRESS.replace('<address2>Apt 2</address2>', '');
    expect(problem(`modify_user_address <user_id>a_b_1</user_id> ${absent}`)).toMatchObject({
      missing: ['address2'],
      invalid: [],
    });
  });

  it.each([
    '<summary></summary>',
    '<summary> \n </summary>',
    '<summary/>',
    '<br/>',
    '<summary><![CDATA[ ]]></summary>',
  ])('takes the empty tag %s as missing', (tag) => {
    expect(problem(`transfer_to_human_agents ${tag}`).missing).toEqual(['summary']);
  });

  it('takes an address with empty tags as missing all but its second line', () => {
    const empty = ADDRESS.replace(/>[^<]*<\//g, '></');
    expect(problem(`modify_user_address <user_id>a_b_1</user_id> ${empty}`).missing).toEqual([
      'address1',
      'city',
      'state',
      'country',
      'zip',
    ]);
  });

  it.each(['NOT_FOUND', 'not_found', 'None', 'null', ' None '])('takes the value %j as missing', (word) => {
    expect(problem(`get_order_details <order_id>${word}</order_id>`).missing).toEqual(['order_id']);
    expect(problem(`transfer_to_human_agents <summary>${word}</summary>`).missing).toEqual(['summary']);
  });

  it('accepts values that look like common examples', () => {
    const california = ADDRESS.replace('TX', 'CA');
    expect(planned(`modify_user_address <user_id>a_b_1</user_id> ${california}`)).toContain('"country": "USA"');
  });

  it('can exchange an item for itself', () => {
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
    '<item_ids>["1", " 2",]</item_ids>',
    '<item_ids>1 2</item_ids>',
    '<item_ids>1</item_ids> <item_ids>2</item_ids>',
    '<item_ids>1</item_ids>\n<item_ids>["2"]</item_ids>',
  ])('is parsed to two texts: %s', (items) => {
    expect(planned(returning(items))).toContain('"item_ids": ["1", "2"]');
  });

  it.each(["<item_ids>'1 2'</item_ids>", '<item_ids>abc</item_ids>', '<item_ids>[1, null]</item_ids>'])(
    'is not a list of integers: %s',
    (items) => {
      const { invalid, message } = problem(returning(items));
      expect(invalid).toEqual(['item_ids']);
      expect(message).toContain('a list of integers');
      expect(message).toContain(
        'must be a list of texts, written as a JSON array, a Python list, items with commas or spaces between them, ' +
          'or one tag for each item',
      );
    },
  );

  it.each([
    '',
    '<item_ids></item_ids>',
    '<item_ids>[]</item_ids>',
    '<item_ids>NOT_FOUND</item_ids>',
    '<item_ids>[null]</item_ids>',
  ])('is missing: %s', (items) => {
    const { missing, message } = problem(returning(items));
    expect(missing).toEqual(['item_ids']);
    expect(message).toContain('Missing parameter values: item_ids\n');
    expect(message).toContain('item_ids can be learnt from get_order_details.');
  });

  it('must be as long as the list it goes with', () => {
    const { missing, invalid, message } = problem(
      'exchange_delivered_order_items <order_id>#W1</order_id> <item_ids>1, 2</item_ids> ' +
        '<new_item_ids>3</new_item_ids> <payment_method_id>paypal_1</payment_method_id>',
    );
    expect([missing, invalid]).toEqual([[], []]);
    expect(message).toContain('item_ids has 2 and new_item_ids 1 entries');
    expect(message).toContain('Item Ids: ["1", "2"]');
  });
});

describe('a parameter error', () => {
  it('is one sentence on the command, its fields and what to do, then the details', () => {
    expect(
      problem(
        'modify_pending_order_items <order_id>#W1</order_id> <item_ids>["1", "x", "y"]</item_ids> ' +
          '<payment_method_id>visa_1</payment_method_id>',
      ).message,
    ).toMatchInlineSnapshot(`
      "PARAMETER EXTRACTION ERROR FOR COMMAND 'modify_pending_order_items'
      modify_pending_order_items did not run, because new_item_ids (such as ["1000000001", "1000000002"]) is missing and item_ids (such as ["1000000001", "1000000002"]) and payment_method_id (such as gift_card_0000001) are invalid; write the whole command again, with every parameter in its tag.
      Found so far:
      Order Id: #W1
      Missing parameter values: new_item_ids
      - new_item_ids can be learnt from get_product_details.
      Invalid parameter values: item_ids 'x', 'y', payment_method_id 'visa_1'
      - item_ids must be a list of texts, written as a JSON array, a Python list, items with commas or spaces between them, or one tag for each item; each item must match the pattern \\d+ (a list of integers).
      - payment_method_id must match the pattern (gift_card|credit_card|paypal)_\\d+ (gift_card, credit_card or paypal, an underscore and digits).
      Make sure that modify_pending_order_items is the command that was meant."
    `);
    expect(problem('cancel_pending_order <order_id>#W1</order_id>').message).toMatchInlineSnapshot(`
      "PARAMETER EXTRACTION ERROR FOR COMMAND 'cancel_pending_order'
      cancel_pending_order did not run, because reason (one of 'no longer needed', 'ordered by mistake') is missing; write the whole command again, with every parameter in its tag.
      Found so far:
      Order Id: #W1
      Missing parameter values: reason
      Make sure that cancel_pending_order is the command that was meant."
    `);
  });

  it('names the missing fields and their source', () => {
    const { missing, message } = problem('get_order_details');
    expect(missing).toEqual(['order_id']);
    expect(message).toMatch(/^PARAMETER EXTRACTION ERROR FOR COMMAND 'get_order_details'$/m);
    expect(message).toContain('Missing parameter values: order_id\n');
    expect(message).toContain('order_id can be learnt from get_user_details.');
  });

  it('shows the pattern of an invalid value, and the field once', () => {
    const { missing, invalid, message } = problem('get_order_details <order_id>#W-1</order_id>');
    expect([missing, invalid]).toEqual([[], ['order_id']]);
    expect(message).toContain("Invalid parameter values: order_id '#W-1'\n");
    expect(message).toContain('must match the pattern #?\\w+');
  });

  it('names the allowed values of a missing or invalid field', () => {
    const command = 'cancel_pending_order <order_id>#W1</order_id>';
    const allowed = "reason (one of 'no longer needed', 'ordered by mistake')";
    expect(problem(command).message).toContain(`${allowed} is missing`);
    expect(problem(command).message).toContain('Order Id: #W1\n');
    expect(problem(`${command} <reason>changed my mind</reason>`).message).toContain(`${allowed} is invalid`);
  });

  it('suggests only fields that a command can return', () => {
    const { missing, message } = problem('cancel_pending_order');
    expect(missing).toEqual(['order_id', 'reason']);
    expect(message.match(/can be learnt/g)).toHaveLength(1);
  });

  it.each([
    ['state', 'TX', 'Texas'],
    ['zip', '78701', '7870'],
  ])('keeps the other fields when %s is invalid', (field, valid, invalid) => {
    const address = ADDRESS.replace(valid, invalid);
    const found = problem(`modify_user_address <user_id>a_b_1</user_id> ${address}`);
    expect(found.invalid).toEqual([field]);
    expect(found.message).toContain(`Invalid parameter values: ${field} '${invalid}'\n`);
    expect(found.message.match(/^(User Id|Address1|Address2|City|State|Country|Zip): /gm)).toHaveLength(6);
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
  ])('%s is invalid, with its pattern', (command, value) => {
    const { message } = problem(command);
    expect(message).toContain(`'${value}'`);
    expect(message).toContain('must match the pattern');
  });

  it('repeats only the beginning of a long value', () => {
    const { message } = problem(`calculate <expression>${'a'.repeat(5000)}</expression>`);
    expect(message.length).toBeLessThan(1000);
  });

  it('keeps a value with a correct tag if other tags have wrong names', () => {
    const { missing, message } = problem('find_user_id_by_name_zip <first>Jo</first> <last>Li</last> <zip>12345</zip>');
    expect(missing).toEqual(['first_name', 'last_name']);
    expect(message).toContain('Zip: 12345');
  });

  it('stops a transfer without a summary', () => {
    expect(problem('transfer_to_human_agents').missing).toEqual(['summary']);
  });
});
