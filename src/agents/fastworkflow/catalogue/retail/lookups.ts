/** Commands that only read. */

import { orderId, userId, zip } from './fields.ts';
import type { CommandDefinition } from '../types.ts';

/** Letters of any language: FastWorkflow's own pattern, ASCII letters only, would turn a José away. */
const NAME_PART = { type: 'text', required: true, pattern: "[\\p{L}\\p{M}' -]+", form: 'letters only' } as const;

export const LOOKUPS: readonly CommandDefinition[] = [
  {
    name: 'find_user_id_by_email',
    description: 'Looks a customer up by e-mail address. When nobody is found, try name and zip code.',
    utterances: [],
    context: '*',
    label: 'The user id is: ',
    fields: [
      {
        name: 'email',
        description: 'e-mail address of the customer',
        type: 'text',
        required: true,
        pattern: '[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}',
        form: 'an e-mail address',
        examples: ['jane.doe@example.com'],
      },
    ],
  },
  {
    name: 'find_user_id_by_name_zip',
    description: 'Looks a customer up by name and zip code, for those who do not know their e-mail address.',
    utterances: [],
    context: '*',
    label: 'The user id is: ',
    fields: [
      { ...NAME_PART, name: 'first_name', description: 'first name of the customer', examples: ['Jane'] },
      { ...NAME_PART, name: 'last_name', description: 'last name of the customer', examples: ['Doe'] },
      zip('zip code of the customer'),
    ],
  },
  {
    name: 'get_user_details',
    description: "Shows a customer's profile: name, address, e-mail, payment methods with balances, and order ids.",
    utterances: [],
    context: '*',
    label: 'Response: ',
    fields: [userId('id of the customer')],
  },
  {
    name: 'get_order_details',
    description: 'Shows an order: status, address, items with their ids and prices, payments and shipments.',
    utterances: [],
    context: '*',
    label: 'Order details: ',
    fields: [orderId('id of the order')],
  },
  {
    name: 'get_product_details',
    description: 'Shows a product with all its variants: item ids, options, prices, and whether they are in stock.',
    utterances: [],
    context: '*',
    label: 'Response: ',
    fields: [
      {
        name: 'product_id',
        description: 'id of the product, which is not an item id',
        type: 'text',
        required: true,
        pattern: '\\d{10}',
        form: 'ten digits',
        examples: ['1000000001'],
        availableFrom: ['get_order_details', 'list_all_product_types'],
      },
    ],
  },
  {
    name: 'list_all_product_types',
    description: 'Lists the names of all products with their product ids.',
    utterances: [],
    context: '*',
    label: 'list of product types: ',
    fields: [],
  },
  {
    name: 'calculate',
    description: 'Works out an arithmetic expression.',
    utterances: [],
    context: '*',
    label: 'Result: ',
    fields: [
      {
        name: 'expression',
        description: 'digits, + - * / ( ) . and spaces',
        type: 'text',
        required: true,
        pattern: '[0-9+\\-*/().\\s]+',
        form: 'digits, + - * / ( ) . and spaces',
        examples: ['(2 + 3) * 4'],
      },
    ],
  },
];
