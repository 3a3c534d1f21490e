/** Facts about the airline domain for the audit of tasks. */

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
