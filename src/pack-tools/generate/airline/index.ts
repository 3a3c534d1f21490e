/** The generator of airline packs: the airline Kittiwake Air. */

import type { PyDict } from '../../../benchmark/python/index.ts';
import type { DomainGenerator, MadeWorld } from '../domain.ts';
import { whole } from '../options.ts';
import type { Random } from '../random.ts';
import { dealTasks } from '../tasks/deal.ts';
import { TERMINATE_TOOLS } from '../tool-texts.ts';
import { byRoute, makeFlights } from './flights.ts';
import { makeCustomers } from './people.ts';
import { policyText, RULES } from './policy.ts';
import { makeReservations } from './reservations.ts';
import { toTables } from './tables.ts';
import { airlineDealer } from './tasks/dealer.ts';
import { toolSchemas } from './tools.ts';

export const airlineGenerator: DomainGenerator = {
  rules: {
    env: 'airline',
    name: 'kittiwake',
    fewestCustomers: 4,
    defaultCustomers: 48,
    defaultTasks: 50,
    sizes: ['reservations', 'flights'],
  },
  settleSizes: (options, { customers, level }) => ({
    reservations: whole(
      'the number of reservations',
      options.reservations ?? Math.ceil(customers * level.crowd),
      customers,
      customers * 6,
    ),
    // A flight for every two customers, so that not everybody flies the same way.
    flights: whole(
      'the number of flights',
      options.flights ?? Math.min(300, Math.max(60, Math.ceil(customers / 2))),
      40,
      300,
    ),
  }),
  make: (random, settings, { reservations = 0, flights = 0 }) =>
    make(random, settings.customers, reservations, flights),
};

function make(random: Random, customerCount: number, reservationCount: number, flightCount: number): MadeWorld {
  const flights = makeFlights(random.fork('flights'), flightCount);
  const routes = byRoute(flights);
  const customers = makeCustomers(random.fork('customers'), customerCount);
  const reservations = makeReservations(random.fork('reservations'), reservationCount, { flights, routes, customers });
  const world = { flights, routes, customers, reservations };
  const tables: PyDict = toTables(world);
  const data = { domain: 'airline', tables, terminateTools: TERMINATE_TOOLS };
  return {
    tables,
    policy: policyText(),
    rules: RULES,
    tools: toolSchemas(),
    terminateTools: TERMINATE_TOOLS,
    brand: { name: 'Kittiwake Air', kind: 'an airline' },
    deal: (own, options) => dealTasks(own, { world, data, dealer: airlineDealer }, options),
  };
}
