/** The records of the retail tables. */

import type { Shape } from '../domain.ts';
import { ORDERS, PRODUCTS, USERS } from './orders.ts';

/** The field `state` was called `province` until January 2025: tau-bench's older data are packs too. */
const ADDRESS: Shape = { fields: { address1: 'text', address2: 'text', city: 'text', country: 'text', zip: 'text' } };
const OPTIONS: Shape = { mapOf: 'text' };

export const RETAIL_SHAPES: Readonly<Record<string, Shape>> = {
  [USERS]: {
    fields: {
      name: { fields: { first_name: 'text', last_name: 'text' } },
      address: ADDRESS,
      email: 'text',
      payment_methods: { mapOf: { fields: { source: 'text', id: 'text' }, optional: { balance: 'number' } } },
      orders: { listOf: 'text' },
    },
  },
  [ORDERS]: {
    fields: {
      order_id: 'text',
      user_id: 'text',
      address: ADDRESS,
      items: {
        listOf: { fields: { name: 'text', product_id: 'text', item_id: 'text', price: 'number', options: OPTIONS } },
      },
      fulfillments: { listOf: { fields: { tracking_id: { listOf: 'text' }, item_ids: { listOf: 'text' } } } },
      status: 'text',
      payment_history: {
        listOf: { fields: { transaction_type: 'text', amount: 'number', payment_method_id: 'text' } },
      },
    },
  },
  [PRODUCTS]: {
    fields: {
      name: 'text',
      product_id: 'text',
      variants: { mapOf: { fields: { item_id: 'text', options: OPTIONS, available: 'boolean', price: 'number' } } },
    },
  },
};
