/**
 * The airline's families by name and the cycles in which they are drawn. In the medium cycle every stretch of forty tasks
 * uses all tools, and about one task in five is solved by doing nothing; the easy one has single goals that are all
 * granted, the hard one leaves out the plainest and declines more.
 */

import { BOOKINGS } from './bookings.ts';
import { COMBINATIONS, FALLBACKS } from './combinations.ts';
import { CANCELLATIONS, COMPLAINTS } from './cancellations.ts';
import { CABIN_CHANGES, FLIGHT_CHANGES } from './changes.ts';
import { BAG_CHANGES, PASSENGER_CHANGES } from './passengers.ts';
import { QUESTIONS, REFUSALS, TRANSFERS } from './unchanged.ts';
import { AirlineScript, AirlineContext, type AirlineFamily, type AirlineScenario } from './context.ts';
import type { TaskDomain, Introduction } from '../../tasks/scenario.ts';
import { named } from '../../tasks/ground.ts';
import type { AirlineModel, Customer } from '../model.ts';

const FAMILIES = {
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
} satisfies Record<string, AirlineFamily>;

type FamilyName = keyof typeof FAMILIES;

const MEDIUM: readonly FamilyName[] = [
  'bookDirect',
  'cancelRecent',
  'changeDay',
  'upgrade',
  'addPaidBags',
  'complainOfCancelled',
  'sumBalances',
  'cancelForbidden',

  'bookWithSplit',
  'cancelInsured',
  'swapTraveller',
  'cancelAndBook',
  'changeTime',
  'upgradeIfAffordable',
  'askFare',
  'changeBasic',

  'bookRoundTrip',
  'complainAndCancel',
  'addFreeBags',
  'removeThenReplace',
  'downgrade',
  'cancelBegun',
  'askFreeBags',
  'strangersTrip',

  'bookOneStop',
  'cancelAfterAirline',
  'correctName',
  'changeDayAsPaid',
  'complainAndChange',
  'upgradeGiftCardTooLow',
  'changeAndBags',
  'complainInVain',

  'bookWithGiftCard',
  'cancelBusiness',
  'replaceAndBags',
  'changeBasicThenCancel',
  'countFlights',
  'addBagsIfFree',
  'bookForFriend',
  'beyondTheTools',

  'cancelAndChange',
  'cancelAllBusiness',
  'swapForStranger',
  'sumTrips',
  'cancelThenBags',
  'cancelUncovered',
  'cancelHalfThenWhole',
  'complainWithoutChange',
];

const EASY: readonly FamilyName[] = [
  'bookDirect',
  'cancelBusiness',
  'askFare',
  'changeDay',
  'addPaidBags',
  'swapForStranger',
  'upgrade',
  'countFlights',
  'cancelRecent',
  'addFreeBags',
  'correctName',
];

const HARD: readonly FamilyName[] = [
  'bookWithSplit',
  'cancelAllBusiness',
  'cancelUncovered',
  'cancelAndChange',
  'upgradeIfAffordable',
  'complainAndChange',
  'removePassenger',
  'changeBasicThenCancel',
  'bookRoundTrip',
  'sumTrips',
  'cancelBegun',
  'changeAndBags',
  'changeTime',
  'changeDestination',
  'cancelInsured',
  'cancelThenBags',
  'downgradeAll',
  'addInsurance',
  'swapTraveller',
  'complainOfCancelled',
  'bookOneStop',
  'complainInVain',
  'upgradeGiftCardTooLow',
  'cancelAndBook',
  'removeBags',
  'changeDayAsPaid',
  'removeThenReplace',
  'addBagsIfFree',
  'complainWithoutChange',
  'cancelHalfThenWhole',
  'replaceAndBags',
  'lostBag',
  'complainAndCancel',
  'changeBasic',
];

const CYCLES = { easy: EASY, medium: MEDIUM, hard: HARD } as const;

/** Dealt when a family of the cycle finds nobody in the airline: these ask for hardly anything. */
const SPARE: readonly FamilyName[] = ['bookDirect', 'askFare', 'addPaidBags', 'swapForStranger', 'bookForFriend'];

/** Goals that leave room for another goal of the same customer. */
const COMPANIONS: readonly FamilyName[] = [
  'bookDirect',
  'bookOneStop',
  'bookRoundTrip',
  'bookWithSplit',
  'cancelBusiness',
  'cancelInsured',
  'cancelRecent',
  'cancelAfterAirline',
  'cancelHalfThenWhole',
  'changeDay',
  'changeDayAsPaid',
  'changeTime',
  'upgrade',
  'downgrade',
  'upgradeGiftCardTooLow',
  'addPaidBags',
  'addFreeBags',
  'addBagsIfFree',
  'correctName',
  'swapTraveller',
  'complainOfCancelled',
  'complainAndCancel',
  'complainAndChange',
  'changeBasicThenCancel',
  'removeThenReplace',
  'cancelUncovered',
  'changeBasic',
  'removeBags',
];

/** Wishes that can be dropped before anything is done. */
const DROPPABLE: readonly FamilyName[] = [
  'cancelBusiness',
  'changeDay',
  'addFreeBags',
  'correctName',
  'swapForStranger',
  'bookDirect',
];

export const airlineTasks: TaskDomain<AirlineModel, AirlineContext, Customer> = {
  families: FAMILIES,
  cycles: CYCLES,
  spare: SPARE,
  companions: COMPANIONS,
  droppable: DROPPABLE,
  open: (parts) => new AirlineContext(parts),
  narrow,
  introduce,
  size: (airline) => airline.customers.length,
};

function narrow(
  context: AirlineContext,
  scenarios: readonly AirlineScenario[],
  which: 'same' | 'fresh',
): AirlineContext {
  const script = scenarios[0]?.script;
  const customers = scenarios.slice(0, 1).map((scenario) => scenario.customer);
  const touched = new Set(scenarios.flatMap(writtenReservations));
  const reservations = customers
    .flatMap((customer) => customer.reservations)
    .filter((reservation) => !touched.has(reservation.id));
  const { random, level } = context;
  const model = { ...context.model, customers, reservations };
  const same = which === 'same' && script instanceof AirlineScript ? script : undefined;
  return new AirlineContext({ random, level, model }, same);
}

function writtenReservations({ script }: AirlineScenario): string[] {
  return Array.from(script.evidence.values()).flatMap((evidence) => {
    const id = evidence['reservation_id']?.argument;
    return typeof id === 'string' ? [id] : [];
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
