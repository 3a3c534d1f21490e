/** The models of τ³-bench's retail data. */

import { create, boolean, float, readEach, literal, readValues, model, readFirst, optional, text } from '../models.ts';
import type { PyDict, PyValue } from '../../python/index.ts';

const OPTIONS = readValues(text);
const ADDRESS = model('UserAddress', {
  address1: text,
  address2: text,
  city: text,
  country: text,
  state: text,
  zip: text,
});
const PAYMENT_METHOD = readFirst(
  model('CreditCard', { source: literal('credit_card'), id: text, brand: text, last_four: text }),
  model('GiftCard', { source: literal('gift_card'), id: text, balance: float }),
  model('Paypal', { source: literal('paypal'), id: text }),
);
const ORDER = model('Order', {
  order_id: text,
  user_id: text,
  address: ADDRESS,
  items: readEach(model('OrderItem', { name: text, product_id: text, item_id: text, price: float, options: OPTIONS })),
  status: literal(
    'processed',
    'pending',
    'pending (item modified)',
    'delivered',
    'cancelled',
    'exchange requested',
    'return requested',
  ),
  fulfillments: readEach(model('OrderFullfilment', { tracking_id: readEach(text), item_ids: readEach(text) })),
  payment_history: readEach(
    model('OrderPayment', {
      transaction_type: literal('payment', 'refund'),
      amount: float,
      payment_method_id: text,
    }),
  ),
  cancel_reason: optional(literal('no longer needed', 'ordered by mistake')),
  exchange_items: optional(readEach(text)),
  exchange_new_items: optional(readEach(text)),
  exchange_payment_method_id: optional(text),
  exchange_price_difference: optional(float),
  return_items: optional(readEach(text)),
  return_payment_method_id: optional(text),
});
const PRODUCT = model('Product', {
  name: text,
  product_id: text,
  variants: readValues(model('Variant', { item_id: text, options: OPTIONS, available: boolean, price: float })),
});
const USER = model('User', {
  user_id: text,
  name: model('UserName', { first_name: text, last_name: text }),
  address: ADDRESS,
  email: text,
  payment_methods: readValues(PAYMENT_METHOD),
  orders: readEach(text),
});

const DATABASE = model('RetailDB', {
  products: readValues(PRODUCT),
  users: readValues(USER),
  orders: readValues(ORDER),
});

/** Loads the tables of the reference's `db.json`. */
export function loadRetail(db: PyValue | undefined): PyDict {
  return create('RetailDB', DATABASE, db ?? null);
}

/** Reads an address from a call. @throws PyError for a part that is not a text */
export function userAddress(args: Readonly<Record<string, PyValue>>): PyDict {
  return create('UserAddress', ADDRESS, new Map(Object.entries(args)));
}
