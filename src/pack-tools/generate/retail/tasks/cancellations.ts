/** Tasks about orders that are called off. */

import { tell } from '../../tasks/told.ts';
import { dollars, orderCents, type Order } from '../model.ts';
import { extremes, text } from '../../tasks/read.ts';
import { costOf, ordersOf as ordersIn } from './facts.ts';
import { cheapestOther, ordersOf } from './find.ts';
import { CANCEL_REASONS } from './script.ts';
import type { RetailFamily } from './stage.ts';
import { givenReason, namePayment, nameReason } from './terms.ts';
import { allOrders, nameExtreme, nameItem, nameOrder, orderWhere, plainItems } from './words.ts';

export const cancelOne: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => [order]);
  if (found === undefined) return undefined;
  const [order] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order);
  const why = nameReason(random, random.pick(CANCEL_REASONS));
  script.cancel(name, why);
  const goal = random.pick([
    tell`You want to cancel ${name}. Asked for a reason, you say that ${why}.`,
    tell`You would like ${name} to be called off before it is sent, because ${why}.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** Everything that is still pending, and what comes back. */
export const cancelAll: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const pending = ordersOf(customer, 'pending');
    return pending.length >= 2 ? [pending] : [];
  });
  if (found === undefined) return undefined;
  const [customer, pending] = found;
  const script = stage.begin(customer);
  script.readOrders(customer);
  const all = allOrders(customer, 'pending', 'every one of your orders that is still pending');
  const why = nameReason(random, random.pick(CANCEL_REASONS));
  for (const order of pending) script.cancel({ set: all, argument: order.id }, why);
  const total = script.addUp(pending.map(orderCents));
  const goal = tell`You want ${all} to be cancelled; the reason for all of them is that ${why}. At the end you want to hear how much money you get back in total.`;
  return { customer, script, goal, outputs: [total] };
};

/** The dearer or the cheaper of two pending orders. */
export const cancelOneOfTwo: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const [a, b, ...more] = ordersOf(customer, 'pending');
    return a !== undefined && b !== undefined && more.length === 0 && orderCents(a) !== orderCents(b) ? [[a, b]] : [];
  });
  if (found === undefined) return undefined;
  const [customer, pending] = found;
  const [dearer, cheaper] = [...pending].sort((a, b) => orderCents(b) - orderCents(a)) as [Order, Order];
  const which = random.pick(['more', 'less'] as const);
  const order = which === 'more' ? dearer : cheaper;
  const script = stage.begin(customer);
  script.readOrders(customer);
  script.think(
    `${dearer.id} costs ${dollars(orderCents(dearer))}, ${cheaper.id} costs ${dollars(orderCents(cheaper))}.`,
  );
  const name = orderWhere(order, `the one that costs ${which}`, [which], (store) => {
    const both = ordersIn(store, customer.id).filter((other) => text(other, 'status') === 'pending');
    return both.length === 2 ? extremes(both, costOf, which === 'more' ? 'most' : 'least') : [];
  });
  const why = nameReason(random, random.pick(CANCEL_REASONS));
  script.cancel(name, why);
  const goal = tell`You have two pending orders and do not remember their numbers. You want to cancel ${name}, since ${why}, and to keep the other one. Ask what the cancelled order had cost.`;
  return { customer, script, goal, outputs: [dollars(orderCents(order))] };
};

/** One item cannot be cancelled alone, so it is changed for the cheapest version. */
export const cancelItemFallsBack: RetailFamily = (stage) => {
  const found = stage.fromOrder('pending', (order) =>
    order.items.length < 2
      ? []
      : plainItems(order).filter((item) => (cheapestOther(item)?.cents ?? Infinity) < item.variant.cents),
  );
  if (found === undefined) return undefined;
  const [order, item] = found;
  const cheapest = cheapestOther(item);
  if (cheapest === undefined) return undefined;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  const thing = nameItem(order, item);
  const version = nameExtreme(item.product, cheapest, 'least', 'the cheapest version that is in stock');
  const payment = namePayment(order.customer, order.payment);
  script.modifyItems(name, [{ from: thing, to: version }], payment);
  const goal = tell`You want to take ${thing} out of ${name} and keep everything else in it. If a single item cannot be cancelled, you want it changed for ${version}, with the difference refunded to ${payment}. You do not want to lose the whole order.`;
  return { customer: order.customer, script, goal };
};

/** One item cannot be cancelled alone, so the whole order goes. */
export const cancelItemThenWhole: RetailFamily = (stage) => {
  const found = stage.fromOrder('pending', (order) => (order.items.length < 2 ? [] : plainItems(order)));
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const why = givenReason('it is no longer needed');
  script.cancel(name, why);
  const goal = tell`You no longer need ${nameItem(order, item)} in ${name} and ask to cancel just that. If only the whole order can be cancelled, then you want exactly that, with the reason that ${why}. Ask how much is refunded.`;
  return { customer: order.customer, script, goal, outputs: [dollars(orderCents(order))] };
};

/** The shop matches no prices; the customer then cancels. */
export const priceMatchThenCancel: RetailFamily = (stage) => {
  const found = stage.fromOrder('pending', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  const why = givenReason('it is no longer needed');
  script.cancel(name, why);
  const goal = tell`You have seen ${nameItem(order, item)} from ${name} for less in another shop and want the agent to lower the price. If the agent cannot do that, you want the whole order cancelled, and the reason you give is that ${why}.`;
  return { customer: order.customer, script, goal };
};
