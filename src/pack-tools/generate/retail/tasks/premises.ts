/** What retail's conditional wishes take for granted about the data. */

import type { Store } from '../../../../benchmark/index.ts';
import type { Premise } from '../../tasks/plot.ts';
import type { Customer, Order, OrderStatus, PaymentMethod, Product, Variant } from '../model.ts';
import { text } from '../../tasks/read.ts';
import { cents, costOf, paidWith, paymentsOf, variantsOf } from './facts.ts';

export function isSoldOut(product: Product, variant: Variant): Premise {
  return {
    claim: `item ${variant.itemId} is sold out`,
    holds: (store) =>
      variantsOf(store, product.id).some(
        (found) => text(found, 'item_id') === variant.itemId && found.get('available') === false,
      ),
  };
}

export function hasStatus(order: Order, status: OrderStatus): Premise {
  return {
    claim: `order ${order.id} is ${status}`,
    holds: (store) => text(store.get('orders', order.id), 'status') === status,
  };
}

/** That an order is not the customer's. */
export function isStrange(order: Order, customer: Customer): Premise {
  return {
    claim: `order ${order.id} is somebody else's`,
    holds: (store) => text(store.get('orders', order.id), 'user_id') !== customer.id,
  };
}

/** That an order was not paid with the method, so that nothing of it is refunded there. */
export function paidOtherwise(order: Order, payment: PaymentMethod): Premise {
  return {
    claim: `order ${order.id} was not paid with ${payment.id}`,
    holds: (store) => paidWith(store, order.id) !== payment.id,
  };
}

/** That a gift card holds too little for an amount, or more than it: to the cent would leave it to rounding. */
export function holds(
  customer: Customer,
  card: PaymentMethod,
  than: 'less' | 'more',
  amount: (store: Store) => number,
): Premise {
  return {
    claim: `${card.id} holds ${than} than it has to pay`,
    holds: (store) => {
      const balance = cents(
        paymentsOf(store, customer.id).find((payment) => text(payment, 'id') === card.id),
        'balance',
      );
      return than === 'less' ? balance < amount(store) : balance > amount(store);
    },
  };
}

/** What an order costs, in cents. */
export function costOfOrder(order: Order): (store: Store) => number {
  return (store) => costOf(store.get('orders', order.id));
}
