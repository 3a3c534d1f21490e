/** Shapes of the airline domain's records in a pack, and facts for the audit of tasks. */

import type { Shape, AuditDomain } from '../../domain.ts';
import { FLIGHTS, RESERVATIONS, USERS } from './tables.ts';

const PERSON: Shape = { fields: { first_name: 'text', last_name: 'text', dob: 'text' } };

export const AIRLINE_SHAPES: Readonly<Record<string, Shape>> = {
  [FLIGHTS]: {
    fields: {
      flight_number: 'text',
      origin: 'text',
      destination: 'text',
      scheduled_departure_time_est: 'text',
      scheduled_arrival_time_est: 'text',
      dates: {
        mapOf: {
          fields: { status: 'text' },
          optional: { available_seats: { mapOf: 'number' }, prices: { mapOf: 'number' } },
        },
      },
    },
  },
  [RESERVATIONS]: {
    fields: {
      reservation_id: 'text',
      user_id: 'text',
      cabin: 'text',
      flights: {
        listOf: {
          fields: { origin: 'text', destination: 'text', flight_number: 'text', date: 'text', price: 'number' },
        },
      },
      passengers: { listOf: PERSON },
      payment_history: { listOf: { fields: { payment_id: 'text', amount: 'number' } } },
      total_baggages: 'number',
      nonfree_baggages: 'number',
    },
  },
  [USERS]: {
    fields: {
      name: { fields: { first_name: 'text', last_name: 'text' } },
      payment_methods: { mapOf: { fields: { source: 'text', id: 'text' }, optional: { amount: 'number' } } },
      reservations: { listOf: 'text' },
    },
  },
};

export const AIRLINE_AUDIT: AuditDomain = {
  people: 'users',
  identities: [['id']],
  writes: [
    'book_reservation',
    'cancel_reservation',
    'send_certificate',
    'update_reservation_baggages',
    'update_reservation_flights',
    'update_reservation_passengers',
  ],
};
