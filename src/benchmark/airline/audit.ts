/** What the audit of tasks is told about the airline. */

import type { AuditDomain } from '../domain.ts';

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
