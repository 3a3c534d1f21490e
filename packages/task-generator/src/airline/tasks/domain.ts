/**
 * The airline's families by name. Its data file has the cycles in which they are drawn. In the medium cycle every stretch of forty tasks
 * uses all tools, and about one task in five is solved by doing nothing; the easy one has single goals that are all
 * granted, the hard one leaves out the plainest and declines more.
 */

import airline from '../../../data/airline.json' with { type: 'json' };
import { BOOKINGS } from './bookings.ts';
import { COMBINATIONS, FALLBACKS } from './combinations.ts';
import { CANCELLATIONS, COMPLAINTS } from './cancellations.ts';
import { CABIN_CHANGES, FLIGHT_CHANGES } from './changes.ts';
import { BAG_CHANGES, PASSENGER_CHANGES } from './passengers.ts';
import { QUESTIONS, REFUSALS, TRANSFERS } from './unchanged.ts';
import { AirlineScript, AirlineContext, type AirlineFamily, type AirlineScenario } from './context.ts';
import { untouched, type TaskDomain, type Introduction } from '../../tasks/scenario.ts';
import { named } from '../../tasks/ground.ts';
import type { AirlineModel, Customer } from '../model.ts';

const FAMILIES: Readonly<Record<string, AirlineFamily>> = {
  ...BOOKINGS,
  ...COMBINATIONS,
  ...FALLBACKS,
  ...CANCELLATIONS,
  ...COMPLAINTS,
  ...FLIGHT_CHANGES,
  ...CABIN_CHANGES,
  ...PASSENGER_CHANGES,
  ...BAG_CHANGES,
  ...REFUSALS,
  ...TRANSFERS,
  ...QUESTIONS,
};

export const airlineTasks: TaskDomain<AirlineModel, AirlineContext, Customer> = {
  families: FAMILIES,
  ...airline.tasks,
  open: (parts) => new AirlineContext(parts),
  narrow,
  introduce,
};

function narrow(
  context: AirlineContext,
  scenarios: readonly AirlineScenario[],
  which: 'same' | 'fresh',
): AirlineContext {
  const customers = scenarios.slice(0, 1).map((scenario) => scenario.customer);
  const reservations = untouched(customers[0]?.reservations ?? [], scenarios, 'reservation_id');
  const script = which === 'same' ? scenarios[0]?.script : undefined;
  return new AirlineContext({
    ...context,
    model: { ...context.model, customers, reservations },
    ...(script instanceof AirlineScript ? { script } : {}),
  });
}

/** The user id is the only way to a profile. */
function introduce({ random }: AirlineContext, customer: Customer): Introduction {
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
