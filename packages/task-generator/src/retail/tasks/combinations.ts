/** Tasks that touch two orders of a customer. */

import { plainItems } from './facts.ts';
import {
  aboutCustomer,
  nameAddress,
  nameAllItems,
  nameDifference,
  nameItem,
  nameOrder,
  namePayment,
  nameReason,
  originalPayment,
} from './words.ts';
import { combineGrounds, statement } from '../../tasks/ground.ts';
import { makeAddress } from '../../people.ts';
import { orderCents, sumCents, dollars, type Customer, type Order } from '../model.ts';
import { changes, sumPrices, covers, findOrders, otherPayments } from './facts.ts';
import { CANCEL_REASONS, type RetailFamily } from './context.ts';

export const COMBINATIONS = {
  /** Cancel the one, return something of the other, and hear the sum. */
  cancelAndReturn: aboutCustomer({
    find: (customer) =>
      pendingWithDelivered(customer).flatMap(([pending, delivered]) =>
        plainItems(delivered).map((item) => ({ pending, delivered, item })),
      ),
    plan: ({ context, random, script, found: { pending, delivered, item } }) => {
      const first = nameOrder(context, script, pending);
      const second = nameOrder(context, script, delivered, item.product);
      const why = nameReason(random, random.pick(CANCEL_REASONS));
      const thing = nameItem(delivered, item);
      const refund = originalPayment(delivered, 'the payment method of that order');
      script.cancel(first, why);
      script.returnItems(second, combineGrounds([thing]), refund);
      const total = script.addUp([orderCents(pending), item.variant.cents]);
      const goal = statement`You have two things to settle. First you want to cancel ${first}, because ${why}. Then you want to return ${thing} from ${second}, refunded to ${refund}. In the end you ask what both refunds come to together.`;
      return { goal, outputs: [total] };
    },
  }),

  /** Exchanges an item of one order and changes the payment of another. */
  exchangeAndRepay: aboutCustomer({
    find: (customer) =>
      pendingWithDelivered(customer).flatMap(([pending, delivered]) => {
        const payments = otherPayments(pending).filter(
          (payment) => payment.source !== 'gift_card' && covers(payment, orderCents(pending)),
        );
        const swaps = changes(delivered).filter((change) => change.payment.source !== 'gift_card');
        return payments.length === 0 || swaps.length === 0 ? [] : [{ pending, delivered, payments, swaps }];
      }),
    draw: ({ random, found: { payments, swaps } }) => {
      const payment = random.pick(payments);
      const { item, to, payment: settling } = random.pick(swaps);
      return { payment, item, to, settling };
    },
    plan: ({ context, customer, script, found: { pending, delivered }, drawn: { payment, item, to, settling } }) => {
      script.readUser(customer);
      const first = nameOrder(context, script, delivered, item.product);
      const second = nameOrder(context, script, pending);
      script.readProduct(item.product);
      const thing = nameItem(delivered, item);
      const version = nameDifference(item, to);
      const settle = namePayment(customer, settling);
      const pay = namePayment(customer, payment);
      script.exchange(first, [{ from: thing, to: version }], settle);
      script.modifyPayment(second, pay);
      const goal = statement`You want to exchange ${thing} from ${first} for one with ${version}, otherwise equal, the difference through ${settle}. When that is done, you want ${second} to be paid with ${pay}.`;
      return { goal };
    },
  }),

  /** Return everything of the one, redirect the other. */
  returnAndRedirect: aboutCustomer({
    find: pendingWithDelivered,
    draw: ({ random }) => nameAddress(makeAddress(random)),
    plan: ({ context, script, found: [pending, delivered], drawn: address }) => {
      const first = nameOrder(context, script, delivered);
      const second = nameOrder(context, script, pending);
      const all = nameAllItems(delivered, 'all');
      const back = originalPayment(delivered, 'the way you paid it');
      script.returnItems(first, all, back);
      script.modifyAddress(second, address);
      const goal = statement`You want to send back ${all} of ${first} and get your money ${back}. Besides, ${second} should be delivered to ${address}; your profile stays as it is. You ask how much you will be refunded.`;
      const refund = {
        text: dollars(sumCents(delivered.items.map((item) => item.variant))),
        answers: (store: Parameters<typeof all.candidates>[0]) => [
          dollars(sumPrices(store.get('orders', delivered.id))),
        ],
      };
      return { goal, outputs: [refund] };
    },
  }),
} satisfies Record<string, RetailFamily>;

function pendingWithDelivered(customer: Customer): (readonly [Order, Order])[] {
  const delivered = findOrders(customer, 'delivered');
  return findOrders(customer, 'pending').flatMap((pending) => delivered.map((other) => [pending, other] as const));
}
