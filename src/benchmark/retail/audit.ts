/** Facts about the retail domain for the audit of tasks. */

import type { AuditDomain } from '../domain.ts';

export const RETAIL_AUDIT: AuditDomain = {
  people: 'users',
  identities: [['id'], ['email'], ['name.first_name', 'name.last_name', 'address.zip']],
  writes: [
    'cancel_pending_order',
    'exchange_delivered_order_items',
    'modify_pending_order_address',
    'modify_pending_order_items',
    'modify_pending_order_payment',
    'modify_user_address',
    'return_delivered_order_items',
  ],
};
