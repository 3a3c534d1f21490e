/** Tasks in which delivered items are exchanged. */

import { giftCard, type OrderItem, type PaymentMethod, type Variant } from '../model.ts';
import { changeableItems, changes, cheapestOther, covers, dearestOther, neighbours } from './find.ts';
import { pairs, type Family } from './stage.ts';
import { doubledItems, nameDifference, nameItem, nameItems, nameOrder, namePayment } from './words.ts';

/** One item, one option. */
export const exchangeOption: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => changes(order));
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  script.exchange(order, [{ from: item.variant.itemId, to: to.itemId }], payment);
  const pay = namePayment(order.customer, payment);
  const goal = random.pick([
    `You are not quite happy with ${nameItem(item)} from ${name}: you want to exchange it for one with ${nameDifference(item.variant, to) ?? ''}, and all else as it is. Any difference goes through ${pay}.`,
    `You want to swap ${nameItem(item)} from ${name}. The new one should have ${nameDifference(item.variant, to) ?? ''} and be the same in every other respect. Use ${pay} for the difference in price.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The cheapest or the dearest version, and the difference told. */
export const exchangeExtreme: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) =>
    changeableItems(order).flatMap((item) => {
      const cheap = cheapestOther(item);
      const dear = dearestOther(item);
      const card = giftCard(order.customer);
      const options: { item: OrderItem; to: Variant; payment: PaymentMethod }[] = [];
      if (cheap !== undefined && cheap.cents < item.variant.cents) {
        options.push({ item, to: cheap, payment: card ?? order.payment });
      }
      if (
        dear !== undefined &&
        dear.cents > item.variant.cents &&
        covers(order.payment, dear.cents - item.variant.cents)
      ) {
        options.push({ item, to: dear, payment: order.payment });
      }
      return options;
    }),
  );
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const cheaper = to.cents < item.variant.cents;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  const difference = cheaper
    ? script.subtract(item.variant.cents, to.cents)
    : script.subtract(to.cents, item.variant.cents);
  script.exchange(order, [{ from: item.variant.itemId, to: to.itemId }], payment);
  const pay = namePayment(order.customer, payment);
  const goal = cheaper
    ? `You find ${nameItem(item)} from ${name} too grand and want to exchange it for the cheapest version in stock, whatever its options. The money that is left over should go to ${pay}. You want to know how much that is.`
    : `You like ${nameItem(item)} from ${name} so much that you want to exchange it for the most expensive version in stock, whatever its options. You pay the rest with ${pay} and want to know how much that is.`;
  return { customer: order.customer, script, goal, outputs: [difference] };
};

/** Two items of one order: the tool can be called only once. */
export const exchangeTwo: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => pairs(changeableItems(order)));
  if (found === undefined) return undefined;
  const [order, [first, second]] = found;
  const swaps = [first, second].map((item) => ({ item, to: random.pick(neighbours(item)) }));
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  for (const { item } of swaps) script.readProduct(item.product);
  script.exchange(
    order,
    swaps.map(({ item, to }) => ({ from: item.variant.itemId, to: to.itemId })),
    payment,
  );
  const [one = '', two = ''] = swaps.map(
    ({ item, to }) => `${nameItem(item)} for one with ${nameDifference(item.variant, to) ?? ''}`,
  );
  const goal = `You want to exchange two things from ${name}: ${one}, and ${two}. Nothing else about them should change. You start with the first and bring up the second only when you are asked whether that is all. Differences in price go through ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};

/** Two equal items: one of them, or both. */
export const exchangeDoubled: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) =>
    doubledItems(order).filter((item) => neighbours(item).length > 0),
  );
  if (found === undefined) return undefined;
  const [order, item] = found;
  const to = random.pick(neighbours(item));
  const both = random.chance(0.5);
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const swap = { from: item.variant.itemId, to: to.itemId };
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  script.exchange(order, both ? [swap, swap] : [swap], payment);
  const goal = `In ${name} there are two equal ${item.product.type.plural}. You want to exchange ${both ? 'both of them' : 'one of them, and keep the other,'} for ${both ? 'ones' : 'one'} with ${nameDifference(item.variant, to) ?? ''}, everything else equal. You settle the difference with ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};

/** The first wish is sold out, the second is not. */
export const exchangeSecondChoice: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) =>
    changes(order).flatMap((change) => {
      const soldOut = change.item.product.variants.filter(
        (variant) => !variant.available && nameDifference(change.item.variant, variant) !== undefined,
      );
      return soldOut.map((wish) => ({ ...change, wish }));
    }),
  );
  if (found === undefined) return undefined;
  const [order, { item, wish, to, payment }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  script.think(`Item ${wish.itemId} is sold out, so the second choice ${to.itemId} is taken.`);
  script.exchange(order, [{ from: item.variant.itemId, to: to.itemId }], payment);
  const goal = `You want to exchange ${nameItem(item)} from ${name} for one with ${nameDifference(item.variant, wish) ?? ''}. Should that one be sold out, your second choice is one with ${nameDifference(item.variant, to) ?? ''}; tell this only when the first is not to be had. Everything else stays the same, and the difference goes through ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};

/** Only one of return and exchange is possible for an order. */
export const exchangeRatherThanReturn: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => pairs(changeableItems(order)));
  if (found === undefined) return undefined;
  const [order, [swapped, returned]] = found;
  const to = random.pick(neighbours(swapped));
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  script.readProduct(swapped.product);
  script.exchange(order, [{ from: swapped.variant.itemId, to: to.itemId }], payment);
  const goal = `From ${name} you want to send back ${nameItem(returned)} for a refund, and to exchange ${nameItem(swapped)} for one with ${nameDifference(swapped.variant, to) ?? ''} and otherwise the same. If only one of the two can be done, you choose the exchange and keep ${nameItems([returned])}. The difference goes through ${namePayment(order.customer, payment)}.`;
  return { customer: order.customer, script, goal };
};
