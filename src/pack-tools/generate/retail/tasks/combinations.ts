/** Tasks that touch two orders of a customer. */

import { listOf } from '../../tasks/ground.ts';
import { tell } from '../../tasks/told.ts';
import { makeAddress } from '../../people.ts';
import { orderCents, sumCents, dollars, type Customer, type Order } from '../model.ts';
import { costOf } from './facts.ts';
import { changes, covers, ordersOf, otherPayments } from './find.ts';
import { CANCEL_REASONS } from './script.ts';
import type { RetailFamily } from './stage.ts';
import { nameAddress, namePayment, nameReason, originalPayment } from './terms.ts';
import { nameAllItems, nameDifference, nameItem, nameOrder, plainItems } from './words.ts';

/** Cancel the one, return something of the other, and hear the sum. */
export const cancelAndReturn: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) =>
    pendingWithDelivered(customer).flatMap(([pending, delivered]) =>
      plainItems(delivered).map((item) => ({ pending, delivered, item })),
    ),
  );
  if (found === undefined) return undefined;
  const [customer, { pending, delivered, item }] = found;
  const script = stage.begin(customer);
  const first = nameOrder(stage, script, pending);
  const second = nameOrder(stage, script, delivered, item.product);
  const why = nameReason(random, random.pick(CANCEL_REASONS));
  const thing = nameItem(delivered, item);
  const refund = originalPayment(delivered, 'the payment method of that order');
  script.cancel(first, why);
  script.returnItems(second, listOf([thing]), refund);
  const total = script.addUp([orderCents(pending), item.variant.cents]);
  const goal = tell`You have two things to settle. First you want to cancel ${first}, because ${why}. Then you want to return ${thing} from ${second}, refunded to ${refund}. In the end you ask what both refunds come to together.`;
  return { customer, script, goal, outputs: [total] };
};

/** Exchange in the one, another payment for the other. */
export const exchangeAndRepay: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) =>
    pendingWithDelivered(customer).flatMap(([pending, delivered]) => {
      const payments = otherPayments(pending).filter(
        (payment) => payment.source !== 'gift_card' && covers(payment, orderCents(pending)),
      );
      const swaps = changes(delivered).filter((change) => change.payment.source !== 'gift_card');
      return payments.length === 0 || swaps.length === 0 ? [] : [{ pending, delivered, payments, swaps }];
    }),
  );
  if (found === undefined) return undefined;
  const [customer, { pending, delivered, payments, swaps }] = found;
  const payment = random.pick(payments);
  const { item, to, payment: settling } = random.pick(swaps);
  const script = stage.begin(customer);
  script.readUser(customer);
  const first = nameOrder(stage, script, delivered, item.product);
  const second = nameOrder(stage, script, pending);
  script.readProduct(item.product);
  const thing = nameItem(delivered, item);
  const version = nameDifference(item, to);
  const settle = namePayment(customer, settling);
  const pay = namePayment(customer, payment);
  script.exchange(first, [{ from: thing, to: version }], settle);
  script.modifyPayment(second, pay);
  const goal = tell`You want to exchange ${thing} from ${first} for one with ${version}, otherwise equal, the difference through ${settle}. When that is done, you want ${second} to be paid with ${pay}.`;
  return { customer, script, goal };
};

/** Return everything of the one, redirect the other. */
export const returnAndRedirect: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer(pendingWithDelivered);
  if (found === undefined) return undefined;
  const [customer, [pending, delivered]] = found;
  const address = nameAddress(makeAddress(random));
  const script = stage.begin(customer);
  const first = nameOrder(stage, script, delivered);
  const second = nameOrder(stage, script, pending);
  const all = nameAllItems(delivered, 'all');
  const back = originalPayment(delivered, 'the way you paid it');
  script.returnItems(first, all, back);
  script.modifyAddress(second, address);
  const goal = tell`You want to send back ${all} of ${first} and get your money ${back}. Besides, ${second} should be delivered to ${address}; your profile stays as it is. You ask how much you will be refunded.`;
  const refund = {
    text: dollars(sumCents(delivered.items.map((item) => item.variant))),
    answers: (store: Parameters<typeof all.candidates>[0]) => [dollars(costOf(store.get('orders', delivered.id)))],
  };
  return { customer, script, goal, outputs: [refund] };
};

function pendingWithDelivered(customer: Customer): (readonly [Order, Order])[] {
  const delivered = ordersOf(customer, 'delivered');
  return ordersOf(customer, 'pending').flatMap((pending) => delivered.map((other) => [pending, other] as const));
}
