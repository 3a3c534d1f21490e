/**
 * The changes that FastWorkflow's defects make to the retail commands, and what its own retail commands show of
 * themselves.
 */

import {
  TRANSFER_VARIANTS,
  withName,
  type CommandDefinition,
  type DomainDefinition,
  type FieldDefinition,
} from '../definitions.ts';

/** Changes that FastWorkflow's defects, when a run brings them back (`--compat`), make to the commands. */
export const VARIANTS: DomainDefinition['variants'] = {
  'fastworkflow-legacy-catalogue': withReferenceTexts,
  'fastworkflow-example-refusal': withReferenceExamples,
  ...TRANSFER_VARIANTS,
};

function withReferenceExamples(command: CommandDefinition): CommandDefinition {
  return withFields(command, (field) => {
    const examples = findReference(REFERENCE_EXAMPLES, command, field);
    return examples === undefined ? field : { ...field, examples };
  });
}

/** All that FastWorkflow's command list shows of a command, but for the rule when to transfer, which has variants. */
function withReferenceTexts(command: CommandDefinition): CommandDefinition {
  const { outputs = [] } = command;
  const [output, ...more] = outputs.map((one) => ({ ...one, description: REFERENCE_OUTPUTS[command.name] ?? '' }));
  return {
    ...withFields(withReferenceExamples(command), (field) => {
      return { ...field, description: findReference(REFERENCE_DESCRIPTIONS, command, field) ?? field.description };
    }),
    description:
      command.name === 'find_user_id_by_name_zip'
        ? 'Look a user id up by name and zip.'
        : withName(command).description,
    ...(output === undefined ? {} : { outputs: [output, ...more] }),
  };
}

/** @param table by field; `command.field` takes precedence */
function findReference<T>(
  table: Readonly<Record<string, T>>,
  command: CommandDefinition,
  { name }: FieldDefinition,
): T | undefined {
  return table[`${command.name}.${name}`] ?? table[name];
}

function withFields(command: CommandDefinition, change: (field: FieldDefinition) => FieldDefinition) {
  return { ...command, fields: command.fields.map(change) };
}

const PAYMENT_METHODS = ['gift_card_0000000', 'credit_card_0000000', 'paypal_0000000'];

/**
 * The example values of FastWorkflow 2.24.1's retail workflow. Some are values that tasks ask for (`USA`, `CA`, a product's id), which matters where an example is mistaken for a copied value.
 */
const REFERENCE_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'cancel_pending_order.order_id': ['123', '#abc123', 'order456'],
  'exchange_delivered_order_items.order_id': ['#W00000000'],
  'return_delivered_order_items.order_id': ['#W00000000'],
  order_id: ['#W0000000'],
  user_id: ['sara_doe_496'],
  email: ['user@example.com'],
  first_name: ['John'],
  last_name: ['Doe'],
  zip: ['12345'],
  product_id: ['6086499569'],
  reason: ['no longer needed', 'ordered by mistake'],
  address1: ['123 Main St'],
  address2: ['Apt 1'],
  city: ['San Francisco'],
  state: ['CA'],
  country: ['USA'],
  'modify_pending_order_items.item_ids': ["'62727828', '76938178'"],
  'modify_pending_order_items.new_item_ids': ["'2352352', '42674747'"],
  'return_delivered_order_items.item_ids': ["'57347828', '8646987326'"],
  'exchange_delivered_order_items.item_ids': ["'34742388', '59475928'"],
  'exchange_delivered_order_items.new_item_ids': ["'45854949', '68789960'"],
  payment_method_id: PAYMENT_METHODS,
  expression: ['(2 + 3) * 4', '10 / 2 + 3', '(8-3)/5'],
  summary: ['The customer has a question about a complicated return.'],
};

/** Parameters as FastWorkflow 2.24.1's retail commands describe them, in other words; no more and no less. */
const REFERENCE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'cancel_pending_order.order_id': 'ID of the order to be canceled',
  'exchange_delivered_order_items.order_id': 'ID of the order to be exchanged',
  'return_delivered_order_items.order_id': 'ID of the order of the items to be returned',
  'get_order_details.order_id': 'ID of the order whose details are wanted',
  order_id: 'ID of the order to be modified',
  'get_user_details.user_id': 'ID of the user whose details are wanted',
  user_id: 'ID of the user to be modified',
  email: 'e-mail address to look for',
  first_name: "user's first name",
  last_name: "user's last name",
  'find_user_id_by_name_zip.zip': "user's zip code",
  zip: 'postal (ZIP) code',
  product_id: 'ID of the product (a text of digits)',
  reason: 'why it is canceled; where the reason is not valid, give the default reason',
  address1: 'address, line one',
  address2: 'address, line two',
  city: 'name of the city',
  state: 'code of the state',
  country: 'name of the country',
  'modify_pending_order_items.item_ids': 'the IDs of the items to be modified, as a list',
  'modify_pending_order_items.new_item_ids': 'the IDs of the new items that replace them, as a list',
  'return_delivered_order_items.item_ids': 'the IDs of the items to be returned, as a list',
  'exchange_delivered_order_items.item_ids': 'the IDs of the items to be exchanged',
  'exchange_delivered_order_items.new_item_ids': 'the IDs of the new items that are wanted for them',
  'modify_pending_order_payment.payment_method_id': 'ID of the payment method to be used from now on',
  'return_delivered_order_items.payment_method_id': 'ID of the payment method for the refund',
  payment_method_id: 'ID of the payment method for the difference in price',
  expression: 'the expression to be computed: digits, +, -, *, /, parentheses and spaces are allowed',
  summary: "what the user's issue is, in short",
};

/** Answers as they describe them, by command. */
const REFERENCE_OUTPUTS: Readonly<Record<string, string>> = {
  calculate: 'the result as a text, or an error message where the input is not valid',
  cancel_pending_order: 'if the cancellation worked',
  exchange_delivered_order_items: 'if the exchange worked',
  find_user_id_by_email: 'the user identifier that was found',
  find_user_id_by_name_zip: 'the user identifier that was found',
  get_order_details:
    'the order in detail: shipping address; items with name, product ID, item ID, price and options; fulfillments with ' +
    'tracking ID and item IDs; order status; payment history with type, amount and payment method ID of each transaction',
  get_product_details: 'all variants of the product type in detail: item ID, options, availability and price of each',
  get_user_details: 'the user in detail: first and last name, address, e-mail, payment methods and a list of order IDs',
  list_all_product_types: 'pairs of product type and product ID as a list, or its JSON text',
  modify_pending_order_address: 'if the modification worked',
  modify_pending_order_items: 'if the modification of the items worked',
  modify_pending_order_payment: 'if the modification of the payment worked',
  modify_user_address: 'if the modification of the address worked',
  return_delivered_order_items: 'if the return worked',
  transfer_to_human_agents: 'if the transfer worked',
};
