/** Tasks in which the items of a pending order are changed. */

import { pairs } from '../../tasks/stage.ts';
import { reworded } from '../../tasks/ground.ts';
import { tell } from '../../tasks/told.ts';
import { giftCard } from '../model.ts';
import { changeableItems, changes, cheapestOther, dearestOther, lacks, neighbours } from './find.ts';
import { holds } from './premises.ts';
import type { RetailFamily } from './stage.ts';
import { namePayment } from './terms.ts';
import { nameDifference, nameExtreme, nameItem, nameOrder, plainItems } from './words.ts';

/** One item, one option. */
export const modifyOption: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', changes);
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const thing = nameItem(order, item);
  const version = nameDifference(item, to);
  const pay = namePayment(order.customer, payment);
  script.modifyItems(name, [{ from: thing, to: version }], pay);
  const goal = random.pick([
    tell`You chose badly: ${thing} in ${name} should have ${version}. All other options stay. The difference in price is settled with ${pay}.`,
    tell`As ${name} is not on its way yet, you want ${thing} in it changed to one with ${version} and no other change. Use ${pay} for the difference.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The cheapest version, the rest back onto the gift card or the original payment. */
export const modifyToCheapest: RetailFamily = (stage) => {
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
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const saved = script.subtract(item.variant.cents, cheapest.cents);
  const thing = reworded(nameItem(order, item), (text) => text.replace('the', 'The'));
  const version = nameExtreme(item.product, cheapest, 'least', 'the cheapest version that is in stock');
  const pay = namePayment(order.customer, payment);
  script.modifyItems(name, [{ from: thing, to: version }], pay);
  const goal = tell`You have to save money. ${thing} in ${name} should become ${version}; the options do not matter to you. What you save goes to ${pay}, and you want to hear the amount.`;
  return { customer: order.customer, script, goal, outputs: [saved] };
};

/** Two items at once: the tool can be called only once. */
export const modifyTwo: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => pairs(changeableItems(order)));
  if (found === undefined) return undefined;
  const [order, items] = found;
  const swaps = items.map((item) => ({ item, to: random.pick(neighbours(item)) }));
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order);
  for (const { item } of swaps) script.readProduct(item.product);
  const things = swaps.map(({ item, to }) => ({ from: nameItem(order, item), to: nameDifference(item, to) }));
  const pay = namePayment(order.customer, payment);
  script.modifyItems(name, things, pay);
  const [one = '', two = ''] = things.map(({ from, to }) => tell`${from} should have ${to}`);
  const goal = tell`In ${name} you want two changes: ${one}, and ${two}. The rest stays the same. You name the first at once and the second when you are asked whether you want to change anything else. The difference goes through ${pay}.`;
  return { customer: order.customer, script, goal };
};

/** The gift card holds too little for the dearer version. */
export const modifyGiftCardTooLow: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => {
    const card = giftCard(order.customer);
    if (card === undefined) return [];
    return plainItems(order).flatMap((item) => {
      const dearest = dearestOther(item);
      const tooDear = dearest !== undefined && lacks(card, dearest.cents - item.variant.cents);
      return tooDear ? [{ item, dearest, card }] : [];
    });
  });
  if (found === undefined) return undefined;
  const [order, { item, dearest, card }] = found;
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const difference = script.subtract(dearest.cents, item.variant.cents);
  script.think(`The gift card holds less than ${difference}, so the difference goes to ${payment.id}.`);
  const thing = nameItem(order, item);
  const version = nameExtreme(item.product, dearest, 'most', 'the most expensive version in stock');
  const pay = namePayment(order.customer, payment);
  script.modifyItems(name, [{ from: thing, to: version }], pay);
  const goal = tell`It is a present after all, so ${thing} in ${name} should become ${version}. You want to pay the difference with ${namePayment(order.customer, card)}; if it does not hold enough for all of it, you pay the whole difference with ${pay}.`;
  const premises = [holds(order.customer, card, 'less', () => dearest.cents - item.variant.cents)];
  return { customer: order.customer, script, goal, premises };
};
