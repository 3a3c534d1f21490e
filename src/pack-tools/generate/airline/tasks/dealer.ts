/** The airline's part in dealing tasks: its decks, its stage, and how its customers introduce themselves. */

import type { Dealer, Introduction } from '../../tasks/dealer.ts';
import { named } from '../../tasks/ground.ts';
import type { Airline, Customer } from '../model.ts';
import { COMPANIONS, DECKS, SPARE, WISHES } from './deck.ts';
import { AirlineScript } from './script.ts';
import { AirlineStage, type AirlinePlot } from './stage.ts';

export const airlineDealer: Dealer<Airline, AirlineStage, Customer> = {
  decks: DECKS,
  spare: SPARE,
  companions: COMPANIONS,
  wishes: WISHES,
  open: (parts) => new AirlineStage(parts),
  narrow,
  introduce,
  size: (airline) => airline.customers.length,
};

function narrow(stage: AirlineStage, plots: readonly AirlinePlot[], which: 'same' | 'fresh'): AirlineStage {
  const script = plots[0]?.script;
  const customers = plots.slice(0, 1).map((plot) => plot.customer);
  const touched = new Set(plots.flatMap(writtenReservations));
  const reservations = customers
    .flatMap((customer) => customer.reservations)
    .filter((reservation) => !touched.has(reservation.id));
  const { random, level } = stage;
  const world = { ...stage.world, customers, reservations };
  const same = which === 'same' && script instanceof AirlineScript ? script : undefined;
  return new AirlineStage({ random, level, world }, same);
}

function writtenReservations({ script }: AirlinePlot): string[] {
  return Array.from(script.evidence.values()).flatMap((evidence) => {
    const id = evidence['reservation_id']?.argument;
    return typeof id === 'string' ? [id] : [];
  });
}

/** The user id is the only way to a profile. */
function introduce({ random }: AirlineStage, customer: Customer): Introduction {
  const { id, firstName, lastName } = customer;
  const text = random.pick([
    `You are ${firstName} ${lastName}, and your user id at Kittiwake Air is ${id}.`,
    `Your name is ${firstName} ${lastName}, your user id is ${id}.`,
    `Your user id is ${id}; you are called ${firstName} ${lastName}.`,
  ]);
  const candidates = (store: Parameters<ReturnType<typeof named>['candidates']>[0]) =>
    store.find('users', id) === undefined ? [] : [id];
  return { text, identity: named({ text, value: customer, argument: id, says: [id], candidates }) };
}
