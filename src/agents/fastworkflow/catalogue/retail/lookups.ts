/** Commands that only read. */

import { orderId, userId, zip } from './fields.ts';
import type { CommandDefinition } from '../types.ts';

/** Letters of any language: FastWorkflow's own pattern, ASCII letters only, would turn a José away. */
const NAME_PART = { type: 'text', required: true, pattern: "[\\p{L}\\p{M}' -]+", form: 'letters only' } as const;

export const LOOKUPS: readonly CommandDefinition[] = [
  {
    name: 'find_user_id_by_email',
    description:
      'Find user id by email (look a customer up by e-mail address). When nobody is found, try name and zip code; ' +
      'when that fails as well, a human has to take over.',
    utterances: [
      'find the customer by e-mail',
      'which user has this email address',
      'look up the user id for jane.doe@example.com',
      'identify the customer with the e-mail they gave',
      'authenticate the user by email',
    ],
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
    outputs: [{ name: 'user_id', description: 'id of the customer', type: 'text' }],
  },
  {
    name: 'find_user_id_by_name_zip',
    description: "Find a customer's user id by name and zip code, for those who do not know their e-mail address.",
    utterances: [
      'find the customer by first name, last name and zip code',
      'which user is called Jane Doe and lives in zip 00000',
      'look up the user id with name and postal code',
      'the customer forgot the e-mail, so identify them by name and zip',
      'authenticate the user by full name and zip code',
    ],
    context: '*',
    label: 'The user id is: ',
    fields: [
      { ...NAME_PART, name: 'first_name', description: 'first name of the customer', examples: ['Jane'] },
      { ...NAME_PART, name: 'last_name', description: 'last name of the customer', examples: ['Doe'] },
      zip('zip code of the customer'),
    ],
    outputs: [{ name: 'user_id', description: 'id of the customer', type: 'text' }],
  },
  {
    name: 'get_user_details',
    description:
      'Get user details (name, address, e-mail, payment methods with balances, and order ids of a customer).',
    utterances: [
      'show the profile of the customer',
      'which orders does the user have',
      'look up the account of user jane_doe_0001',
      'what payment methods are on file',
      'what is the gift card balance of the customer',
      'what is the default address in the profile',
    ],
    context: '*',
    label: 'Response: ',
    fields: [userId('id of the customer')],
    outputs: [
      {
        name: 'user_details',
        description: 'name, address, e-mail, payment methods with balances, and order ids of the customer',
        type: 'text',
      },
    ],
  },
  {
    name: 'get_order_details',
    description: 'Get order details (status, address, items with their ids and prices, payments and shipments).',
    utterances: [
      'look up the order',
      'what is the status of order #W0000001',
      'has the order been delivered yet',
      'which items are in the order',
      'show the tracking number of the shipment',
      'how was the order paid for',
    ],
    context: '*',
    label: 'Order details: ',
    fields: [orderId('id of the order')],
    outputs: [
      {
        name: 'order_details',
        description: 'status, address, items with their ids, options and prices, shipments, and payments of the order',
        type: 'text',
      },
    ],
  },
  {
    name: 'get_product_details',
    description:
      'Get product details (all variants of a product with item ids, options, prices, and whether they are in stock).',
    utterances: [
      'which variants of the product are available',
      'what options does product 1000000001 come in',
      'show colours, sizes and prices of the product',
      'is another variant in stock',
      'find the item id of the cheapest variant',
    ],
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
    outputs: [
      {
        name: 'product_details',
        description: 'variants of the product with item ids, options, prices and availability',
        type: 'text',
      },
    ],
  },
  {
    name: 'list_all_product_types',
    description: 'List all product types (the names of all products with their product ids).',
    utterances: [
      'what products does the shop sell',
      'list every product type with its id',
      'show the whole catalog of the store',
      'which kinds of products are there',
      'find the product id of a product by its name',
    ],
    context: '*',
    label: 'list of product types: ',
    fields: [],
    outputs: [{ name: 'status', description: 'product ids by product name', type: 'text' }],
  },
];
