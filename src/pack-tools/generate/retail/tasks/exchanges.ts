/** Tasks in which delivered items are exchanged. */

import { pairs } from '../../tasks/stage.ts';
import { tell } from '../../tasks/told.ts';
import { giftCard, type OrderItem, type PaymentMethod, type Variant } from '../model.ts';
import { changeableItems, changes, cheapestOther, covers, dearestOther, differences, neighbours } from './find.ts';
import { isSoldOut } from './premises.ts';
import type { RetailFamily } from './stage.ts';
import { namePayment } from './terms.ts';
import { doubledItems, nameDifference, nameDoubled, nameExtreme, nameItem, nameOrder } from './words.ts';

/** One item, one option. */
export const exchangeOption: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => changes(order));
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const thing = nameItem(order, item);
  const version = nameDifference(item, to);
  const pay = namePayment(order.customer, payment);
  script.exchange(name, [{ from: thing, to: version }], pay);
  const goal = random.pick([
    tell`You are not quite happy with ${thing} from ${name}: you want to exchange it for one with ${version}, and all else as it is. Any difference goes through ${pay}.`,
    tell`You want to swap ${thing} from ${name}. The new one should have ${version} and be the same in every other respect. Use ${pay} for the difference in price.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The cheapest or the dearest version, and the difference told. */
export const exchangeExtreme: RetailFamily = (stage) => {
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
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const difference = cheaper
    ? script.subtract(item.variant.cents, to.cents)
    : script.subtract(to.cents, item.variant.cents);
  const thing = nameItem(order, item);
  const version = cheaper
    ? nameExtreme(item.product, to, 'least', 'the cheapest version in stock')
    : nameExtreme(item.product, to, 'most', 'the most expensive version in stock');
  const pay = namePayment(order.customer, payment);
  script.exchange(name, [{ from: thing, to: version }], pay);
  const goal = cheaper
    ? tell`You find ${thing} from ${name} too grand and want to exchange it for ${version}, whatever its options. The money that is left over should go to ${pay}. You want to know how much that is.`
    : tell`You like ${thing} from ${name} so much that you want to exchange it for ${version}, whatever its options. You pay the rest with ${pay} and want to know how much that is.`;
  return { customer: order.customer, script, goal, outputs: [difference] };
};

/** Two items of one order: the tool can be called only once. */
export const exchangeTwo: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => pairs(changeableItems(order)));
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
  script.exchange(name, things, pay);
  const [one = '', two = ''] = things.map(({ from, to }) => tell`${from} for one with ${to}`);
  const goal = tell`You want to exchange two things from ${name}: ${one}, and ${two}. Nothing else about them should change. You start with the first and bring up the second only when you are asked whether that is all. Differences in price go through ${pay}.`;
  return { customer: order.customer, script, goal };
};

/** Two equal items: one of them, or both. */
export const exchangeDoubled: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) =>
    doubledItems(order).filter((item) => neighbours(item).length > 0),
  );
  if (found === undefined) return undefined;
  const [order, item] = found;
  const to = random.pick(neighbours(item));
  const both = random.chance(0.5);
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const things = nameDoubled(order, item, both, both ? 'both of them' : 'one of them');
  const version = nameDifference(item, to);
  const pay = namePayment(order.customer, payment);
  script.exchangeEqual(name, things, version, pay);
  const goal = tell`In ${name} there are two equal ${item.product.type.plural}. You want to exchange ${things}${both ? '' : ', and keep the other,'} for ${both ? 'ones' : 'one'} with ${version}, everything else equal. You settle the difference with ${pay}.`;
  return { customer: order.customer, script, goal };
};

/** The first wish is sold out, the second is not. */
export const exchangeSecondChoice: RetailFamily = (stage) => {
  const found = stage.fromOrder('delivered', (order) =>
    changes(order).flatMap((change) => {
      const { item } = change;
      const soldOut = item.product.variants.filter(
        (variant) => !variant.available && differences(item.variant, variant) === 1,
      );
      return soldOut.map((wish) => ({ ...change, wish }));
    }),
  );
  if (found === undefined) return undefined;
  const [order, { item, wish, to, payment }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  script.think(`Item ${wish.itemId} is sold out, so the second choice ${to.itemId} is taken.`);
  const thing = nameItem(order, item);
  const second = nameDifference(item, to);
  const pay = namePayment(order.customer, payment);
  script.exchange(name, [{ from: thing, to: second }], pay);
  const goal = tell`You want to exchange ${thing} from ${name} for one with ${nameDifference(item, wish)}. Should that one be sold out, your second choice is one with ${second}; tell this only when the first is not to be had. Everything else stays the same, and the difference goes through ${pay}.`;
  return { customer: order.customer, script, goal, premises: [isSoldOut(item.product, wish)] };
};

/** Only one of return and exchange is possible for an order. */
export const exchangeRatherThanReturn: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => pairs(changeableItems(order)));
  if (found === undefined) return undefined;
  const [order, [swapped, returned]] = found;
  const to = random.pick(neighbours(swapped));
  const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order);
  script.readProduct(swapped.product);
  const thing = nameItem(order, swapped);
  const other = nameItem(order, returned);
  const version = nameDifference(swapped, to);
  const pay = namePayment(order.customer, payment);
  script.exchange(name, [{ from: thing, to: version }], pay);
  const goal = tell`From ${name} you want to send back ${other} for a refund, and to exchange ${thing} for one with ${version} and otherwise the same. If only one of the two can be done, you choose the exchange and keep ${other}. The difference goes through ${pay}.`;
  return { customer: order.customer, script, goal };
};
