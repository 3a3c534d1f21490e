/**
 * The retail domain's records in a pack: their shapes, ids that refer to no record, and facts for the audit of tasks.
 */

import type { Shape, StrayId, AuditDomain } from '../../domain.ts';
import { ORDERS, PRODUCTS, USERS } from './orders.ts';
import { isDict, isList, type PyDict, type PyList, type PyValue } from '../../python/index.ts';

/**
 * Shape of an address. The field `state` was called `province` until January 2025, and packs may have tau-bench's older
 * data.
 */
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

/** Returns ids in the retail tables that refer to no record. */
export function retailStrayIds(tables: PyDict): readonly StrayId[] {
  const users = dict(tables.get(USERS));
  const orders = dict(tables.get(ORDERS));
  const products = dict(tables.get(PRODUCTS));
  const strays: StrayId[] = [];
  const expect = (known: PyDict, id: PyValue | undefined, stray: Omit<StrayId, 'id'>): void => {
    if (typeof id !== 'string' || !known.has(id))
      strays.push({ ...stray, id: typeof id === 'string' ? id : undefined });
  };
  for (const [userId, user] of users) {
    list(dict(user).get('orders')).forEach((id, at) => {
      expect(orders, id, { table: USERS, path: [userId, 'orders', at], target: 'orders.json' });
    });
  }
  for (const [orderId, value] of orders) {
    const order = dict(value);
    expect(users, order.get('user_id'), { table: ORDERS, path: [orderId, 'user_id'], target: 'users.json' });
    const payments = dict(dict(users.get(text(order.get('user_id')))).get('payment_methods'));
    list(order.get('payment_history')).forEach((payment, at) => {
      const path = [orderId, 'payment_history', at, 'payment_method_id'];
      const id = dict(payment).get('payment_method_id');
      expect(payments, id, { table: ORDERS, path, target: "the customer's profile" });
    });
    list(order.get('items')).forEach((item, at) => {
      const place = (field: string) => [orderId, 'items', at, field];
      const productId = dict(item).get('product_id');
      expect(products, productId, { table: ORDERS, path: place('product_id'), target: 'products.json' });
      const variants = dict(dict(products.get(text(productId))).get('variants'));
      const itemId = dict(item).get('item_id');
      expect(variants, itemId, { table: ORDERS, path: place('item_id'), target: "the product's variants" });
    });
  }
  return strays;
}

function dict(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}

function list(value: PyValue | undefined): PyList {
  return isList(value) ? value : [];
}

function text(value: PyValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export const RETAIL_AUDIT: AuditDomain = {
  people: 'users',
  identities: [['id'], ['email'], ['name.first_name', 'name.last_name', 'address.zip']],
  writes: [
    'cancel_pending_order',
    'exchange_delivered_order_items',
    'modify_pending_order_address',
    'modify_pending_order_items',
    'modify_pending_order_payment',
    'modify_user_address',
    'return_delivered_order_items',
  ],
};
