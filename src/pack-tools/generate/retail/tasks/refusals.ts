/** Tasks that end with nothing changed, because the policy forbids what the customer asks or leaves it to a person. */

import { tell } from '../../tasks/told.ts';
import { otherPayments } from './find.ts';
import { hasStatus, isStrange, paidOtherwise } from './premises.ts';
import type { RetailFamily } from './stage.ts';
import { namePayment } from './terms.ts';
import { nameItem, nameOrder, plainItems } from './words.ts';

/** An order that is being packed can no longer be cancelled. */
export const cancelTooLate: RetailFamily = (stage) => {
  const found = stage.fromOrder('processed', (order) => [order]);
  if (found === undefined) return undefined;
  const [order] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order);
  const goal = tell`You want to cancel ${name}, because it is no longer needed. If it is too late for that, you are annoyed but accept it; you want no other change and no other person to talk to.`;
  const premises = [hasStatus(order, 'processed')];
  return { customer: order.customer, script, goal, premises, ending: 'declined' };
};

/** Another customer's order. */
export const strangersOrder: RetailFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const found = stage.fromOrder('pending', (order) => (order.customer === customer ? [] : [order]));
  if (found === undefined) return undefined;
  const [order] = found;
  const { firstName, lastName } = order.customer;
  const script = stage.begin(customer);
  script.readUser(customer);
  const goal = tell`Your neighbour ${firstName} ${lastName} has asked you to cancel order ${order.id}, which is in the neighbour's name and not in yours; the reason is that it was ordered by mistake. You try to talk the agent into it once. When the agent declines, you give in and want nothing else.`;
  return { customer, script, goal, premises: [isStrange(order, customer)], ending: 'declined' };
};

/** A refund to a card that did not pay the order. */
export const refundElsewhere: RetailFamily = (stage) => {
  const found = stage.fromOrder('delivered', (order) => {
    const forbidden = otherPayments(order).filter((payment) => payment.source !== 'gift_card');
    return forbidden.flatMap((wish) => plainItems(order).map((item) => ({ wish, item })));
  });
  if (found === undefined) return undefined;
  const [order, { wish, item }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const goal = tell`You want to return ${nameItem(order, item)} from ${name}, but only if the refund goes to ${namePayment(order.customer, wish)}. With any other payment method you would rather keep it, and then everything stays as it is.`;
  return { customer: order.customer, script, goal, premises: [paidOtherwise(order, wish)], ending: 'declined' };
};

/** A cancelled order cannot be brought back by the agent: a person takes over. */
export const reviveOrder: RetailFamily = (stage) => {
  const found = stage.fromOrder('cancelled', (order) => [order]);
  if (found === undefined) return undefined;
  const [order] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order);
  script.transfer(`The customer wants the cancelled order ${order.id} to be reopened.`);
  const goal = tell`You regret that ${name} was cancelled and want it to be brought back to life, with the same items at the same prices. You do not want to place a new order, and you insist until somebody takes care of it.`;
  const premises = [hasStatus(order, 'cancelled')];
  return { customer: order.customer, script, goal, premises, ending: 'transferred' };
};

const MATTERS: readonly (readonly [wish: string, summary: string])[] = [
  ['to have it repaired under the guarantee, and neither a refund nor another one', 'a repair under the guarantee of'],
  ['a printed invoice made out to your company for it', 'a printed company invoice for'],
  ['to order forty more of it for your club at a wholesale price', 'a wholesale offer for forty more of'],
  ['to speak about an injury that it caused, which you will tell a person only', 'to report an injury caused by'],
];

/** Something that is no business of the agent's tools. */
export const beyondTheTools: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const [wish, summary] = random.pick(MATTERS);
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.transfer(`The customer wants ${summary} the ${item.product.type.name} of order ${order.id}.`);
  const goal = tell`You write about ${nameItem(order, item)} from ${name}: you want ${wish}. You accept nothing else in its place.`;
  return { customer: order.customer, script, goal, ending: 'transferred' };
};
