/** Tasks in which the customer wants to know something, and sometimes acts on the answer. */

import type { Store } from '../../../../benchmark/index.ts';
import { tell } from '../../tasks/told.ts';
import { dollars, giftCard, orderCents, type Product } from '../model.ts';
import { variantsOf } from './facts.ts';
import { covers, lacks, ordersOf } from './find.ts';
import { costOfOrder, hasStatus, holds } from './premises.ts';
import type { RetailFamily } from './stage.ts';
import { namePayment } from './terms.ts';
import { nameOptions, nameOrder } from './words.ts';

/** How many versions of a product there are, and how many of them are in stock. */
export const countVariants: RetailFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const product = random.pick(world.products);
  const script = stage.begin(customer);
  script.listProducts();
  script.readProduct(product);
  const available = product.variants.filter((variant) => variant.available).length;
  const goal = random.pick([
    tell`You think of giving away a ${product.type.name}. Ask how many versions of it the shop carries, and how many of these can be bought today.`,
    tell`You are curious about the range of ${product.type.plural}: you want to hear how many versions exist in all and how many of them are in stock right now.`,
  ]);
  const outputs = [
    { text: String(product.variants.length), answers: countOf(product, () => true) },
    { text: String(available), answers: countOf(product, (version) => version.get('available') === true) },
  ];
  return { customer, script, goal, outputs };
};

function countOf(product: Product, counts: (version: ReturnType<typeof variantsOf>[number]) => boolean) {
  return (store: Store): string[] => [String(variantsOf(store, product.id).filter(counts).length)];
}

/** The price of one version, told by its options. */
export const askPrice: RetailFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const product = random.pick(world.products);
  const variant = random.pick(product.variants.filter((candidate) => candidate.available));
  const script = stage.begin(customer);
  script.listProducts();
  script.readProduct(product);
  const goal = tell`You want to know what a ${product.type.name} costs with ${nameOptions(product, variant)}. You are only asking; you buy nothing today.`;
  return { customer, script, goal, outputs: [dollars(variant.cents)] };
};

/** The sum of what all delivered orders cost. */
export const sumOrders: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const delivered = ordersOf(customer, 'delivered');
    return delivered.length >= 2 ? [delivered] : [];
  });
  if (found === undefined) return undefined;
  const [customer, delivered] = found;
  const script = stage.begin(customer);
  script.readOrders(customer);
  const total = script.addUp(delivered.map(orderCents));
  const goal = random.pick([
    tell`You keep a household book and want one figure: what all of your delivered orders cost together. Orders that have not arrived do not count.`,
    tell`You want the agent to add up what you paid for those of your orders that have been delivered, all of them, and to tell you the sum.`,
  ]);
  return { customer, script, goal, outputs: [total] };
};

/** Where a parcel is. */
export const trackParcel: RetailFamily = (stage) => {
  const { random } = stage;
  const status = random.pick(['delivered', 'processed'] as const);
  const found = stage.fromOrder(status, (order) => (order.trackingId === null ? [] : [order.trackingId]));
  if (found === undefined) return undefined;
  const [order, tracking] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order);
  const goal = random.pick([
    tell`You are looking for a parcel. Ask for the tracking number of ${name}, and for the zip code that it was addressed to.`,
    tell`You want the tracking number of ${name}. Also ask which zip code stands on the parcel.`,
  ]);
  return { customer: order.customer, script, goal, outputs: [tracking, order.address.zip] };
};

/** The gift card's balance decides whether an order is moved to it. */
export const payIfCovered: RetailFamily = (stage) => {
  const found = stage.fromOrder('pending', (order) => {
    const card = giftCard(order.customer);
    const cents = orderCents(order);
    return card !== undefined && card !== order.payment && (covers(card, cents) || lacks(card, cents)) ? [card] : [];
  });
  if (found === undefined) return undefined;
  const [order, card] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order);
  const enough = covers(card, orderCents(order));
  script.think(`The order costs ${dollars(orderCents(order))}, the gift card holds ${String(card.balance)}.`);
  const pay = namePayment(order.customer, card);
  if (enough) script.modifyPayment(name, pay);
  const present = namePayment(order.customer, order.payment);
  const goal = tell`You have forgotten how much is left on ${pay} and ask for the balance first. If it is enough for the whole of ${name}, you want that order to be paid with the gift card rather than with ${present}. If it is not enough, the order stays as it is.`;
  const premises = [
    holds(order.customer, card, enough ? 'more' : 'less', costOfOrder(order)),
    hasStatus(order, 'pending'),
  ];
  return { customer: order.customer, script, goal, premises, outputs: [String(card.balance)] };
};
