/** Tasks in which the customer wants to know something, and sometimes acts on the answer. */

import { dollars, giftCard, orderCents } from '../model.ts';
import { covers, lacks, ordersOf } from './find.ts';
import type { Family } from './stage.ts';
import { nameOptions, nameOrder, namePayment } from './words.ts';

/** How many versions of a product there are, and how many of them are in stock. */
export const countVariants: Family = (stage) => {
  const { random, shop } = stage;
  const customer = random.pick(shop.customers);
  const product = random.pick(shop.products);
  const script = stage.begin(customer);
  script.listProducts();
  script.readProduct(product);
  const available = product.variants.filter((variant) => variant.available).length;
  const goal = random.pick([
    `You think of giving away a ${product.type.name}. Ask how many versions of it the shop carries, and how many of these can be bought today.`,
    `You are curious about the range of ${product.type.plural}: you want to hear how many versions exist in all and how many of them are in stock right now.`,
  ]);
  return { customer, script, goal, outputs: [String(product.variants.length), String(available)] };
};

/** The price of one version, told by its options. */
export const askPrice: Family = (stage) => {
  const { random, shop } = stage;
  const customer = random.pick(shop.customers);
  const product = random.pick(shop.products);
  const variant = random.pick(product.variants.filter((candidate) => candidate.available));
  const script = stage.begin(customer);
  script.listProducts();
  script.readProduct(product);
  const goal = `You want to know what a ${product.type.name} costs with ${nameOptions(variant)}. You are only asking; you buy nothing today.`;
  return { customer, script, goal, outputs: [dollars(variant.cents)] };
};

/** The sum of what all delivered orders cost. */
export const sumOrders: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const delivered = ordersOf(customer, 'delivered');
    return delivered.length >= 2 ? [delivered] : [];
  });
  if (found === undefined) return undefined;
  const [customer, delivered] = found;
  const script = stage.begin(customer);
  script.readUser(customer);
  for (const order of customer.orders) script.readOrder(order);
  const total = script.addUp(delivered.map(orderCents));
  const goal = random.pick([
    'You keep a household book and want one figure: what all of your delivered orders cost together. Orders that have not arrived do not count.',
    'You want the agent to add up what you paid for those of your orders that have been delivered, all of them, and to tell you the sum.',
  ]);
  return { customer, script, goal, outputs: [total] };
};

/** Where a parcel is. */
export const trackParcel: Family = (stage) => {
  const { random } = stage;
  const status = random.pick(['delivered', 'processed'] as const);
  const found = stage.fromOrder(status, (order) => (order.trackingId === null ? [] : [order.trackingId]));
  if (found === undefined) return undefined;
  const [order, tracking] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order);
  const goal = random.pick([
    `You are looking for a parcel. Ask for the tracking number of ${name}, and for the zip code that it was addressed to.`,
    `You want the tracking number of ${name}. Also ask which zip code stands on the parcel.`,
  ]);
  return { customer: order.customer, script, goal, outputs: [tracking, order.address.zip] };
};

/** The gift card's balance decides whether an order is moved to it. */
export const payIfCovered: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => {
    const card = giftCard(order.customer);
    const cents = orderCents(order);
    return card !== undefined && card !== order.payment && (covers(card, cents) || lacks(card, cents)) ? [card] : [];
  });
  if (found === undefined) return undefined;
  const [order, card] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  const enough = covers(card, orderCents(order));
  script.think(`The order costs ${dollars(orderCents(order))}, the gift card holds ${String(card.balance)}.`);
  if (enough) script.modifyPayment(order, card);
  const goal = `You have forgotten how much is left on your gift card and ask for the balance first. If it is enough for the whole of ${name}, you want that order to be paid with the gift card rather than with ${namePayment(order.customer, order.payment)}. If it is not enough, the order stays as it is.`;
  return { customer: order.customer, script, goal, outputs: [String(card.balance)] };
};
