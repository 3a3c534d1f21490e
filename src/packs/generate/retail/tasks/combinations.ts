/** Tasks that touch two orders of a customer. */

import { orderCents, sumCents, dollars, type Customer, type Order } from '../model.ts';
import { changes, covers, ordersOf, otherPayments } from './find.ts';
import { makeAddress } from '../people.ts';
import { CANCEL_REASONS } from './script.ts';
import type { Family } from './stage.ts';
import { nameAddress, nameDifference, nameItem, nameOrder, namePayment, nameReason, plainItems } from './words.ts';

/** Cancel the one, return something of the other, and hear the sum. */
export const cancelAndReturn: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) =>
    pendingWithDelivered(customer).flatMap(([pending, delivered]) =>
      plainItems(delivered).map((item) => ({ pending, delivered, item })),
    ),
  );
  if (found === undefined) return undefined;
  const [customer, { pending, delivered, item }] = found;
  const script = stage.begin(customer);
  const first = nameOrder(random, script, pending);
  const second = nameOrder(random, script, delivered, item.product);
  const reason = random.pick(CANCEL_REASONS);
  script.cancel(pending, reason);
  script.returnItems(delivered, [item.variant.itemId], delivered.payment);
  const total = script.addUp([orderCents(pending), item.variant.cents]);
  const goal = `You have two things to settle. First you want to cancel ${first}, because ${nameReason(random, reason)}. Then you want to return ${nameItem(item)} from ${second}, refunded to the payment method of that order. In the end you ask what both refunds come to together.`;
  return { customer, script, goal, outputs: [total] };
};

/** Exchange in the one, another payment for the other. */
export const exchangeAndRepay: Family = (stage) => {
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
  const first = nameOrder(random, script, delivered, item.product);
  const second = nameOrder(random, script, pending);
  script.readProduct(item.product);
  script.exchange(delivered, [{ from: item.variant.itemId, to: to.itemId }], settling);
  script.modifyPayment(pending, payment);
  const goal = `You want to exchange ${nameItem(item)} from ${first} for one with ${nameDifference(item.variant, to) ?? ''}, otherwise equal, the difference through ${namePayment(customer, settling)}. When that is done, you want ${second} to be paid with ${namePayment(customer, payment)}.`;
  return { customer, script, goal };
};

/** Return everything of the one, redirect the other. */
export const returnAndRedirect: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer(pendingWithDelivered);
  if (found === undefined) return undefined;
  const [customer, [pending, delivered]] = found;
  const address = makeAddress(random);
  const script = stage.begin(customer);
  const first = nameOrder(random, script, delivered);
  const second = nameOrder(random, script, pending);
  script.returnItems(
    delivered,
    delivered.items.map((item) => item.variant.itemId),
    delivered.payment,
  );
  script.modifyAddress(pending, address);
  const goal = `You want to send back all of ${first} and get your money the way you paid it. Besides, ${second} should be delivered to ${nameAddress(address)}; your profile stays as it is. You ask how much you will be refunded.`;
  const refund = dollars(sumCents(delivered.items.map((item) => item.variant)));
  return { customer, script, goal, outputs: [refund] };
};

function pendingWithDelivered(customer: Customer): (readonly [Order, Order])[] {
  const delivered = ordersOf(customer, 'delivered');
  return ordersOf(customer, 'pending').flatMap((pending) => delivered.map((other) => [pending, other] as const));
}
