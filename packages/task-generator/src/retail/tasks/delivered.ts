/** Families about delivered orders: exchanges and returns. */

import {
  changeableItems,
  changes,
  cheapestOther,
  covers,
  mostExpensiveOther,
  differences,
  doubledItems,
  isSoldOut,
  neighbours,
  otherPayments,
  paidOtherwise,
  plainItems,
} from './facts.ts';
import {
  aboutOrder,
  nameAllItems,
  nameDifference,
  nameDoubled,
  nameExtreme,
  nameItem,
  nameItems,
  namePayment,
  originalPayment,
} from './words.ts';
import { pairs } from '../../tasks/scenario.ts';
import { combineGrounds, reworded, statement } from '../../tasks/ground.ts';
import { giftCard, type OrderItem, type PaymentMethod, type Variant } from '../model.ts';
import type { RetailFamily } from './context.ts';

export const EXCHANGES = {
  /** One item, one option. */
  exchangeOption: aboutOrder({
    status: 'delivered',
    find: (order) => changes(order),
    readsUser: true,
    product: ({ item }) => item.product,
    readsProduct: true,
    plan: ({ random, order, customer, script, name, found: { item, to, payment } }) => {
      const thing = nameItem(order, item);
      const version = nameDifference(item, to);
      const pay = namePayment(customer, payment);
      script.exchange(name, [{ from: thing, to: version }], pay);
      const goal = random.pick([
        statement`You are not quite happy with ${thing} from ${name}: you want to exchange it for one with ${version}, and all else as it is. Any difference goes through ${pay}.`,
        statement`You want to swap ${thing} from ${name}. The new one should have ${version} and be the same in every other respect. Use ${pay} for the difference in price.`,
      ]);
      return { goal };
    },
  }),

  /** The cheapest or the most expensive version; the user asks for the difference. */
  exchangeExtreme: aboutOrder({
    status: 'delivered',
    find: (order) =>
      changeableItems(order).flatMap((item) => {
        const cheap = cheapestOther(item);
        const expensive = mostExpensiveOther(item);
        const card = giftCard(order.customer);
        const options: { item: OrderItem; to: Variant; payment: PaymentMethod }[] = [];
        if (cheap !== undefined && cheap.cents < item.variant.cents) {
          options.push({ item, to: cheap, payment: card ?? order.payment });
        }
        if (
          expensive !== undefined &&
          expensive.cents > item.variant.cents &&
          covers(order.payment, expensive.cents - item.variant.cents)
        ) {
          options.push({ item, to: expensive, payment: order.payment });
        }
        return options;
      }),
    draw: ({ found: { item, to } }) => to.cents < item.variant.cents,
    readsUser: true,
    product: ({ item }) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: { item, to, payment }, drawn: cheaper }) => {
      const difference = cheaper
        ? script.subtract(item.variant.cents, to.cents)
        : script.subtract(to.cents, item.variant.cents);
      const thing = nameItem(order, item);
      const version = cheaper
        ? nameExtreme(item.product, to, 'least', 'the cheapest version in stock')
        : nameExtreme(item.product, to, 'most', 'the most expensive version in stock');
      const pay = namePayment(customer, payment);
      script.exchange(name, [{ from: thing, to: version }], pay);
      const goal = cheaper
        ? statement`You find ${thing} from ${name} too grand and want to exchange it for ${version}, whatever its options. The money that is left over should go to ${pay}. You want to know how much that is.`
        : statement`You like ${thing} from ${name} so much that you want to exchange it for ${version}, whatever its options. You pay the rest with ${pay} and want to know how much that is.`;
      return { goal, outputs: [difference] };
    },
  }),

  /** Two items of one order: the tool can be called only once. */
  exchangeTwo: aboutOrder({
    status: 'delivered',
    find: (order) => pairs(changeableItems(order)),
    draw: ({ random, order, found: items }) => {
      const swaps = items.map((item) => ({ item, to: random.pick(neighbours(item)) }));
      const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
      return { swaps, payment };
    },
    readsUser: true,
    plan: ({ order, customer, script, name, drawn: { swaps, payment } }) => {
      for (const { item } of swaps) script.readProduct(item.product);
      const things = swaps.map(({ item, to }) => ({ from: nameItem(order, item), to: nameDifference(item, to) }));
      const pay = namePayment(customer, payment);
      script.exchange(name, things, pay);
      const [one = '', two = ''] = things.map(({ from, to }) => statement`${from} for one with ${to}`);
      const goal = statement`You want to exchange two things from ${name}: ${one}, and ${two}. Nothing else about them should change. You start with the first and bring up the second only when you are asked whether that is all. Differences in price go through ${pay}.`;
      return { goal };
    },
  }),

  /** Two equal items: one of them, or both. */
  exchangeDoubled: aboutOrder({
    status: 'delivered',
    find: (order) => doubledItems(order).filter((item) => neighbours(item).length > 0),
    draw: ({ random, order, found: item }) => {
      const to = random.pick(neighbours(item));
      const both = random.chance(0.5);
      const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
      return { to, both, payment };
    },
    readsUser: true,
    product: (item) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: item, drawn: { to, both, payment } }) => {
      const things = nameDoubled(order, item, both, both ? 'both of them' : 'one of them');
      const version = nameDifference(item, to);
      const pay = namePayment(customer, payment);
      script.exchangeEqual(name, things, version, pay);
      const goal = statement`In ${name} there are two equal ${item.product.type.plural}. You want to exchange ${things}${both ? '' : ', and keep the other,'} for ${both ? 'ones' : 'one'} with ${version}, everything else equal. You settle the difference with ${pay}.`;
      return { goal };
    },
  }),

  /** The first choice is sold out, the second is not. */
  exchangeSecondChoice: aboutOrder({
    status: 'delivered',
    find: (order) =>
      changes(order).flatMap((change) => {
        const { item } = change;
        const soldOut = item.product.variants.filter(
          (variant) => !variant.available && differences(item.variant, variant) === 1,
        );
        return soldOut.map((wish) => ({ ...change, wish }));
      }),
    readsUser: true,
    product: ({ item }) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: { item, wish, to, payment } }) => {
      script.think(`Item ${wish.itemId} is sold out, so the second choice ${to.itemId} is taken.`);
      const thing = nameItem(order, item);
      const second = nameDifference(item, to);
      const pay = namePayment(customer, payment);
      script.exchange(name, [{ from: thing, to: second }], pay);
      const goal = statement`You want to exchange ${thing} from ${name} for one with ${nameDifference(item, wish)}. Should that one be sold out, your second choice is one with ${second}; tell this only when the first is not to be had. Everything else stays the same, and the difference goes through ${pay}.`;
      return { goal, premises: [isSoldOut(item.product, wish)] };
    },
  }),

  /** An order allows one return or one exchange. */
  exchangeRatherThanReturn: aboutOrder({
    status: 'delivered',
    find: (order) => pairs(changeableItems(order)),
    draw: ({ random, order, found: [swapped] }) => {
      const to = random.pick(neighbours(swapped));
      const payment = random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card'));
      return { to, payment };
    },
    readsUser: true,
    plan: ({ order, customer, script, name, found: [swapped, returned], drawn: { to, payment } }) => {
      script.readProduct(swapped.product);
      const thing = nameItem(order, swapped);
      const other = nameItem(order, returned);
      const version = nameDifference(swapped, to);
      const pay = namePayment(customer, payment);
      script.exchange(name, [{ from: thing, to: version }], pay);
      const goal = statement`From ${name} you want to send back ${other} for a refund, and to exchange ${thing} for one with ${version} and otherwise the same. If only one of the two can be done, you choose the exchange and keep ${other}. The difference goes through ${pay}.`;
      return { goal };
    },
  }),
} satisfies Record<string, RetailFamily>;

export const RETURNS = {
  /** One item, back to where the money came from. */
  returnOne: aboutOrder({
    status: 'delivered',
    find: plainItems,
    product: (item) => item.product,
    plan: ({ random, order, script, name, found: item }) => {
      const thing = nameItem(order, item);
      const starting = reworded(thing, (text) => text.replace('the', 'The'));
      const back = originalPayment(order, 'back to where it came from');
      const asPaid = originalPayment(order, 'the way you paid');
      const { what, refund, goal } = random.pick([
        {
          what: thing,
          refund: back,
          goal: statement`You want to return ${thing} from ${name}. The money should go ${back}.`,
        },
        {
          what: starting,
          refund: asPaid,
          goal: statement`${starting} from ${name} disappoints you. You want to send it back and be refunded ${asPaid}.`,
        },
      ]);
      script.returnItems(name, combineGrounds([what]), refund);
      return { goal };
    },
  }),

  /** Two items refunded to the gift card; the user asks for the sum. */
  returnToGiftCard: aboutOrder({
    status: 'delivered',
    find: (order) => {
      const card = giftCard(order.customer);
      return card === undefined ? [] : pairs(plainItems(order)).map((items) => ({ items, card }));
    },
    readsUser: true,
    plan: ({ order, customer, script, name, found: { items, card } }) => {
      const total = script.addUp(items.map((item) => item.variant.cents));
      const things = items.map((item) => nameItem(order, item));
      const refund = namePayment(customer, card);
      script.returnItems(name, combineGrounds(things), refund);
      const goal = statement`You want to return ${nameItems(things)} from ${name}, with the refund on ${refund}. Before you agree, you ask how much that will be altogether.`;
      return { goal, outputs: [total] };
    },
  }),

  /** Everything but one item. */
  returnAllButOne: aboutOrder({
    status: 'delivered',
    find: (order) => (order.items.length < 3 ? [] : plainItems(order)),
    product: (kept) => kept.product,
    plan: ({ order, script, name, found: kept }) => {
      const keep = nameItem(order, kept);
      const things = nameAllItems(order, 'everything', [keep]);
      const refund = originalPayment(order, 'the payment method of the order');
      script.returnItems(name, things, refund);
      const goal = statement`You want to return ${things} from ${name} except ${keep}, which you keep. The refund goes to ${refund}.`;
      return { goal };
    },
  }),

  /** One of two equal items. */
  returnOneOfDoubled: aboutOrder({
    status: 'delivered',
    find: doubledItems,
    product: (item) => item.product,
    plan: ({ random, order, customer, script, name, found: item }) => {
      const both = random.chance(0.4);
      const things = nameDoubled(order, item, both, both ? 'both of them' : 'one of them');
      const refund = namePayment(customer, order.payment);
      script.returnItems(name, things, refund);
      const goal = statement`You bought two equal ${item.product.type.plural} in ${name}. You want to return ${things}${both ? ', and nothing else' : ' and keep the other'}. The refund should go to ${refund}, with which you paid.`;
      return { goal };
    },
  }),

  /** A refund to another card is refused, the second choice is allowed. */
  returnOtherwise: aboutOrder({
    status: 'delivered',
    find: (order) => {
      const forbidden = otherPayments(order).filter((payment) => payment.source !== 'gift_card');
      return forbidden.flatMap((wish) => plainItems(order).map((item) => ({ wish, item })));
    },
    readsUser: true,
    product: ({ item }) => item.product,
    plan: ({ order, customer, script, name, found: { wish, item } }) => {
      const thing = nameItem(order, item);
      const refund = namePayment(customer, order.payment);
      script.returnItems(name, combineGrounds([thing]), refund);
      const goal = statement`You want to return ${thing} from ${name} and ask for the refund on ${namePayment(customer, wish)}. If that is against the rules, you accept a refund to ${refund} instead.`;
      return { goal, premises: [paidOtherwise(order, wish)] };
    },
  }),

  /** An exchange for another kind of product is refused, so the item is returned. */
  returnInsteadOfSwitch: aboutOrder({
    status: 'delivered',
    find: plainItems,
    draw: ({ random, model, order }) => {
      const others = model.products.filter((product) => order.items.every((other) => other.product !== product));
      if (others.length === 0) return undefined;
      const wanted = random.pick(others);
      return { wanted };
    },
    product: (item) => item.product,
    plan: ({ order, script, name, found: item, drawn: { wanted } }) => {
      const thing = nameItem(order, item);
      const refund = originalPayment(order, 'the way you paid');
      script.returnItems(name, combineGrounds([thing]), refund);
      const goal = statement`You would rather have a ${wanted.type.name} than ${thing} from ${name} and ask for that exchange. If the shop does not exchange one kind of product for another, you return ${thing} and take the refund ${refund}. You order nothing new.`;
      return { goal };
    },
  }),
} satisfies Record<string, RetailFamily>;
