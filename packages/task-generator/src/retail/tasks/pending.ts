/** Families about pending orders: cancellations, changed items, payments and addresses. */

import {
  changeableItems,
  changes,
  cheapestOther,
  sumPrices,
  costOfOrder,
  covers,
  mostExpensiveOther,
  holds,
  lacks,
  neighbours,
  ordersIn,
  findOrders,
  otherPayments,
  plainItems,
} from './facts.ts';
import {
  aboutCustomer,
  aboutOrder,
  nameOrderAddress,
  allOrders,
  givenReason,
  nameAddress,
  nameDifference,
  nameExtreme,
  nameItem,
  namePayment,
  nameReason,
  orderWhere,
} from './words.ts';
import { extremes, reworded, statement, text } from '../../tasks/ground.ts';
import { dollars, giftCard, orderCents, type Order } from '../model.ts';
import { CANCEL_REASONS, type RetailFamily } from './context.ts';
import { pairs } from '../../tasks/scenario.ts';
import { makeAddress, type Address } from '../../people.ts';

export const CANCELLATIONS = {
  cancelOne: aboutOrder({
    status: 'pending',
    plan: ({ random, script, name }) => {
      const why = nameReason(random, random.pick(CANCEL_REASONS));
      script.cancel(name, why);
      const goal = random.pick([
        statement`You want to cancel ${name}. Asked for a reason, you say that ${why}.`,
        statement`You would like ${name} to be called off before it is sent, because ${why}.`,
      ]);
      return { goal };
    },
  }),

  /** Cancels all pending orders; the user asks for the total refund. */
  cancelAll: aboutCustomer({
    find: (customer) => {
      const pending = findOrders(customer, 'pending');
      return pending.length >= 2 ? [pending] : [];
    },
    plan: ({ random, customer, script, found: pending }) => {
      script.readOrders(customer);
      const all = allOrders(customer, 'pending', 'every one of your orders that is still pending');
      const why = nameReason(random, random.pick(CANCEL_REASONS));
      for (const order of pending) script.cancel({ set: all, argument: order.id }, why);
      const total = script.addUp(pending.map(orderCents));
      const goal = statement`You want ${all} to be cancelled; the reason for all of them is that ${why}. At the end you want to hear how much money you get back in total.`;
      return { goal, outputs: [total] };
    },
  }),

  /** The more or the less expensive of two pending orders. */
  cancelOneOfTwo: aboutCustomer({
    find: (customer) => {
      const [a, b, ...more] = findOrders(customer, 'pending');
      return a !== undefined && b !== undefined && more.length === 0 && orderCents(a) !== orderCents(b) ? [[a, b]] : [];
    },
    draw: ({ random, found: pending }) => {
      const [expensive, cheaper] = [...pending].sort((a, b) => orderCents(b) - orderCents(a)) as [Order, Order];
      const which = random.pick(['more', 'less'] as const);
      const order = which === 'more' ? expensive : cheaper;
      return { expensive, cheaper, which, order };
    },
    plan: ({ random, customer, script, drawn: { expensive, cheaper, which, order } }) => {
      script.readOrders(customer);
      script.think(
        `${expensive.id} costs ${dollars(orderCents(expensive))}, ${cheaper.id} costs ${dollars(orderCents(cheaper))}.`,
      );
      const name = orderWhere(order, `the one that costs ${which}`, [which], (store) => {
        const both = ordersIn(store, customer.id).filter((other) => text(other, 'status') === 'pending');
        return both.length === 2 ? extremes(both, sumPrices, which === 'more' ? 'most' : 'least') : [];
      });
      const why = nameReason(random, random.pick(CANCEL_REASONS));
      script.cancel(name, why);
      const goal = statement`You have two pending orders and do not remember their numbers. You want to cancel ${name}, since ${why}, and to keep the other one. Ask what the cancelled order had cost.`;
      return { goal, outputs: [dollars(orderCents(order))] };
    },
  }),

  /** One item cannot be cancelled alone, so it is changed for the cheapest version. */
  cancelItemFallsBack: aboutOrder({
    status: 'pending',
    find: (order) =>
      order.items.length < 2
        ? []
        : plainItems(order).filter((item) => (cheapestOther(item)?.cents ?? Infinity) < item.variant.cents),
    draw: ({ found: item }) => {
      const cheapest = cheapestOther(item);
      if (cheapest === undefined) return undefined;
      return { cheapest };
    },
    product: (item) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: item, drawn: { cheapest } }) => {
      const thing = nameItem(order, item);
      const version = nameExtreme(item.product, cheapest, 'least', 'the cheapest version that is in stock');
      const payment = namePayment(customer, order.payment);
      script.modifyItems(name, [{ from: thing, to: version }], payment);
      const goal = statement`You want to take ${thing} out of ${name} and keep everything else in it. If a single item cannot be cancelled, you want it changed for ${version}, with the difference refunded to ${payment}. You do not want to lose the whole order.`;
      return { goal };
    },
  }),

  /** One item cannot be cancelled alone, so the whole order is cancelled. */
  cancelItemThenWhole: aboutOrder({
    status: 'pending',
    find: (order) => (order.items.length < 2 ? [] : plainItems(order)),
    product: (item) => item.product,
    plan: ({ order, script, name, found: item }) => {
      const why = givenReason('it is no longer needed');
      script.cancel(name, why);
      const goal = statement`You no longer need ${nameItem(order, item)} in ${name} and ask to cancel just that. If only the whole order can be cancelled, then you want exactly that, with the reason that ${why}. Ask how much is refunded.`;
      return { goal, outputs: [dollars(orderCents(order))] };
    },
  }),

  /** Prices are not matched, so the user cancels. */
  priceMatchThenCancel: aboutOrder({
    status: 'pending',
    find: plainItems,
    product: (item) => item.product,
    plan: ({ order, script, name, found: item }) => {
      const why = givenReason('it is no longer needed');
      script.cancel(name, why);
      const goal = statement`You have seen ${nameItem(order, item)} from ${name} for less in another shop and want the agent to lower the price. If the agent cannot do that, you want the whole order cancelled, and the reason you give is that ${why}.`;
      return { goal };
    },
  }),
} satisfies Record<string, RetailFamily>;

export const MODIFICATIONS = {
  /** One item, one option. */
  modifyOption: aboutOrder({
    status: 'pending',
    find: changes,
    readsUser: true,
    product: ({ item }) => item.product,
    readsProduct: true,
    plan: ({ random, order, customer, script, name, found: { item, to, payment } }) => {
      const thing = nameItem(order, item);
      const version = nameDifference(item, to);
      const pay = namePayment(customer, payment);
      script.modifyItems(name, [{ from: thing, to: version }], pay);
      const goal = random.pick([
        statement`You chose badly: ${thing} in ${name} should have ${version}. All other options stay. The difference in price is settled with ${pay}.`,
        statement`As ${name} is not on its way yet, you want ${thing} in it changed to one with ${version} and no other change. Use ${pay} for the difference.`,
      ]);
      return { goal };
    },
  }),

  /** The cheapest version, the rest back onto the gift card or the original payment. */
  modifyToCheapest: aboutOrder({
    status: 'pending',
    find: (order) => plainItems(order).filter((item) => (cheapestOther(item)?.cents ?? Infinity) < item.variant.cents),
    draw: ({ order, found: item }) => {
      const cheapest = cheapestOther(item);
      if (cheapest === undefined) return undefined;
      const payment = giftCard(order.customer) ?? order.payment;
      return { cheapest, payment };
    },
    readsUser: true,
    product: (item) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: item, drawn: { cheapest, payment } }) => {
      const saved = script.subtract(item.variant.cents, cheapest.cents);
      const thing = reworded(nameItem(order, item), (text) => text.replace('the', 'The'));
      const version = nameExtreme(item.product, cheapest, 'least', 'the cheapest version that is in stock');
      const pay = namePayment(customer, payment);
      script.modifyItems(name, [{ from: thing, to: version }], pay);
      const goal = statement`You have to save money. ${thing} in ${name} should become ${version}; the options do not matter to you. What you save goes to ${pay}, and you want to hear the amount.`;
      return { goal, outputs: [saved] };
    },
  }),

  /** Two items at once: the tool can be called only once. */
  modifyTwo: aboutOrder({
    status: 'pending',
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
      script.modifyItems(name, things, pay);
      const [one = '', two = ''] = things.map(({ from, to }) => statement`${from} should have ${to}`);
      const goal = statement`In ${name} you want two changes: ${one}, and ${two}. The rest stays the same. You name the first at once and the second when you are asked whether you want to change anything else. The difference goes through ${pay}.`;
      return { goal };
    },
  }),

  /** The gift card cannot pay for the more expensive version. */
  modifyGiftCardTooLow: aboutOrder({
    status: 'pending',
    find: (order) => {
      const card = giftCard(order.customer);
      if (card === undefined) return [];
      return plainItems(order).flatMap((item) => {
        const priciest = mostExpensiveOther(item);
        const tooExpensive = priciest !== undefined && lacks(card, priciest.cents - item.variant.cents);
        return tooExpensive ? [{ item, priciest, card }] : [];
      });
    },
    draw: ({ random, order }) =>
      random.pick(order.customer.payments.filter((candidate) => candidate.source !== 'gift_card')),
    readsUser: true,
    product: ({ item }) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: { item, priciest, card }, drawn: payment }) => {
      const difference = script.subtract(priciest.cents, item.variant.cents);
      script.think(`The gift card holds less than ${difference}, so the difference goes to ${payment.id}.`);
      const thing = nameItem(order, item);
      const version = nameExtreme(item.product, priciest, 'most', 'the most expensive version in stock');
      const pay = namePayment(customer, payment);
      script.modifyItems(name, [{ from: thing, to: version }], pay);
      const goal = statement`It is a present after all, so ${thing} in ${name} should become ${version}. You want to pay the difference with ${namePayment(customer, card)}; if it does not hold enough for all of it, you pay the whole difference with ${pay}.`;
      const premises = [holds(customer, card, 'less', () => priciest.cents - item.variant.cents)];
      return { goal, premises };
    },
  }),
} satisfies Record<string, RetailFamily>;

export const REPAYMENTS = {
  /** Changes to another payment method that can pay the order. */
  changePayment: aboutOrder({
    status: 'pending',
    find: (order) => otherPayments(order).filter((payment) => covers(payment, orderCents(order))),
    readsUser: true,
    plan: ({ random, customer, script, name, found: payment }) => {
      const pay = namePayment(customer, payment);
      script.modifyPayment(name, pay);
      const goal = random.pick([
        statement`You want ${name} to be paid with ${pay} and with nothing else.`,
        statement`You picked the wrong way to pay for ${name}. It should be charged to ${pay}.`,
      ]);
      return { goal };
    },
  }),

  /** The gift card cannot pay the order, so another method is used. */
  changePaymentFallsBack: aboutOrder({
    status: 'pending',
    find: (order) => {
      const card = giftCard(order.customer);
      if (card === undefined || card === order.payment || !lacks(card, orderCents(order))) return [];
      return otherPayments(order)
        .filter((payment) => payment !== card)
        .map((payment) => ({ payment, card }));
    },
    readsUser: true,
    plan: ({ order, customer, script, name, found: { payment, card } }) => {
      script.think(`The gift card cannot pay the whole order, so the payment moves to ${payment.id}.`);
      const second = namePayment(customer, payment);
      script.modifyPayment(name, second);
      const goal = statement`You no longer want to pay ${name} with ${namePayment(customer, order.payment)}. Your first wish is ${namePayment(customer, card)}, for the whole amount. If that is not possible, take ${second}.`;
      const premises = [holds(customer, card, 'less', costOfOrder(order))];
      return { goal, premises };
    },
  }),
} satisfies Record<string, RetailFamily>;

export const ADDRESS_CHANGES = {
  /** Sends an order to another address. */
  redirectOrder: aboutOrder({
    status: 'pending',
    draw: ({ random }) => nameAddress(makeAddress(random)),
    plan: ({ random, script, name, drawn: address }) => {
      script.modifyAddress(name, address);
      const goal = random.pick([
        statement`You will be away, so ${name} should be sent to your sister: ${address}. The address in your profile stays.`,
        statement`You want ${name} delivered to your office, which is at ${address}. Only that order changes, not your profile.`,
      ]);
      return { goal };
    },
  }),

  /** The customer has moved: changes the profile and all unsent orders. */
  moveHouse: aboutCustomer({
    where: (customer) => findOrders(customer, 'pending').length > 0,
    draw: ({ random }) => nameAddress(makeAddress(random)),
    plan: ({ customer, script, drawn: address }) => {
      script.readOrders(customer);
      const all = allOrders(customer, 'pending', 'every order of yours that is still pending');
      for (const order of all.value) script.modifyAddress({ set: all, argument: order.id }, address);
      script.modifyUserAddress(customer, address);
      const goal = statement`You have moved to ${address}. You want this as the address in your profile, and ${all} should go there too.`;
      return { goal };
    },
  }),

  /** The profile alone. */
  changeProfile: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const address = nameAddress(makeAddress(random));
    const script = context.begin(customer);
    script.readUser(customer);
    script.modifyUserAddress(customer, address);
    const goal = statement`You want the address in your profile to be ${address} from now on. Orders that you have placed already are not to be touched.`;
    return { customer, script, goal };
  },

  /** Uses the address of another order, which the agent must look up. */
  copyAddress: aboutOrder({
    status: 'pending',
    find: (order) =>
      order.customer.orders.filter((other) => other !== order && !sameAddress(other.address, order.address)),
    plan: ({ script, name, found: other }) => {
      script.readOrder(other);
      const address = nameOrderAddress(other, `the very address that order ${other.id} was placed with`);
      script.modifyAddress(name, address);
      const goal = statement`You want ${name} to go to ${address}. You do not have that address at hand; the agent can look it up.`;
      return { goal };
    },
  }),

  /** Address and item of one order: after the item has been changed nothing else can be. */
  redirectAndModify: aboutOrder({
    status: 'pending',
    find: changes,
    draw: ({ random }) => nameAddress(makeAddress(random)),
    readsUser: true,
    product: ({ item }) => item.product,
    readsProduct: true,
    plan: ({ order, customer, script, name, found: { item, to, payment }, drawn: address }) => {
      script.think('The address has to be changed first, because the order is closed to changes after its items were.');
      const thing = nameItem(order, item);
      const version = nameDifference(item, to);
      const pay = namePayment(customer, payment);
      script.modifyAddress(name, address);
      script.modifyItems(name, [{ from: thing, to: version }], pay);
      const goal = statement`You want two changes to ${name}, and say so at once: ${thing} should have ${version} with all else equal, the difference going through ${pay}; and the order should be sent to ${address}. Your profile stays as it is.`;
      return { goal };
    },
  }),
} satisfies Record<string, RetailFamily>;

function sameAddress(a: Address, b: Address): boolean {
  return a.address1 === b.address1 && a.address2 === b.address2 && a.zip === b.zip;
}
