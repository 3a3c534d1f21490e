/** Tasks in which delivered items are returned. */

import { pairs } from '../../tasks/stage.ts';
import { listOf, reworded } from '../../tasks/ground.ts';
import { tell } from '../../tasks/told.ts';
import { giftCard } from '../model.ts';
import { otherPayments } from './find.ts';
import { paidOtherwise } from './premises.ts';
import type { RetailFamily } from './stage.ts';
import { namePayment, originalPayment } from './terms.ts';
import { doubledItems, nameAllItems, nameDoubled, nameItem, nameItems, nameOrder, plainItems } from './words.ts';

/** One item, back to where the money came from. */
export const returnOne: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const thing = nameItem(order, item);
  const starting = reworded(thing, (text) => text.replace('the', 'The'));
  const back = originalPayment(order, 'back to where it came from');
  const asPaid = originalPayment(order, 'the way you paid');
  const { what, refund, goal } = random.pick([
    {
      what: thing,
      refund: back,
      goal: tell`You want to return ${thing} from ${name}. The money should go ${back}.`,
    },
    {
      what: starting,
      refund: asPaid,
      goal: tell`${starting} from ${name} disappoints you. You want to send it back and be refunded ${asPaid}.`,
    },
  ]);
  script.returnItems(name, listOf([what]), refund);
  return { customer: order.customer, script, goal };
};

/** Two items onto the gift card, and the sum told. */
export const returnToGiftCard: RetailFamily = (stage) => {
  const found = stage.fromOrder('delivered', (order) => {
    const card = giftCard(order.customer);
    return card === undefined ? [] : pairs(plainItems(order)).map((items) => ({ items, card }));
  });
  if (found === undefined) return undefined;
  const [order, { items, card }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order);
  const total = script.addUp(items.map((item) => item.variant.cents));
  const things = items.map((item) => nameItem(order, item));
  const refund = namePayment(order.customer, card);
  script.returnItems(name, listOf(things), refund);
  const goal = tell`You want to return ${nameItems(things)} from ${name}, with the refund on ${refund}. Before you agree, you ask how much that will be altogether.`;
  return { customer: order.customer, script, goal, outputs: [total] };
};

/** Everything but one item. */
export const returnAllButOne: RetailFamily = (stage) => {
  const found = stage.fromOrder('delivered', (order) => (order.items.length < 3 ? [] : plainItems(order)));
  if (found === undefined) return undefined;
  const [order, kept] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, kept.product);
  const keep = nameItem(order, kept);
  const things = nameAllItems(order, 'everything', [keep]);
  const refund = originalPayment(order, 'the payment method of the order');
  script.returnItems(name, things, refund);
  const goal = tell`You want to return ${things} from ${name} except ${keep}, which you keep. The refund goes to ${refund}.`;
  return { customer: order.customer, script, goal };
};

/** One of two equal items. */
export const returnOneOfDoubled: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('delivered', doubledItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const both = random.chance(0.4);
  const things = nameDoubled(order, item, both, both ? 'both of them' : 'one of them');
  const refund = namePayment(order.customer, order.payment);
  script.returnItems(name, things, refund);
  const goal = tell`You bought two equal ${item.product.type.plural} in ${name}. You want to return ${things}${both ? ', and nothing else' : ' and keep the other'}. The refund should go to ${refund}, with which you paid.`;
  return { customer: order.customer, script, goal };
};

/** The wish for another card is refused, the second wish is allowed. */
export const returnOtherwise: RetailFamily = (stage) => {
  const found = stage.fromOrder('delivered', (order) => {
    const forbidden = otherPayments(order).filter((payment) => payment.source !== 'gift_card');
    return forbidden.flatMap((wish) => plainItems(order).map((item) => ({ wish, item })));
  });
  if (found === undefined) return undefined;
  const [order, { wish, item }] = found;
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const thing = nameItem(order, item);
  const refund = namePayment(order.customer, order.payment);
  script.returnItems(name, listOf([thing]), refund);
  const goal = tell`You want to return ${thing} from ${name} and ask for the refund on ${namePayment(order.customer, wish)}. If that is against the rules, you accept a refund to ${refund} instead.`;
  return { customer: order.customer, script, goal, premises: [paidOtherwise(order, wish)] };
};

/** An exchange for another kind of product is refused, so the item is returned. */
export const returnInsteadOfSwitch: RetailFamily = (stage) => {
  const { random, world } = stage;
  const found = stage.fromOrder('delivered', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const others = world.products.filter((product) => order.items.every((other) => other.product !== product));
  if (others.length === 0) return undefined;
  const wanted = random.pick(others);
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const thing = nameItem(order, item);
  const refund = originalPayment(order, 'the way you paid');
  script.returnItems(name, listOf([thing]), refund);
  const goal = tell`You would rather have a ${wanted.type.name} than ${thing} from ${name} and ask for that exchange. If the shop does not exchange one kind of product for another, you return ${thing} and take the refund ${refund}. You order nothing new.`;
  return { customer: order.customer, script, goal };
};
