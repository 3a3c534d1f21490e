/** Families about booking a trip. */

import { aboutCustomer } from './subjects.ts';
import { reworded, statement } from '../../tasks/ground.ts';
import { freeBags, type Customer } from '../model.ts';
import {
  book,
  creditCards,
  drawParty,
  drawPaymentMethods,
  drawWay,
  drawWayBack,
  isPayable,
  lastCharge,
  tryOften,
  type Order,
} from './booking.ts';
import { nameBags, namePayment, nameSaved } from './words.ts';
import type { AirlineFamily, AirlineContext } from './context.ts';

export const BOOKINGS = {
  /** One way, one traveller, one flight, one card. */
  bookDirect: (context) => bookAlone(context, 0, 2),

  /** A route without direct flights. */
  bookOneStop: (context) => bookAlone(context, 1, 3),

  /** Trip out and back, for two or three. */
  bookRoundTrip: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const passengers = random.int(2, 3);
    const ways = tryOften(() => {
      const out = drawWay(context, { stops: 0, passengers });
      const back = out === undefined ? undefined : drawWayBack(context, out.wish);
      return out === undefined || back === undefined ? undefined : { out, back };
    });
    if (ways === undefined) return undefined;
    const { out, back } = ways;
    const script = context.begin(customer);
    const goal = book(script, {
      customer,
      out,
      back,
      party: drawParty(context, customer, passengers),
      bags: nameBags(random.int(0, Math.min(8, freeBags(customer.membership, out.wish.cabin, passengers) + 2))),
      insured: random.chance(0.5),
      methods: [namePayment(customer, random.pick(creditCards(customer)))],
    });
    return { customer, script, goal };
  },

  /** A certificate or a gift card first, the rest on a card, and how much that is. */
  bookWithSplit: aboutCustomer({
    where: (customer) => customer.payments.some((method) => method.source !== 'credit_card'),
    draw: ({ context, customer }) => {
      const order = tryOften(() => drawSplitOrder(context, customer));
      if (order === undefined) return undefined;
      return { order };
    },
    plan: ({ script, drawn: { order } }) => ({
      goal: statement`${book(script, order)} You ask how much the credit card is charged in the end.`,
      outputs: [lastCharge(order)],
    }),
  }),

  /** Pays everything with a gift card of enough balance. */
  bookWithGiftCard: aboutCustomer({
    find: (customer) => customer.payments.filter((method) => method.source === 'gift_card' && method.amount > 150),
    draw: ({ context, random, customer, found: card }) => {
      const order = tryOften(() => {
        const out = drawWay(context, { stops: 0, passengers: 1 });
        if (out === undefined) return undefined;
        const drawn: Order = {
          customer,
          out,
          party: drawParty(context, customer, 1),
          bags: nameBags(random.int(0, 1)),
          insured: random.chance(0.4),
          methods: [namePayment(customer, card)],
        };
        return isPayable(drawn) ? drawn : undefined;
      });
      if (order === undefined) return undefined;
      return { order };
    },
    plan: ({ script, drawn: { order } }) => {
      return { goal: book(script, order) };
    },
  }),

  /** The customer does not travel. */
  bookForFriend: (context) => {
    const { random, model } = context;
    const customer = random.pick(model.customers);
    const friend = reworded(
      nameSaved(customer, random.pick(customer.saved)),
      (text) => `The only one to travel is ${text}`,
    );
    const out = drawWay(context, { stops: 0, passengers: 1 });
    if (out === undefined) return undefined;
    const script = context.begin(customer);
    const sentences = book(script, {
      customer,
      out,
      party: [friend],
      bags: nameBags(random.int(0, 2)),
      insured: random.chance(0.5),
      methods: [namePayment(customer, random.pick(creditCards(customer)))],
    });
    return {
      customer,
      script,
      goal: statement`You arrange a trip for somebody and stay at home yourself. ${sentences}`,
    };
  },
} satisfies Record<string, AirlineFamily>;

function bookAlone(context: AirlineContext, stops: 0 | 1, mostBags: number): ReturnType<AirlineFamily> {
  const { random, model } = context;
  const customer = random.pick(model.customers);
  const out = drawWay(context, { stops, passengers: 1 });
  if (out === undefined) return undefined;
  const script = context.begin(customer);
  const goal = book(script, {
    customer,
    out,
    party: drawParty(context, customer, 1),
    bags: nameBags(random.int(0, mostBags)),
    insured: random.chance(0.4),
    methods: [namePayment(customer, random.pick(creditCards(customer)))],
  });
  return { customer, script, goal };
}

function drawSplitOrder(context: AirlineContext, customer: Customer): Order | undefined {
  const { random } = context;
  const passengers = random.int(1, 2);
  const out = drawWay(context, { stops: random.chance(0.3) ? 1 : 0, passengers });
  if (out === undefined) return undefined;
  const back = random.chance(0.5) ? drawWayBack(context, out.wish) : undefined;
  const order: Order = {
    customer,
    out,
    ...(back === undefined ? {} : { back }),
    party: drawParty(context, customer, passengers),
    bags: nameBags(random.int(0, 2)),
    insured: random.chance(0.3),
    methods: drawPaymentMethods(context, customer).map((method) => namePayment(customer, method)),
  };
  return isPayable(order) ? order : undefined;
}
