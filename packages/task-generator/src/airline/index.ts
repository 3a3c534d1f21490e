/** The generator of airline packs: the airline Kittiwake Air. */

import airline from '../../data/airline.json' with { type: 'json' };
import type { PyDict } from '../../../../src/benchmarks/python/index.ts';
import type { DomainGenerator, GeneratedDomain } from '../generator.ts';
import { whole } from '../options.ts';
import type { Random } from '../random.ts';
import { drawTasks } from '../tasks/draw-tasks.ts';
import { TERMINATE_TOOLS } from '../texts.ts';
import { byRoute, makeFlights } from './network.ts';
import { makeCustomers, toTables } from './records.ts';
import { makeReservations } from './reservations.ts';
import { airlineTasks } from './tasks/domain.ts';

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

function make(random: Random, customerCount: number, reservationCount: number, flightCount: number): GeneratedDomain {
  const flights = makeFlights(random.fork('flights'), flightCount);
  const routes = byRoute(flights);
  const customers = makeCustomers(random.fork('customers'), customerCount);
  const reservations = makeReservations(random.fork('reservations'), reservationCount, { flights, routes, customers });
  const model = { flights, routes, customers, reservations };
  const tables: PyDict = toTables(model);
  const data = { domain: 'airline', tables, terminateTools: TERMINATE_TOOLS };
  return {
    tables,
    texts: airline,
    drawTasks: (own, options) => drawTasks(own, { model, data, domain: airlineTasks }, options),
  };
}
