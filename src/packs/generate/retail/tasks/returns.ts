/** Tasks in which delivered items are returned. */

import { giftCard } from '../model.ts';
import { otherPayments } from './find.ts';
import { pairs, type Family } from './stage.ts';
import { doubledItems, nameItem, nameItems, nameOrder, namePayment, plainItems } from './words.ts';

/** One item, back to where the money came from. */
export const returnOne: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.returnItems(order, [item.variant.itemId], order.payment);
  const goal = random.pick([
    `You want to return ${nameItem(item)} from ${name}. The money should go back to where it came from.`,
    `${nameItem(item).replace('the', 'The')} from ${name} disappoints you. You want to send it back and be refunded the way you paid.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** Two items onto the gift card, and the sum told. */
export const returnToGiftCard: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => {
    const card = giftCard(order.customer);
    return card === undefined ? [] : pairs(plainItems(order)).map((items) => ({ items, card }));
  });
  if (found === undefined) return undefined;
  const [order, { items, card }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order);
  const total = script.addUp(items.map((item) => item.variant.cents));
  script.returnItems(
    order,
    items.map((item) => item.variant.itemId),
    card,
  );
  const goal = `You want to return ${nameItems(items)} from ${name}, with the refund on your gift card. Before you agree, you ask how much that will be altogether.`;
  return { customer: order.customer, script, goal, outputs: [total] };
};

/** Everything but one item. */
export const returnAllButOne: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => (order.items.length < 3 ? [] : plainItems(order)));
  if (found === undefined) return undefined;
  const [order, kept] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order, kept.product);
  const returned = order.items.filter((item) => item !== kept);
  script.returnItems(
    order,
    returned.map((item) => item.variant.itemId),
    order.payment,
  );
  const goal = `You want to return everything from ${name} except ${nameItem(kept)}, which you keep. The refund goes to the payment method of the order.`;
  return { customer: order.customer, script, goal };
};

/** One of two equal items. */
export const returnOneOfDoubled: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', doubledItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order, item.product);
  const both = random.chance(0.4);
  const id = item.variant.itemId;
  script.returnItems(order, both ? [id, id] : [id], order.payment);
  const goal = `You bought two equal ${item.product.type.plural} in ${name}. You want to return ${both ? 'both of them, and nothing else' : 'one of them and keep the other'}. The refund should go to ${namePayment(order.customer, order.payment)}, with which you paid.`;
  return { customer: order.customer, script, goal };
};

/** The wish for another card is refused, the second wish is allowed. */
export const returnOtherwise: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', (order) => {
    const forbidden = otherPayments(order).filter((payment) => payment.source !== 'gift_card');
    return forbidden.flatMap((wish) => plainItems(order).map((item) => ({ wish, item })));
  });
  if (found === undefined) return undefined;
  const [order, { wish, item }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.returnItems(order, [item.variant.itemId], order.payment);
  const goal = `You want to return ${nameItem(item)} from ${name} and ask for the refund on ${namePayment(order.customer, wish)}. If that is against the rules, you accept a refund to ${namePayment(order.customer, order.payment)} instead.`;
  return { customer: order.customer, script, goal };
};

/** An exchange for another kind of product is refused, so the item is returned. */
export const returnInsteadOfSwitch: Family = (stage) => {
  const { random, shop } = stage;
  const found = stage.fromOrder('delivered', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const others = shop.products.filter((product) => order.items.every((other) => other.product !== product));
  if (others.length === 0) return undefined;
  const wanted = random.pick(others);
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.returnItems(order, [item.variant.itemId], order.payment);
  const goal = `You would rather have a ${wanted.type.name} than ${nameItem(item)} from ${name} and ask for that exchange. If the shop does not exchange one kind of product for another, you return ${nameItem(item)} and take the refund the way you paid. You order nothing new.`;
  return { customer: order.customer, script, goal };
};
