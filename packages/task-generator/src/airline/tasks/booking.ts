/** A booking as an instruction describes it: its sentences, its arguments and its price. */

import { isDict, isList, type PyValue } from '../../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../../src/benchmarks/index.ts';
import {
  concat,
  combineGrounds,
  number,
  ruled,
  statement,
  joinStatements,
  text,
  type Ground,
  type NamedGround,
  type Statement,
} from '../../tasks/ground.ts';
import type { Output } from '../../tasks/scenario.ts';
import {
  BAG_PRICE,
  CABINS,
  COMING_DAYS,
  INSURANCE_PRICE,
  formatDate,
  parseDay,
  freeBags,
  type Cabin,
  type Customer,
  type Passenger,
  type PaymentMethod,
} from '../model.ts';
import { areNeighbours, directJourneys, fareOfJourney, type Journey } from '../network.ts';
import { countFreeBags, findSeatPrice } from './facts.ts';
import { PREFERENCES, findJourney, nameJourney, type Wish } from './journeys.ts';
import {
  nameCabin,
  nameDate,
  nameInsurance,
  namePlace,
  nameSaved,
  nameSelf,
  nameTripType,
  split,
  splitTotal,
  type Charge,
  type Totals,
} from './words.ts';
import type { AirlineScript, AirlineContext } from './context.ts';

/** One way of the trip. */
interface Way {
  readonly wish: Wish;
  readonly journey: NamedGround<Journey>;
}

export interface Order {
  readonly customer: Customer;
  readonly out: Way;
  /** Absent: one way. */
  readonly back?: Way;
  readonly party: readonly NamedGround<Passenger>[];
  readonly bags: NamedGround<number>;
  readonly insured: boolean;
  /** Payment methods in the order in which they are charged. */
  readonly methods: readonly NamedGround<PaymentMethod>[];
}

/** The price of the trip in dollars. */
function priceOfOrder(order: Order): number {
  const { wish } = order.out;
  const fare = listWays(order).reduce(
    (sum, way) => sum + fareOfJourney(way.journey.value, way.wish.date, wish.cabin),
    0,
  );
  const insurance = order.insured ? INSURANCE_PRICE : 0;
  return (fare + insurance) * order.party.length + BAG_PRICE * paidBags(order);
}

/** The charge of each payment method. */
function splitCharges(order: Order): Charge[] {
  const worths = order.methods.map(({ value }) => ({
    id: value.id,
    worth: value.source === 'credit_card' ? Infinity : value.amount,
  }));
  return split(worths, priceOfOrder(order));
}

/** The charge of the last payment method, which users ask for. */
export function lastCharge(order: Order): Output {
  const ground = splitTotal(order.customer, order.methods, toTotals(order));
  const formatLastAmount = (charges: PyValue): string => {
    const last = isList(charges) ? charges.at(-1) : undefined;
    return last !== undefined && isDict(last) ? String(number(last, 'amount')) : '';
  };
  return {
    text: formatLastAmount(ground.argument),
    answers: (store) => ground.candidates(store).map(formatLastAmount),
  };
}

/** @returns true if the price is paid and every method pays a part */
export function isPayable(order: Order): boolean {
  const charges = splitCharges(order);
  const paid = charges.reduce((sum, charge) => sum + charge.amount, 0);
  return charges.length === order.methods.length && paid === priceOfOrder(order);
}

/** Scripts the searches, the sum and the booking. @returns the sentences that describe it */
export function book(script: AirlineScript, order: Order): Statement {
  const { customer, out, back, party, bags, insured, methods } = order;
  const { wish } = out;
  const cabin = nameCabin(wish.cabin);
  const origin = namePlace(wish.origin);
  const destination = namePlace(wish.destination);
  const type = nameTripType(back === undefined ? 'one_way' : 'round_trip');
  const insurance = nameInsurance(insured);
  script.listAirports();
  for (const way of listWays(order)) search(script, way.wish);
  script.calculate(formatSum(order));
  script.book(customer, {
    origin,
    destination,
    flight_type: type,
    cabin,
    flights: joinFlights(order),
    passengers: combineGrounds(party),
    payment_methods: splitTotal(customer, methods, toTotals(order)),
    total_baggages: bags,
    nonfree_baggages: nonfree(customer, wish.cabin, party.length, bags),
    insurance,
  });
  const when =
    back === undefined
      ? statement`on ${nameDate(wish.date)}, in ${cabin}: you take ${out.journey}`
      : statement`out on ${nameDate(wish.date)} and back on ${nameDate(back.wish.date)}, in ${cabin}: out you take ${out.journey}, back ${back.journey}`;
  return statement`You want to book ${type} from ${origin} to ${destination}, ${when}. ${describePassengers(party)}. You take ${bags} along, and ${insurance}. ${describePayment(methods)}.`;
}

/** Looks the day's flights up. */
export function search(script: AirlineScript, { origin, destination, date, stops }: Wish): void {
  if (stops === 0) script.searchDirect(origin, destination, date);
  else script.searchOneStop(origin, destination, date);
}

/** The number of bags that cost money; the others are free by membership. */
function nonfree(customer: Customer, cabin: Cabin, passengers: number, bags: NamedGround<number>): Ground {
  const beyond = (count: number, free: number): PyValue => BigInt(Math.max(0, count - free));
  return ruled([bags], beyond(bags.value, freeBags(customer.membership, cabin, passengers)), (store) =>
    bags.candidates(store).map((count) => beyond(Number(count), countFreeBags(store, customer.id, cabin, passengers))),
  );
}

function joinFlights(order: Order): Ground {
  return concat(listWays(order).map((way) => way.journey));
}

function listWays({ out, back }: Order): Way[] {
  return back === undefined ? [out] : [out, back];
}

function paidBags({ customer, out, party, bags }: Order): number {
  return Math.max(0, bags.value - freeBags(customer.membership, out.wish.cabin, party.length));
}

/** The price, worked out from the tables for every reading of the flights and bags. */
function toTotals(order: Order): Totals {
  const { customer, out, party, bags, insured } = order;
  const flights = joinFlights(order);
  const extra = nonfree(customer, out.wish.cabin, party.length, bags);
  const both = combineGrounds([flights, extra]);
  return {
    value: priceOfOrder(order),
    texts: both.texts,
    says: both.says,
    amounts: (store) =>
      flights.candidates(store).flatMap((list) =>
        extra.candidates(store).map((count) => {
          const fare = fareIn(store, list, out.wish.cabin) + (insured ? INSURANCE_PRICE : 0);
          return fare * party.length + BAG_PRICE * Number(count);
        }),
      ),
  };
}

function fareIn(store: Store, flights: PyValue, cabin: Cabin): number {
  const list = isList(flights) ? flights.filter(isDict) : [];
  return list.reduce(
    (sum, flight) => sum + findSeatPrice(store, text(flight, 'flight_number'), text(flight, 'date'), cabin),
    0,
  );
}

function formatSum(order: Order): string {
  const { out, party, insured } = order;
  const fares = listWays(order).map((way) => fareOfJourney(way.journey.value, way.wish.date, out.wish.cabin));
  const each = [...fares, ...(insured ? [INSURANCE_PRICE] : [])].join(' + ');
  const bags = paidBags(order);
  return `(${each}) * ${String(party.length)}${bags === 0 ? '' : ` + ${String(BAG_PRICE)} * ${String(bags)}`}`;
}

function describePassengers([first, ...others]: readonly NamedGround<Passenger>[]): Statement {
  if (first === undefined) return statement``;
  return others.length === 0 ? statement`${first}` : statement`${first}, together with ${joinStatements(others)}`;
}

function describePayment(methods: readonly NamedGround<PaymentMethod>[]): Statement {
  const [first, ...more] = methods;
  if (first === undefined) return statement``;
  const last = more.at(-1);
  if (last === undefined) return statement`You pay everything with ${first}`;
  return more.length === 1
    ? statement`You use up ${first} first and pay the rest with ${last}`
    : statement`You use up ${first} first, then ${more[0] ?? ''}, and pay the rest with ${last}`;
}

/** Draws of something before it is given up. */
const ATTEMPTS = 40;

/** Repeats a draw until it gives a result. */
export function tryOften<T>(draw: () => T | undefined): T | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  return undefined;
}

/** A way along some route of the airline; with a stop only where nothing flies without one. */
export function drawWay(context: AirlineContext, shape: Pick<Wish, 'stops' | 'passengers'>): Way | undefined {
  return tryOften(() => tryWay(context, shape));
}

/** A way back for an outbound one, in the same cabin. */
export function drawWayBack(context: AirlineContext, out: Wish): Way | undefined {
  const { random } = context;
  const later = COMING_DAYS.filter((day) => day > parseDay(out.date));
  if (later.length === 0) return undefined;
  const wish: Wish = { ...out, origin: out.destination, destination: out.origin, date: formatDate(random.pick(later)) };
  return findWay(context, { ...wish, preference: random.pick(PREFERENCES) });
}

function findWay({ model }: AirlineContext, wish: Wish): Way | undefined {
  const journey = findJourney(model, wish);
  return journey === undefined ? undefined : { wish, journey: nameJourney(wish, journey) };
}

/** The customer and some people of the profile. */
export function drawParty({ random }: AirlineContext, customer: Customer, size: number): NamedGround<Passenger>[] {
  if (size === 1) return [nameSelf(customer, 'You travel alone')];
  const others = random.sample(customer.saved, size - 1).map((other) => nameSaved(customer, other));
  return [nameSelf(customer, 'You travel yourself'), ...others];
}

export function creditCards(customer: Customer): PaymentMethod[] {
  return customer.payments.filter((method) => method.source === 'credit_card');
}

/** Payment methods for a change: credit cards, and gift cards with enough balance. */
export function settlingMethods(customer: Customer, amount: number): PaymentMethod[] {
  return customer.payments.filter(
    (method) => method.source === 'credit_card' || (method.source === 'gift_card' && method.amount >= amount),
  );
}

/** One or two methods with a balance, a certificate before a gift card, and a credit card for the rest. */
export function drawPaymentMethods({ random }: AirlineContext, customer: Customer): PaymentMethod[] {
  const of = (source: PaymentMethod['source']) =>
    random.sample(
      customer.payments.filter((method) => method.source === source),
      1,
    );
  const balanced = [...of('certificate'), ...of('gift_card')];
  const some = balanced.length === 2 && random.chance(0.4) ? [random.pick(balanced)] : balanced;
  return [...some, random.pick(creditCards(customer))];
}

function tryWay(context: AirlineContext, { stops, passengers }: Pick<Wish, 'stops' | 'passengers'>): Way | undefined {
  const { random, model } = context;
  const { origin, destination: next } = random.pick(model.flights);
  const date = formatDate(random.pick(COMING_DAYS.slice(0, -3)));
  let destination = next;
  if (stops === 1) {
    const onward = model.flights.filter(
      (flight) => flight.origin === next && !areNeighbours(flight.destination, origin),
    );
    if (onward.length === 0) return undefined;
    destination = random.pick(onward).destination;
    if (directJourneys(model, origin, destination, date).length > 0) return undefined;
  }
  const notBefore = random.chance(0.2) ? { notBefore: random.int(8, 12) * 60 } : {};
  const preference = random.pick(PREFERENCES);
  const cabin = random.pick(CABINS);
  return findWay(context, { origin, destination, date, cabin, passengers, stops, preference, ...notBefore });
}
