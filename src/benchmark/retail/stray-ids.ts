/** Ids in the retail tables that lead nowhere. */

import { isDict, isList, type PyDict, type PyList, type PyValue } from '../python/index.ts';
import type { StrayId } from '../domain.ts';
import { ORDERS, PRODUCTS, USERS } from './orders.ts';

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
