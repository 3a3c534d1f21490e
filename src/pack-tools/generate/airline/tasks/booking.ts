/** A booking as an instruction describes it: its sentences, its arguments and its price. */

import { isDict, isList, type PyValue } from '../../../../benchmark/python/index.ts';
import type { Store } from '../../../../benchmark/index.ts';
import { concat, listOf, ruled, type Ground, type Named } from '../../tasks/ground.ts';
import type { Output } from '../../tasks/plot.ts';
import { number, text } from '../../tasks/read.ts';
import { tell, tellList, type Told } from '../../tasks/told.ts';
import type { Cabin, Customer, Passenger, PaymentMethod } from '../model.ts';
import { BAG_PRICE, freeBags, INSURANCE_PRICE } from '../rules.ts';
import { fareOf, type Journey } from '../search.ts';
import { freeBagsOf, priceOf } from './facts.ts';
import type { Wish } from './journeys.ts';
import { nameCabin, nameDate, nameInsurance, namePlace, nameTripType } from './literals.ts';
import { split, splitTotal, type Charge, type Totals } from './payments.ts';
import type { AirlineScript } from './script.ts';

/** One way of the trip. */
export interface Way {
  readonly wish: Wish;
  readonly journey: Named<Journey>;
}

export interface Order {
  readonly customer: Customer;
  readonly out: Way;
  /** Absent: one way. */
  readonly back?: Way;
  readonly party: readonly Named<Passenger>[];
  readonly bags: Named<number>;
  readonly insured: boolean;
  /** In the order in which they are charged. */
  readonly methods: readonly Named<PaymentMethod>[];
}

/** What the trip costs, in dollars. */
function priceOfOrder(order: Order): number {
  const { wish } = order.out;
  const fare = waysOf(order).reduce((sum, way) => sum + fareOf(way.journey.value, way.wish.date, wish.cabin), 0);
  const insurance = order.insured ? INSURANCE_PRICE : 0;
  return (fare + insurance) * order.party.length + BAG_PRICE * paidBags(order);
}

/** What each method is charged. */
function chargesOf(order: Order): Charge[] {
  const worths = order.methods.map(({ value }) => ({
    id: value.id,
    worth: value.source === 'credit_card' ? Infinity : value.amount,
  }));
  return split(worths, priceOfOrder(order));
}

/** What the method that comes last has to pay: a question that customers ask. */
export function lastCharge(order: Order): Output {
  const ground = splitTotal(order.customer, order.methods, totalOf(order));
  const lastOf = (charges: PyValue): string => {
    const last = isList(charges) ? charges.at(-1) : undefined;
    return last !== undefined && isDict(last) ? String(number(last, 'amount')) : '';
  };
  return { text: lastOf(ground.argument), answers: (store) => ground.candidates(store).map(lastOf) };
}

/** Whether the price is paid, and every method has a part in it. */
export function isPayable(order: Order): boolean {
  const charges = chargesOf(order);
  const paid = charges.reduce((sum, charge) => sum + charge.amount, 0);
  return charges.length === order.methods.length && paid === priceOfOrder(order);
}

/** Scripts the searches, the sum and the booking. @returns the sentences that describe it */
export function book(script: AirlineScript, order: Order): Told {
  const { customer, out, back, party, bags, insured, methods } = order;
  const { wish } = out;
  const cabin = nameCabin(wish.cabin);
  const origin = namePlace(wish.origin);
  const destination = namePlace(wish.destination);
  const type = nameTripType(back === undefined ? 'one_way' : 'round_trip');
  const insurance = nameInsurance(insured);
  script.listAirports();
  for (const way of waysOf(order)) search(script, way.wish);
  script.calculate(sumOf(order));
  script.book(customer, {
    origin,
    destination,
    flight_type: type,
    cabin,
    flights: flightsOf(order),
    passengers: listOf(party),
    payment_methods: splitTotal(customer, methods, totalOf(order)),
    total_baggages: bags,
    nonfree_baggages: nonfree(customer, wish.cabin, party.length, bags),
    insurance,
  });
  const when =
    back === undefined
      ? tell`on ${nameDate(wish.date)}, in ${cabin}: you take ${out.journey}`
      : tell`out on ${nameDate(wish.date)} and back on ${nameDate(back.wish.date)}, in ${cabin}: out you take ${out.journey}, back ${back.journey}`;
  return tell`You want to book ${type} from ${origin} to ${destination}, ${when}. ${whoOf(party)}. You take ${bags} along, and ${insurance}. ${paymentOf(methods)}.`;
}

/** Looks the day's flights up. */
export function search(script: AirlineScript, { origin, destination, date, stops }: Wish): void {
  if (stops === 0) script.searchDirect(origin, destination, date);
  else script.searchOneStop(origin, destination, date);
}

/** How many of the bags cost something: the rest is free by the customer's membership. */
export function nonfree(customer: Customer, cabin: Cabin, passengers: number, bags: Named<number>): Ground {
  const beyond = (count: number, free: number): PyValue => BigInt(Math.max(0, count - free));
  return ruled([bags], beyond(bags.value, freeBags(customer.membership, cabin, passengers)), (store) =>
    bags.candidates(store).map((count) => beyond(Number(count), freeBagsOf(store, customer.id, cabin, passengers))),
  );
}

function flightsOf(order: Order): Ground {
  return concat(waysOf(order).map((way) => way.journey));
}

function waysOf({ out, back }: Order): Way[] {
  return back === undefined ? [out] : [out, back];
}

function paidBags({ customer, out, party, bags }: Order): number {
  return Math.max(0, bags.value - freeBags(customer.membership, out.wish.cabin, party.length));
}

/** The price, worked out from the tables for every reading of the flights and bags. */
function totalOf(order: Order): Totals {
  const { customer, out, party, bags, insured } = order;
  const flights = flightsOf(order);
  const extra = nonfree(customer, out.wish.cabin, party.length, bags);
  const both = listOf([flights, extra]);
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
    (sum, flight) => sum + priceOf(store, text(flight, 'flight_number'), text(flight, 'date'), cabin),
    0,
  );
}

function sumOf(order: Order): string {
  const { out, party, insured } = order;
  const fares = waysOf(order).map((way) => fareOf(way.journey.value, way.wish.date, out.wish.cabin));
  const each = [...fares, ...(insured ? [INSURANCE_PRICE] : [])].join(' + ');
  const bags = paidBags(order);
  return `(${each}) * ${String(party.length)}${bags === 0 ? '' : ` + ${String(BAG_PRICE)} * ${String(bags)}`}`;
}

function whoOf([first, ...others]: readonly Named<Passenger>[]): Told {
  if (first === undefined) return tell``;
  return others.length === 0 ? tell`${first}` : tell`${first}, together with ${tellList(others)}`;
}

function paymentOf(methods: readonly Named<PaymentMethod>[]): Told {
  const [first, ...more] = methods;
  if (first === undefined) return tell``;
  const last = more.at(-1);
  if (last === undefined) return tell`You pay everything with ${first}`;
  return more.length === 1
    ? tell`You use up ${first} first and pay the rest with ${last}`
    : tell`You use up ${first} first, then ${more[0] ?? ''}, and pay the rest with ${last}`;
}
