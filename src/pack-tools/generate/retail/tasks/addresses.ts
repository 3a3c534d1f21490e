/** Tasks in which addresses are changed. */

import { tell } from '../../tasks/told.ts';
import { makeAddress, type Address } from '../../people.ts';
import { changes, ordersOf } from './find.ts';
import type { RetailFamily } from './stage.ts';
import { addressOf, nameAddress, namePayment } from './terms.ts';
import { allOrders, nameDifference, nameItem, nameOrder } from './words.ts';

/** One order goes elsewhere. */
export const redirectOrder: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', (order) => [order]);
  if (found === undefined) return undefined;
  const [order] = found;
  const address = nameAddress(makeAddress(random));
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order);
  script.modifyAddress(name, address);
  const goal = random.pick([
    tell`You will be away, so ${name} should be sent to your sister: ${address}. The address in your profile stays.`,
    tell`You want ${name} delivered to your office, which is at ${address}. Only that order changes, not your profile.`,
  ]);
  return { customer: order.customer, script, goal };
};

/** The customer has moved: the profile and all that is not sent yet. */
export const moveHouse: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) => (ordersOf(customer, 'pending').length > 0 ? [customer] : []));
  if (found === undefined) return undefined;
  const [customer] = found;
  const address = nameAddress(makeAddress(random));
  const script = stage.begin(customer);
  script.readOrders(customer);
  const all = allOrders(customer, 'pending', 'every order of yours that is still pending');
  for (const order of all.value) script.modifyAddress({ set: all, argument: order.id }, address);
  script.modifyUserAddress(customer, address);
  const goal = tell`You have moved to ${address}. You want this as the address in your profile, and ${all} should go there too.`;
  return { customer, script, goal };
};

/** The profile alone. */
export const changeProfile: RetailFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const address = nameAddress(makeAddress(random));
  const script = stage.begin(customer);
  script.readUser(customer);
  script.modifyUserAddress(customer, address);
  const goal = tell`You want the address in your profile to be ${address} from now on. Orders that you have placed already are not to be touched.`;
  return { customer, script, goal };
};

/** To where another order went: the agent has to look it up. */
export const copyAddress: RetailFamily = (stage) => {
  const found = stage.fromOrder('pending', (order) =>
    order.customer.orders.filter((other) => other !== order && !sameAddress(other.address, order.address)),
  );
  if (found === undefined) return undefined;
  const [order, model] = found;
  const script = stage.begin(order.customer);
  const name = nameOrder(stage, script, order);
  script.readOrder(model);
  const address = addressOf(model, `the very address that order ${model.id} was placed with`);
  script.modifyAddress(name, address);
  const goal = tell`You want ${name} to go to ${address}. You do not have that address at hand; the agent can look it up.`;
  return { customer: order.customer, script, goal };
};

/** Address and item of one order: after the item has been changed nothing else can be. */
export const redirectAndModify: RetailFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromOrder('pending', changes);
  if (found === undefined) return undefined;
  const [order, { item, to, payment }] = found;
  const address = nameAddress(makeAddress(random));
  const script = stage.begin(order.customer);
  script.readUser(order.customer);
  const name = nameOrder(stage, script, order, item.product);
  script.readProduct(item.product);
  script.think('The address has to be changed first, because the order is closed to changes after its items were.');
  const thing = nameItem(order, item);
  const version = nameDifference(item, to);
  const pay = namePayment(order.customer, payment);
  script.modifyAddress(name, address);
  script.modifyItems(name, [{ from: thing, to: version }], pay);
  const goal = tell`You want two changes to ${name}, and say so at once: ${thing} should have ${version} with all else equal, the difference going through ${pay}; and the order should be sent to ${address}. Your profile stays as it is.`;
  return { customer: order.customer, script, goal };
};

function sameAddress(a: Address, b: Address): boolean {
  return a.address1 === b.address1 && a.address2 === b.address2 && a.zip === b.zip;
}
