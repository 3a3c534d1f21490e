/** Tasks about orders that are called off. */

import { dollars, orderCents, type Order } from '../model.ts';
import { cheapestOther, ordersOf } from './find.ts';
import { CANCEL_REASONS } from './script.ts';
import type { Family } from './stage.ts';
import { nameItem, nameOrder, namePayment, nameReason, plainItems } from './words.ts';

export const cancelOne: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => [order]);
  if (found === undefined) return undefined;
  const [order] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order);
  const reason = random.pick(CANCEL_REASONS);
  script.cancel(order, reason);
  const why = nameReason(random, reason);
  const goal = random.pick([
    `You want to cancel ${name}. Asked for a reason, you say that ${why}.`,
    `You would like ${name} to be called off before it is sent, because ${why}.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** Everything that is still pending, and what comes back. */
export const cancelAll: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => {
    const pending = ordersOf(customer, 'pending');
    return pending.length >= 2 ? [pending] : [];
  });
  if (found === undefined) return undefined;
  const [customer, pending] = found;
  const script = stage.begin(customer);
  script.readUser(customer);
  for (const order of customer.orders) script.readOrder(order);
  const reason = random.pick(CANCEL_REASONS);
  for (const order of pending) script.cancel(order, reason);
  const total = script.addUp(pending.map(orderCents));
  const goal = `You want every one of your orders that is still pending to be cancelled; the reason for all of them is that ${nameReason(random, reason)}. At the end you want to hear how much money you get back in total.`;
  return { customer, script, goal, outputs: [total] };
};

/** The dearer or the cheaper of two pending orders. */
export const cancelOneOfTwo: Family = (stage) => {
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
  script.readUser(customer);
  for (const other of customer.orders) script.readOrder(other);
  script.think(
    `${dearer.id} costs ${dollars(orderCents(dearer))}, ${cheaper.id} costs ${dollars(orderCents(cheaper))}.`,
  );
  const reason = random.pick(CANCEL_REASONS);
  script.cancel(order, reason);
  const goal = `You have two pending orders and do not remember their numbers. You want to cancel the one that costs ${which}, since ${nameReason(random, reason)}, and to keep the other one. Ask what the cancelled order had cost.`;
  return { customer, script, goal, outputs: [dollars(orderCents(order))] };
};

/** One item cannot be cancelled alone, so it is changed for the cheapest version. */
export const cancelItemFallsBack: Family = (stage) => {
  const { random } = stage;
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
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  script.modifyItems(order, [{ from: item.variant.itemId, to: cheapest.itemId }], order.payment);
  const goal = `You want to take ${nameItem(item)} out of ${name} and keep everything else in it. If a single item cannot be cancelled, you want it changed for the cheapest version that is in stock, with the difference refunded to ${namePayment(order.customer, order.payment)}. You do not want to lose the whole order.`;
  return { customer: order.customer, script, goal };
};

/** One item cannot be cancelled alone, so the whole order goes. */
export const cancelItemThenWhole: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => (order.items.length < 2 ? [] : plainItems(order)));
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.cancel(order, 'no longer needed');
  const goal = `You no longer need ${nameItem(item)} in ${name} and ask to cancel just that. If only the whole order can be cancelled, then you want exactly that, with the reason that it is no longer needed. Ask how much is refunded.`;
  return { customer: order.customer, script, goal, outputs: [dollars(orderCents(order))] };
};

/** The shop matches no prices; the customer then cancels. */
export const priceMatchThenCancel: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', plainItems);
  if (found === undefined) return undefined;
  const [order, item] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.cancel(order, 'no longer needed');
  const goal = `You have seen ${nameItem(item)} from ${name} for less in another shop and want the agent to lower the price. If the agent cannot do that, you want the whole order cancelled, and the reason you give is that it is no longer needed.`;
  return { customer: order.customer, script, goal };
};
