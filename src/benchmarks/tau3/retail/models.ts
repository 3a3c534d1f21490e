/** The models of τ³-bench's retail data. */

import { create, boolean, float, listOf, literal, mapOf, model, oneOf, optional, text } from '../models.ts';
import type { PyDict, PyValue } from '../../python/index.ts';

const OPTIONS = mapOf(text);
const ADDRESS = model('UserAddress', {
  address1: text,
  address2: text,
  city: text,
  country: text,
  state: text,
  zip: text,
});
const PAYMENT_METHOD = oneOf(
  model('CreditCard', { source: literal('credit_card'), id: text, brand: text, last_four: text }),
  model('GiftCard', { source: literal('gift_card'), id: text, balance: float }),
  model('Paypal', { source: literal('paypal'), id: text }),
);
const ORDER = model('Order', {
  order_id: text,
  user_id: text,
  address: ADDRESS,
  items: listOf(model('OrderItem', { name: text, product_id: text, item_id: text, price: float, options: OPTIONS })),
  status: literal(
    'processed',
    'pending',
    'pending (item modified)',
    'delivered',
    'cancelled',
    'exchange requested',
    'return requested',
  ),
  fulfillments: listOf(model('OrderFullfilment', { tracking_id: listOf(text), item_ids: listOf(text) })),
  payment_history: listOf(
    model('OrderPayment', {
      transaction_type: literal('payment', 'refund'),
      amount: float,
      payment_method_id: text,
    }),
  ),
  cancel_reason: optional(literal('no longer needed', 'ordered by mistake')),
  exchange_items: optional(listOf(text)),
  exchange_new_items: optional(listOf(text)),
  exchange_payment_method_id: optional(text),
  exchange_price_difference: optional(float),
  return_items: optional(listOf(text)),
  return_payment_method_id: optional(text),
});
const PRODUCT = model('Product', {
  name: text,
  product_id: text,
  variants: mapOf(model('Variant', { item_id: text, options: OPTIONS, available: boolean, price: float })),
});
const USER = model('User', {
  user_id: text,
  name: model('UserName', { first_name: text, last_name: text }),
  address: ADDRESS,
  email: text,
  payment_methods: mapOf(PAYMENT_METHOD),
  orders: listOf(text),
});

const DATABASE = model('RetailDB', { products: mapOf(PRODUCT), users: mapOf(USER), orders: mapOf(ORDER) });

/** Loads the tables of the reference's `db.json`. */
export function loadRetail(db: PyValue | undefined): PyDict {
  return create('RetailDB', DATABASE, db ?? null);
}

/** Reads an address from a call. @throws PyError for a part that is not a text */
export function userAddress(args: Readonly<Record<string, PyValue>>): PyDict {
  return create('UserAddress', ADDRESS, new Map(Object.entries(args)));
}
