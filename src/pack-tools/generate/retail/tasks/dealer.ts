/** Retail's part in dealing tasks: its decks, its stage, and how its customers introduce themselves. */

import { isList } from '../../../../benchmark/python/index.ts';
import { named } from '../../tasks/ground.ts';
import type { Dealer, Introduction } from '../../tasks/dealer.ts';
import type { Customer, Shop } from '../model.ts';
import { COMPANIONS, DECKS, SPARE, WISHES } from './deck.ts';
import { usersByEmail, usersByNameAndZip } from './facts.ts';
import { RetailScript } from './script.ts';
import { RetailStage, type RetailPlot } from './stage.ts';

export const retailDealer: Dealer<Shop, RetailStage, Customer> = {
  decks: DECKS,
  spare: SPARE,
  companions: COMPANIONS,
  wishes: WISHES,
  // By turns, so that both ways to find a customer are needed; the other way round in every other round of the deck.
  open: (parts, at) => new RetailStage(parts, (at + Math.floor(at / DECKS.medium.length)) % 2 === 0 ? 'email' : 'name'),
  narrow,
  introduce,
  size: (shop) => shop.customers.length,
};

function narrow(stage: RetailStage, plots: readonly RetailPlot[], which: 'same' | 'fresh'): RetailStage {
  const script = plots[0]?.script;
  const customers = plots.slice(0, 1).map((plot) => plot.customer);
  const touched = new Set(plots.flatMap((plot) => writtenOrders(plot)));
  const orders = customers.flatMap((customer) => customer.orders).filter((order) => !touched.has(order.id));
  const { random, level } = stage;
  const world = { ...stage.world, customers, orders };
  const same = which === 'same' && script instanceof RetailScript ? script : undefined;
  return new RetailStage({ random, level, world }, stage.identity, same);
}

function writtenOrders({ script }: RetailPlot): string[] {
  return Array.from(script.evidence.values()).flatMap((evidence) => {
    const id = evidence['order_id']?.argument;
    return typeof id === 'string' ? [id] : isList(id) ? id.filter((one) => typeof one === 'string') : [];
  });
}

/** Gives the customer one of the two ways to be found, and only that. */
function introduce({ random, identity }: RetailStage, customer: Customer): Introduction {
  const { id, firstName, lastName, email, address } = customer;
  const name = `${firstName} ${lastName}`;
  if (identity === 'email') {
    const text = random.pick([
      `You are ${name}, and the shop Alder & Finch knows you as ${email}.`,
      `You are ${name} and shop at Alder & Finch under the email address ${email}.`,
      `Your name is ${name}, your email address is ${email}.`,
    ]);
    const candidates = (store: Parameters<typeof usersByEmail>[0]) => usersByEmail(store, email);
    return { text, identity: named({ text, value: customer, argument: id, says: [email], candidates }) };
  }
  const text = random.pick([
    `You are ${name} from ${address.city}, zip code ${address.zip}; you no longer know which email address the shop has.`,
    `You are ${name}. You live in ${address.city}, ${address.state}, where the zip code is ${address.zip}, and would rather not give your email address.`,
    `Your name is ${name} and your zip code is ${address.zip}. You do not use email in this conversation.`,
  ]);
  const candidates = (store: Parameters<typeof usersByEmail>[0]) =>
    usersByNameAndZip(store, firstName, lastName, address.zip);
  return { text, identity: named({ text, value: customer, argument: id, says: [name, address.zip], candidates }) };
}
