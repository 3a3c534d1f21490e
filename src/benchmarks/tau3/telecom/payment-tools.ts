/** The user's tools for a requested payment. */

import { isDict, str, withItem, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { userReadTool, userWriteTool } from '../tool.ts';
import { field } from './carrier.ts';
import { setSurroundings, surrounding } from './phone.ts';

/** Returns the payment requested from the user. */
export function paymentRequest(store: Store): PyDict | undefined {
  const request = surrounding(store, 'payment_request');
  return isDict(request) ? request : undefined;
}

export function setPaymentRequest(store: Store, request: PyDict | null): void {
  setSurroundings(store, { payment_request: request });
}

/** Returns a request to pay a bill, in the form of the user's records. */
export function requestFor(bill: PyDict): PyDict {
  return new Map<string, PyValue>([
    ['bill_id', field(bill, 'bill_id')],
    ['amount_due', field(bill, 'total_due')],
    ['paid', false],
  ]);
}

export const checkPaymentRequest = userReadTool('check_payment_request', [], (store) => {
  const request = paymentRequest(store);
  if (request === undefined) return 'No payment request has been made.';
  const [bill, amount] = [field(request, 'bill_id'), field(request, 'amount_due')].map(str);
  return `You have a payment request for bill ${bill} of ${amount} USD.`;
});

export const makePayment = userWriteTool('make_payment', [], (store) => {
  const request = paymentRequest(store);
  if (request === undefined) return 'You do not have a payment request.';
  setPaymentRequest(store, withItem(request, 'paid', true));
  const [bill, amount] = [field(request, 'bill_id'), field(request, 'amount_due')].map(str);
  return `Payment of ${amount} USD has been made for bill ${bill}.`;
});
