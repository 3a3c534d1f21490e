/** Families about questions, and about goals that the policy forbids or leaves to a human agent. */

import { aboutCustomer, aboutOrder, nameItem, nameOptions, namePayment } from './words.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import { statement } from '../../tasks/ground.ts';
import { dollars, giftCard, orderCents, type Product } from '../model.ts';
import {
  costOfOrder,
  covers,
  hasStatus,
  holds,
  belongsToOther,
  lacks,
  findOrders,
  otherPayments,
  paidOtherwise,
  plainItems,
  listVariants,
} from './facts.ts';
import type { RetailFamily } from './context.ts';

export const QUESTIONS = {
  /** The numbers of versions of a product, in all and in stock. */
  countVariants: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const product = random.pick(model.products);
    const script = context.begin(customer);
    script.listProducts();
    script.readProduct(product);
    const available = product.variants.filter((variant) => variant.available).length;
    const goal = random.pick([
      statement`You think of giving away a ${product.type.name}. Ask how many versions of it the shop carries, and how many of these can be bought today.`,
      statement`You are curious about the range of ${product.type.plural}: you want to hear how many versions exist in all and how many of them are in stock right now.`,
    ]);
    const outputs = [
      { text: String(product.variants.length), answers: countVariants(product, () => true) },
      { text: String(available), answers: countVariants(product, (version) => version.get('available') === true) },
    ];
    return { customer, script, goal, outputs };
  },

  /** The price of one version, given its options. */
  askPrice: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const product = random.pick(model.products);
    const variant = random.pick(product.variants.filter((candidate) => candidate.available));
    const script = context.begin(customer);
    script.listProducts();
    script.readProduct(product);
    const goal = statement`You want to know what a ${product.type.name} costs with ${nameOptions(product, variant)}. You are only asking; you buy nothing today.`;
    return { customer, script, goal, outputs: [dollars(variant.cents)] };
  },

  /** The sum of what all delivered orders cost. */
  sumOrders: aboutCustomer({
    find: (customer) => {
      const delivered = findOrders(customer, 'delivered');
      return delivered.length >= 2 ? [delivered] : [];
    },
    plan: ({ random, customer, script, found: delivered }) => {
      script.readOrders(customer);
      const total = script.addUp(delivered.map(orderCents));
      const goal = random.pick([
        statement`You keep a household book and want one figure: what all of your delivered orders cost together. Orders that have not arrived do not count.`,
        statement`You want the agent to add up what you paid for those of your orders that have been delivered, all of them, and to tell you the sum.`,
      ]);
      return { goal, outputs: [total] };
    },
  }),

  /** The tracking number of a parcel. */
  trackParcel: (context) => {
    const { random } = context;
    const status = random.pick(['delivered', 'processed'] as const);
    return aboutOrder({
      status: status,
      find: (order) => (order.trackingId === null ? [] : [order.trackingId]),
      plan: ({ random, order, name, found: tracking }) => ({
        goal: random.pick([
          statement`You are looking for a parcel. Ask for the tracking number of ${name}, and for the zip code that it was addressed to.`,
          statement`You want the tracking number of ${name}. Also ask which zip code stands on the parcel.`,
        ]),
        outputs: [tracking, order.address.zip],
      }),
    })(context);
  },

  /** The gift card's balance decides whether an order is moved to it. */
  payIfCovered: aboutOrder({
    status: 'pending',
    find: (order) => {
      const card = giftCard(order.customer);
      const cents = orderCents(order);
      return card !== undefined && card !== order.payment && (covers(card, cents) || lacks(card, cents)) ? [card] : [];
    },
    readsUser: true,
    plan: ({ order, customer, script, name, found: card }) => {
      const enough = covers(card, orderCents(order));
      script.think(`The order costs ${dollars(orderCents(order))}, the gift card holds ${String(card.balance)}.`);
      const pay = namePayment(customer, card);
      if (enough) script.modifyPayment(name, pay);
      const present = namePayment(customer, order.payment);
      const goal = statement`You have forgotten how much is left on ${pay} and ask for the balance first. If it is enough for the whole of ${name}, you want that order to be paid with the gift card rather than with ${present}. If it is not enough, the order stays as it is.`;
      const premises = [
        holds(customer, card, enough ? 'more' : 'less', costOfOrder(order)),
        hasStatus(order, 'pending'),
      ];
      return { goal, premises, outputs: [String(card.balance)] };
    },
  }),
} satisfies Record<string, RetailFamily>;

function countVariants(product: Product, counts: (version: ReturnType<typeof listVariants>[number]) => boolean) {
  return (store: Store): string[] => [String(listVariants(store, product.id).filter(counts).length)];
}

export const REFUSALS = {
  /** An order that is being packed can no longer be cancelled. */
  cancelTooLate: aboutOrder({
    status: 'processed',
    ending: 'declined',
    plan: ({ order, name }) => {
      const goal = statement`You want to cancel ${name}, because it is no longer needed. If it is too late for that, you are annoyed but accept it; you want no other change and no other person to talk to.`;
      const premises = [hasStatus(order, 'processed')];
      return { goal, premises };
    },
  }),

  /** A request about another customer's order. */
  strangersOrder: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const found = context.fromOrder('pending', (order) => (order.customer === customer ? [] : [order]));
    if (found === undefined) return undefined;
    const [order] = found;
    const { firstName, lastName } = order.customer;
    const script = context.begin(customer);
    script.readUser(customer);
    const goal = statement`Your neighbour ${firstName} ${lastName} has asked you to cancel order ${order.id}, which is in the neighbour's name and not in yours; the reason is that it was ordered by mistake. You try to talk the agent into it once. When the agent declines, you give in and want nothing else.`;
    return { customer, script, goal, premises: [belongsToOther(order, customer)], ending: 'declined' };
  },

  /** A refund to a card that did not pay the order. */
  refundElsewhere: aboutOrder({
    status: 'delivered',
    find: (order) => {
      const forbidden = otherPayments(order).filter((payment) => payment.source !== 'gift_card');
      return forbidden.flatMap((wish) => plainItems(order).map((item) => ({ wish, item })));
    },
    readsUser: true,
    product: ({ item }) => item.product,
    ending: 'declined',
    plan: ({ order, customer, name, found: { wish, item } }) => ({
      goal: statement`You want to return ${nameItem(order, item)} from ${name}, but only if the refund goes to ${namePayment(customer, wish)}. With any other payment method you would rather keep it, and then everything stays as it is.`,
      premises: [paidOtherwise(order, wish)],
    }),
  }),

  /** A cancelled order cannot be brought back by the agent: a person takes over. */
  reviveOrder: aboutOrder({
    status: 'cancelled',
    ending: 'transferred',
    plan: ({ order, script, name }) => {
      script.transfer(`The customer wants the cancelled order ${order.id} to be reopened.`);
      const goal = statement`You regret that ${name} was cancelled and want it to be brought back to life, with the same items at the same prices. You do not want to place a new order, and you insist until somebody takes care of it.`;
      const premises = [hasStatus(order, 'cancelled')];
      return { goal, premises };
    },
  }),

  /** Something that is no business of the agent's tools. */
  beyondTheTools: aboutOrder({
    status: 'delivered',
    find: plainItems,
    draw: ({ random }) => {
      const [wish, summary] = random.pick(MATTERS);
      return { wish, summary };
    },
    product: (item) => item.product,
    ending: 'transferred',
    plan: ({ order, script, name, found: item, drawn: { wish, summary } }) => {
      script.transfer(`The customer wants ${summary} the ${item.product.type.name} of order ${order.id}.`);
      const goal = statement`You write about ${nameItem(order, item)} from ${name}: you want ${wish}. You accept nothing else in its place.`;
      return { goal };
    },
  }),
} satisfies Record<string, RetailFamily>;

const MATTERS: readonly (readonly [wish: string, summary: string])[] = [
  ['to have it repaired under the guarantee, and neither a refund nor another one', 'a repair under the guarantee of'],
  ['a printed invoice made out to your company for it', 'a printed company invoice for'],
  ['to order forty more of it for your club at a wholesale price', 'a wholesale offer for forty more of'],
  ['to speak about an injury that it caused, which you will tell a person only', 'to report an injury caused by'],
];
