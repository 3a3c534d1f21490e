/** Ids that a retail pack's tables refer to and that are not there. */

import { join } from 'node:path';
import { isDict, isList, type PyDict, type PyList, type PyValue } from '../bench/python/value.ts';
import { jsonPath } from './problem.ts';
import type { Pack } from './types.ts';

/** One sentence a dangling id; other domains' tables are not known well enough to say. */
export function tableWarnings(folder: string, pack: Pack): string[] {
  if (pack.domain !== 'retail') return [];
  const users = dict(pack.tables.get('users'));
  const orders = dict(pack.tables.get('orders'));
  const products = dict(pack.tables.get('products'));
  const warnings: string[] = [];
  const expect = (known: PyDict, id: PyValue | undefined, file: string, path: PropertyKey[], target: string): void => {
    if (typeof id === 'string' && known.has(id)) return;
    const spelt = typeof id === 'string' ? JSON.stringify(id) : 'no text';
    warnings.push(`${join(folder, file)}: ${jsonPath(path)} is ${spelt}, which is not in ${target}.`);
  };
  for (const [userId, user] of users) {
    list(dict(user).get('orders')).forEach((id, at) => {
      expect(orders, id, 'users.json', [userId, 'orders', at], 'orders.json');
    });
  }
  for (const [orderId, value] of orders) {
    const order = dict(value);
    expect(users, order.get('user_id'), 'orders.json', [orderId, 'user_id'], 'users.json');
    const payments = dict(dict(users.get(text(order.get('user_id'))) ?? null).get('payment_methods'));
    list(order.get('payment_history')).forEach((payment, at) => {
      const path = [orderId, 'payment_history', at, 'payment_method_id'];
      expect(payments, dict(payment).get('payment_method_id'), 'orders.json', path, "the customer's profile");
    });
    list(order.get('items')).forEach((item, at) => {
      const productId = dict(item).get('product_id');
      expect(products, productId, 'orders.json', [orderId, 'items', at, 'product_id'], 'products.json');
      const variants = dict(dict(products.get(text(productId))).get('variants'));
      expect(
        variants,
        dict(item).get('item_id'),
        'orders.json',
        [orderId, 'items', at, 'item_id'],
        "the product's variants",
      );
    });
  }
  return warnings;
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
