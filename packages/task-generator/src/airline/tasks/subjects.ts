/** Declares the airline's families: tasks about one reservation, and tasks about a customer with several. */

import type { Random } from '../../random.ts';
import type { NamedGround } from '../../tasks/ground.ts';
import { defineFamily, type FamilySpec } from '../../tasks/scenario.ts';
import type { AirlineModel, Customer, Reservation } from '../model.ts';
import type { AirlineFamily, AirlineScript, AirlineContext } from './context.ts';
import { nameReservation } from './words.ts';

interface Parts {
  readonly context: AirlineContext;
  readonly random: Random;
  readonly model: AirlineModel;
  readonly customer: Customer;
}

interface ReservationParts extends Parts {
  readonly reservation: Reservation;
}

interface ReservationScripted {
  readonly script: AirlineScript;
  /** The reservation in words. The agent has read it. */
  readonly trip: NamedGround<Reservation>;
}

export function aboutReservation<Found = Reservation, Drawn = undefined>(
  spec: FamilySpec<AirlineContext, Reservation, ReservationParts, ReservationScripted, Found, Drawn>,
): AirlineFamily {
  return defineFamily(
    {
      search: (context: AirlineContext, options) => context.fromReservation(options),
      parts: (context, reservation): ReservationParts => ({
        ...gatherParts(context, reservation.customer),
        reservation,
      }),
      begin: ({ context, reservation, customer }): ReservationScripted => {
        const script = context.begin(customer);
        return { script, trip: nameReservation(context, script, reservation) };
      },
    },
    spec,
  );
}

export function aboutCustomer<Found = Customer, Drawn = undefined>(
  spec: FamilySpec<AirlineContext, Customer, Parts, { readonly script: AirlineScript }, Found, Drawn>,
): AirlineFamily {
  return defineFamily(
    {
      search: (context: AirlineContext, options) => context.fromCustomer(options),
      parts: gatherParts,
      begin: ({ context, customer }) => ({ script: context.begin(customer) }),
    },
    spec,
  );
}

function gatherParts(context: AirlineContext, customer: Customer): Parts {
  const { random, model } = context;
  return { context, random, model, customer };
}
