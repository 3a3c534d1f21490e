/** Tasks in which the items or the payment of a pending order are changed. */

import { giftCard, orderCents } from '../model.ts';
import {
  changeableItems,
  changes,
  cheapestOther,
  covers,
  dearestOther,
  lacks,
  neighbours,
  otherPayments,
} from './find.ts';
import { pairs, type Family } from './stage.ts';
import { nameDifference, nameItem, nameOrder, namePayment, plainItems } from './words.ts';

/** One item, one option. */
export const modifyOption: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', changes);
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  script.modifyItems(order, [{ from: item.variant.itemId, to: to.itemId }], payment);
  const difference = nameDifference(item.variant, to) ?? '';
  const pay = namePayment(order.customer, payment);
  const goal = random.pick([
    `You chose badly: ${nameItem(item)} in ${name} should have ${difference}. All other options stay. The difference in price is settled with ${pay}.`,
    `As ${name} is not on its way yet, you want ${nameItem(item)} in it changed to one with ${difference} and no other change. Use ${pay} for the difference.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The cheapest version, the rest back onto the gift card or the original payment. */
export const modifyToCheapest: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) =>
    plainItems(order).filter((item) => (cheapestOther(item)?.cents ?? Infinity) < item.variant.cents),
  );
  if (found === undefined) return undefined;
  const [order, item] = found;
  const cheapest = cheapestOther(item);
  if (cheapest === undefined) return undefined;
  const payment = giftCard(order.customer) ?? order.payment;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  const saved = script.subtract(item.variant.cents, cheapest.cents);
  script.modifyItems(order, [{ from: item.variant.itemId, to: cheapest.itemId }], payment);
  const goal = `You have to save money. ${nameItem(item).replace('the', 'The')} in ${name} should become the cheapest version that is in stock; the options do not matter to you. What you save goes to ${namePayment(order.customer, payment)}, and you want to hear the amount.`;
  return { customer: order.customer, script, goal, outputs: [saved] };
};

/** Two items at once: the tool can be called only once. */
export const modifyTwo: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => pairs(changeableItems(order)));
  if (found === undefined) return undefined;
  const [order, items] = found;
  const swaps = items.map((item) => ({ item, to: random.pick(neighbours(item)) }));
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  for (const { item } of swaps) script.readProduct(item.product);
  script.modifyItems(
    order,
    swaps.map(({ item, to }) => ({ from: item.variant.itemId, to: to.itemId })),
    payment,
  );
  const [one = '', two = ''] = swaps.map(
    ({ item, to }) => `${nameItem(item)} should have ${nameDifference(item.variant, to) ?? ''}`,
  );
  const goal = `In ${name} you want two changes: ${one}, and ${two}. The rest stays the same. You name the first at once and the second when you are asked whether you want to change anything else. The difference goes through ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};

/** The gift card holds too little for the dearer version. */
export const modifyGiftCardTooLow: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => {
    const card = giftCard(order.customer);
    if (card === undefined) return [];
    return plainItems(order).filter((item) => {
      const dearest = dearestOther(item);
      return dearest !== undefined && lacks(card, dearest.cents - item.variant.cents);
    });
  });
  if (found === undefined) return undefined;
  const [order, item] = found;
  const dearest = dearestOther(item);
  if (dearest === undefined) return undefined;
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  const difference = script.subtract(dearest.cents, item.variant.cents);
  script.think(`The gift card holds less than ${difference}, so the difference goes to ${payment.id}.`);
  script.modifyItems(order, [{ from: item.variant.itemId, to: dearest.itemId }], payment);
  const goal = `It is a present after all, so ${nameItem(item)} in ${name} should become the most expensive version in stock. You want to pay the difference with your gift card; if it does not hold enough for all of it, you pay the whole difference with ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};

/** Another payment method, of any kind that can pay the order. */
export const changePayment: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) =>
    otherPayments(order).filter((payment) => covers(payment, orderCents(order))),
  );
  if (found === undefined) return undefined;
  const [order, payment] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  script.modifyPayment(order, payment);
  const pay = namePayment(order.customer, payment);
  const goal = random.pick([
    `You want ${name} to be paid with ${pay} and with nothing else.`,
    `You picked the wrong way to pay for ${name}. It should be charged to ${pay}.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The gift card holds too little for the order, so another method is taken. */
export const changePaymentFallsBack: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => {
    const card = giftCard(order.customer);
    if (card === undefined || card === order.payment || !lacks(card, orderCents(order))) return [];
    return otherPayments(order).filter((payment) => payment !== card);
  });
  if (found === undefined) return undefined;
  const [order, payment] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  script.think(`The gift card cannot pay the whole order, so the payment moves to ${payment.id}.`);
  script.modifyPayment(order, payment);
  const goal = `You no longer want to pay ${name} with ${namePayment(order.customer, order.payment)}. Your first wish is your gift card, for the whole amount. If that is not possible, take ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};
