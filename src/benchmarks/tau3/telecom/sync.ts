/** Synchronizes the sides of telecom: the phone gets the line's state, the carrier gets the user's payment. */

import { add, equals, isLess, truthy } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { billsAwaitingPayment } from './billing.ts';
import { billById, customerByPhone, field, lineByPhone, planById, setBillStatus } from './carrier.ts';
import { paymentRequest, requestFor, setPaymentRequest } from './payment-tools.ts';
import { setSurroundings, surrounding } from './phone.ts';

/**
 * Works like the reference's `sync_tools`. A user without a known number has no line.
 * @throws PyError ValueError when no line has the user's number
 */
export function syncTelecom(store: Store): void {
  const phone = surrounding(store, 'phone_number');
  if (phone === null) return;
  const line = lineByPhone(store, phone);
  setSurroundings(store, {
    line_active: field(line, 'status') === 'Active',
    roaming_allowed: truthy(field(line, 'roaming_enabled')),
  });
  const plan = planById(store, field(line, 'plan_id'));
  const allowance = add(field(plan, 'data_limit_gb'), field(line, 'data_refueling_gb'));
  const used = field(line, 'data_used_gb');
  setSurroundings(store, { mobile_data_usage_exceeded: isLess(allowance, used) || equals(allowance, used) });

  const request = paymentRequest(store);
  if (request !== undefined && truthy(field(request, 'paid'))) {
    setBillStatus(store, billById(store, field(request, 'bill_id')), 'Paid');
    setPaymentRequest(store, null);
  }
  if (paymentRequest(store) === undefined) {
    const [bill] = billsAwaitingPayment(store, customerByPhone(store, phone));
    if (bill !== undefined) setPaymentRequest(store, requestFor(bill));
  }
}
