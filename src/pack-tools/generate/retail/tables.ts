/** The shop as the benchmark's tables: the same keys in the same order, money as floats, balances as ints. */

import { PyFloat, type PyDict, type PyValue } from '../../../benchmark/python/index.ts';
import { orderCents, type Customer, type Order, type PaymentMethod, type Product, type Shop } from './model.ts';

/** Table name → records by id. Maps, because ids that look like numbers must stay in their order. */
export function toTables(shop: Shop): PyDict {
  return new Map([
    ['orders', new Map(shop.orders.map((order) => [order.id, orderRecord(order)]))],
    ['products', new Map(shop.products.map((product) => [product.id, productRecord(product)]))],
    ['users', new Map(shop.customers.map((customer) => [customer.id, userRecord(customer)]))],
  ]);
}

function productRecord(product: Product): PyValue {
  const variants = product.variants.map((variant): [string, PyValue] => [
    variant.itemId,
    record({
      item_id: variant.itemId,
      options: record(variant.options),
      available: variant.available,
      price: money(variant.cents),
    }),
  ]);
  return record({ name: product.type.name, product_id: product.id, variants: new Map(variants) });
}

function userRecord(customer: Customer): PyValue {
  return record({
    name: record({ first_name: customer.firstName, last_name: customer.lastName }),
    address: record({ ...customer.address }),
    email: customer.email,
    payment_methods: new Map(customer.payments.map((payment) => [payment.id, paymentRecord(payment)])),
    orders: customer.orders.map((order) => order.id),
  });
}

function paymentRecord(payment: PaymentMethod): PyValue {
  switch (payment.source) {
    case 'credit_card':
      return record({ source: payment.source, brand: payment.brand, last_four: payment.lastFour, id: payment.id });
    case 'paypal':
      return record({ source: payment.source, id: payment.id });
    case 'gift_card':
      return record({ source: payment.source, balance: BigInt(payment.balance), id: payment.id });
  }
}

function orderRecord(order: Order): PyValue {
  const items = order.items.map(({ product, variant }) =>
    record({
      name: product.type.name,
      product_id: product.id,
      item_id: variant.itemId,
      price: money(variant.cents),
      options: record(variant.options),
    }),
  );
  const sent = order.items.map((item) => item.variant.itemId);
  const fulfillments = order.trackingId === null ? [] : [record({ tracking_id: [order.trackingId], item_ids: sent })];
  const kinds = order.status === 'cancelled' ? ['payment', 'refund'] : ['payment'];
  return record({
    order_id: order.id,
    user_id: order.customer.id,
    address: record({ ...order.address }),
    items,
    fulfillments,
    status: order.status,
    payment_history: kinds.map((kind) =>
      record({ transaction_type: kind, amount: money(orderCents(order)), payment_method_id: order.payment.id }),
    ),
  });
}

function record(fields: Readonly<Record<string, PyValue>>): PyValue {
  return new Map(Object.entries(fields));
}

function money(cents: number): PyFloat {
  return new PyFloat(cents / 100);
}
