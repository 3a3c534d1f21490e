/** What the audit has to be told about a domain; everything else it learns from the pack's data and the replay. */

/**
 * One way for a customer to say who they are: paths into their record (`name.first_name`; `id` is the record's key),
 * all of which the agent needs.
 */
export type Identity = readonly string[];

export interface AuditDomain {
  /** The table of the people whom tasks are about. */
  readonly people: string;
  /** Any of them is enough for the domain's look-up tools. */
  readonly identities: readonly Identity[];
  /** Tools that change data. A call of another tool counts as a write as well when it was seen to write. */
  readonly writes: readonly string[];
}

const KNOWN: Readonly<Record<string, AuditDomain>> = {
  retail: {
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
  },
  airline: {
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
  },
};

/** For a domain without an entry: people are users, known by their id, and writes are known when they are seen. */
const OTHERS: AuditDomain = { people: 'users', identities: [['id']], writes: [] };

export function auditDomain(name: string): AuditDomain {
  return (Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined) ?? OTHERS;
}
