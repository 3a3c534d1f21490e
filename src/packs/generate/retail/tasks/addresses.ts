/** Tasks in which addresses are changed. */

import type { Address } from '../model.ts';
import { makeAddress } from '../people.ts';
import { changes, ordersOf } from './find.ts';
import type { Family } from './stage.ts';
import { nameAddress, nameDifference, nameItem, nameOrder, namePayment } from './words.ts';

/** One order goes elsewhere. */
export const redirectOrder: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => [order]);
  if (found === undefined) return undefined;
  const [order] = found;
  const address = makeAddress(random);
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order);
  script.modifyAddress(order, address);
  const goal = random.pick([
    `You will be away, so ${name} should be sent to your sister: ${nameAddress(address)}. The address in your profile stays.`,
    `You want ${name} delivered to your office, which is at ${nameAddress(address)}. Only that order changes, not your profile.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The customer has moved: the profile and all that is not sent yet. */
export const moveHouse: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => (ordersOf(customer, 'pending').length > 0 ? [customer] : []));
  if (found === undefined) return undefined;
  const [customer] = found;
  const address = makeAddress(random);
  const script = stage.begin(customer);
  script.readUser(customer);
  for (const order of customer.orders) script.readOrder(order);
  for (const order of ordersOf(customer, 'pending')) script.modifyAddress(order, address);
  script.modifyUserAddress(customer, address);
  const goal = `You have moved to ${nameAddress(address)}. You want this as the address in your profile, and every order of yours that is still pending should go there too.`;
  return { customer, script, goal };
};

/** The profile alone. */
export const changeProfile: Family = (stage) => {
  const { random, shop } = stage;
  const customer = random.pick(shop.customers);
  const address = makeAddress(random);
  const script = stage.begin(customer);
  script.readUser(customer);
  script.modifyUserAddress(customer, address);
  const goal = `You want the address in your profile to be ${nameAddress(address)} from now on. Orders that you have placed already are not to be touched.`;
  return { customer, script, goal };
};

/** To where another order went: the agent has to look it up. */
export const copyAddress: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) =>
    order.customer.orders.filter((other) => other !== order && !sameAddress(other.address, order.address)),
  );
  if (found === undefined) return undefined;
  const [order, model] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(random, script, order);
  script.readOrder(model);
  script.modifyAddress(order, model.address);
  const goal = `You want ${name} to go to the very address that order ${model.id} was placed with. You do not have that address at hand; the agent can look it up.`;
  return { customer: order.customer, script, goal };
};

/** Address and item of one order: after the item has been changed nothing else can be. */
export const redirectAndModify: Family = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', changes);
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const address = makeAddress(random);
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(random, script, order, item.product);
  script.readProduct(item.product);
  script.think('The address has to be changed first, because the order is closed to changes after its items were.');
  script.modifyAddress(order, address);
  script.modifyItems(order, [{ from: item.variant.itemId, to: to.itemId }], payment);
  const goal = `You want two changes to ${name}, and say so at once: ${nameItem(item)} should have ${nameDifference(item.variant, to) ?? ''} with all else equal, the difference going through ${namePayment(order.customer, payment)}; and the order should be sent to ${nameAddress(address)}. Your profile stays as it is.`;
  return { customer: order.customer, script, goal };
};

function sameAddress(a: Address, b: Address): boolean {
  return a.address1 === b.address1 && a.address2 === b.address2 && a.zip === b.zip;
}
