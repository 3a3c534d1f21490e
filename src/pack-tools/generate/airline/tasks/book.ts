/** Tasks in which a trip is booked. */

import { reworded } from '../../tasks/ground.ts';
import { tell } from '../../tasks/told.ts';
import { freeBags } from '../rules.ts';
import { book, isPayable, lastCharge, type Order } from './booking.ts';
import type { Customer } from '../model.ts';
import { creditCards, drawParty, drawPurse, drawWay, drawWayBack, tryOften } from './draw.ts';
import { nameBags } from './literals.ts';
import { namePayment } from './payments.ts';
import type { AirlineFamily, AirlineStage } from './stage.ts';
import { nameSaved } from './words.ts';

/** One way, one traveller, one flight, one card. */
export const bookDirect: AirlineFamily = (stage) => bookAlone(stage, 0, 2);

/** Where nothing flies without a stop. */
export const bookOneStop: AirlineFamily = (stage) => bookAlone(stage, 1, 3);

function bookAlone(stage: AirlineStage, stops: 0 | 1, mostBags: number): ReturnType<AirlineFamily> {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const out = drawWay(stage, { stops, passengers: 1 });
  if (out === undefined) return undefined;
  const script = stage.begin(customer);
  const goal = book(script, {
    customer,
    out,
    party: drawParty(stage, customer, 1),
    bags: nameBags(random.int(0, mostBags)),
    insured: random.chance(0.4),
    methods: [namePayment(customer, random.pick(creditCards(customer)))],
  });
  return { customer, script, goal };
}

/** Out and back, for two or three. */
export const bookRoundTrip: AirlineFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const passengers = random.int(2, 3);
  const ways = tryOften(() => {
    const out = drawWay(stage, { stops: 0, passengers });
    const back = out === undefined ? undefined : drawWayBack(stage, out.wish);
    return out === undefined || back === undefined ? undefined : { out, back };
  });
  if (ways === undefined) return undefined;
  const { out, back } = ways;
  const script = stage.begin(customer);
  const goal = book(script, {
    customer,
    out,
    back,
    party: drawParty(stage, customer, passengers),
    bags: nameBags(random.int(0, Math.min(8, freeBags(customer.membership, out.wish.cabin, passengers) + 2))),
    insured: random.chance(0.5),
    methods: [namePayment(customer, random.pick(creditCards(customer)))],
  });
  return { customer, script, goal };
};

/** A certificate or a gift card first, the rest on a card, and how much that is. */
export const bookWithSplit: AirlineFamily = (stage) => {
  const found = stage.fromCustomer((customer) =>
    customer.payments.some((method) => method.source !== 'credit_card') ? [customer] : [],
  );
  if (found === undefined) return undefined;
  const [customer] = found;
  const order = tryOften(() => drawSplitOrder(stage, customer));
  if (order === undefined) return undefined;
  const script = stage.begin(customer);
  const goal = tell`${book(script, order)} You ask how much the credit card is charged in the end.`;
  return { customer, script, goal, outputs: [lastCharge(order)] };
};

function drawSplitOrder(stage: AirlineStage, customer: Customer): Order | undefined {
  const { random } = stage;
  const passengers = random.int(1, 2);
  const out = drawWay(stage, { stops: random.chance(0.3) ? 1 : 0, passengers });
  if (out === undefined) return undefined;
  const back = random.chance(0.5) ? drawWayBack(stage, out.wish) : undefined;
  const order: Order = {
    customer,
    out,
    ...(back === undefined ? {} : { back }),
    party: drawParty(stage, customer, passengers),
    bags: nameBags(random.int(0, 2)),
    insured: random.chance(0.3),
    methods: drawPurse(stage, customer).map((method) => namePayment(customer, method)),
  };
  return isPayable(order) ? order : undefined;
}

/** All of it on a gift card that holds enough. */
export const bookWithGiftCard: AirlineFamily = (stage) => {
  const { random } = stage;
  const found = stage.fromCustomer((customer) =>
    customer.payments.filter((method) => method.source === 'gift_card' && method.amount > 150),
  );
  if (found === undefined) return undefined;
  const [customer, card] = found;
  const order = tryOften(() => {
    const out = drawWay(stage, { stops: 0, passengers: 1 });
    if (out === undefined) return undefined;
    const drawn: Order = {
      customer,
      out,
      party: drawParty(stage, customer, 1),
      bags: nameBags(random.int(0, 1)),
      insured: random.chance(0.4),
      methods: [namePayment(customer, card)],
    };
    return isPayable(drawn) ? drawn : undefined;
  });
  if (order === undefined) return undefined;
  const script = stage.begin(customer);
  return { customer, script, goal: book(script, order) };
};

/** The customer does not travel. */
export const bookForFriend: AirlineFamily = (stage) => {
  const { random, world } = stage;
  const customer = random.pick(world.customers);
  const friend = reworded(
    nameSaved(customer, random.pick(customer.saved)),
    (text) => `The only one to travel is ${text}`,
  );
  const out = drawWay(stage, { stops: 0, passengers: 1 });
  if (out === undefined) return undefined;
  const script = stage.begin(customer);
  const sentences = book(script, {
    customer,
    out,
    party: [friend],
    bags: nameBags(random.int(0, 2)),
    insured: random.chance(0.5),
    methods: [namePayment(customer, random.pick(creditCards(customer)))],
  });
  return { customer, script, goal: tell`You arrange a trip for somebody and stay at home yourself. ${sentences}` };
};
