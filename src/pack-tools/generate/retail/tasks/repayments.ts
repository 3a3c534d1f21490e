/** Tasks in which the payment of a pending order is changed. */

import { tell } from '../../tasks/told.ts';
import { giftCard, orderCents } from '../model.ts';
import { covers, lacks, otherPayments } from './find.ts';
import { costOfOrder, holds } from './premises.ts';
import type { RetailFamily } from './stage.ts';
import { namePayment } from './terms.ts';
import { nameOrder } from './words.ts';

/** Another payment method, of any kind that can pay the order. */
export const changePayment: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) =>
    otherPayments(order).filter((payment) => covers(payment, orderCents(order))),
  );
  if (found === undefined) return undefined;
  const [order, payment] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order);
  const pay = namePayment(order.customer, payment);
  script.modifyPayment(name, pay);
  const goal = random.pick([
    tell`You want ${name} to be paid with ${pay} and with nothing else.`,
    tell`You picked the wrong way to pay for ${name}. It should be charged to ${pay}.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The gift card holds too little for the order, so another method is taken. */
export const changePaymentFallsBack: RetailFamily = (stage) => {
  const found = stage.fromOrder('pending', (order) => {
    const card = giftCard(order.customer);
    if (card === undefined || card === order.payment || !lacks(card, orderCents(order))) return [];
    return otherPayments(order)
      .filter((payment) => payment !== card)
      .map((payment) => ({ payment, card }));
  });
  if (found === undefined) return undefined;
  const [order, { payment, card }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order);
  script.think(`The gift card cannot pay the whole order, so the payment moves to ${payment.id}.`);
  const second = namePayment(order.customer, payment);
  script.modifyPayment(name, second);
  const goal = tell`You no longer want to pay ${name} with ${namePayment(order.customer, order.payment)}. Your first wish is ${namePayment(order.customer, card)}, for the whole amount. If that is not possible, take ${second}.`;
  const premises = [holds(order.customer, card, 'less', costOfOrder(order))];
  return { customer: order.customer, script, goal, premises };
};
