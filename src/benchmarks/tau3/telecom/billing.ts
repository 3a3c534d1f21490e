/** The agent's tools for bills, payment requests and extra data. */

import {
  PyFloat,
  add,
  compareText,
  formatFloat,
  isLess,
  multiply,
  roundFloat2,
  str,
  truthy,
  typeError,
  typeName,
  type PyDict,
  type PyValue,
} from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { valueError } from '../common.ts';
import { readTool, writeTool } from '../tool.ts';
import {
  BILLS,
  CUSTOMERS,
  TODAY,
  billById,
  listBills,
  changeLine,
  customerById,
  field,
  lineById,
  getCustomerLine,
  listField,
  owns,
  planById,
  setBillStatus,
} from './carrier.ts';

export const getBillsForCustomer = readTool(
  'get_bills_for_customer',
  ['customer_id', { name: 'limit', default: 12n }],
  (store, { customer_id, limit }) => {
    const bills = listBills(store, customerById(store, customer_id));
    const newestFirst = bills.sort((a, b) => compareText(str(field(b, 'issue_date')), str(field(a, 'issue_date'))));
    return newestFirst.slice(0, sliceEnd(limit));
  },
);

/** `list[:limit]`. */
function sliceEnd(limit: PyValue): number | undefined {
  if (limit === null) return undefined;
  if (typeof limit === 'boolean' || typeof limit === 'bigint') return Number(limit);
  throw typeError('slice indices must be integers or None or have an __index__ method');
}

export const sendPaymentRequest = writeTool(
  'send_payment_request',
  ['customer_id', 'bill_id'],
  (store, { customer_id, bill_id }) => {
    const customer = customerById(store, customer_id);
    if (billsAwaitingPayment(store, customer).length > 0) {
      throw valueError('A bill is already awaiting payment for this customer');
    }
    if (!owns(customer, 'bill_ids', bill_id)) {
      throw valueError(`Bill ${str(bill_id)} not found for customer ${str(customer_id)}`);
    }
    setBillStatus(store, billById(store, bill_id), 'Awaiting Payment');
    return `Payment request sent to the customer for bill ${str(bill_id)}`;
  },
);

export function billsAwaitingPayment(store: Store, customer: PyDict): PyDict[] {
  return listBills(store, customer).filter((bill) => field(bill, 'status') === 'Awaiting Payment');
}

export const refuelData = writeTool(
  'refuel_data',
  ['customer_id', 'line_id', 'gb_amount'],
  (store, { customer_id, line_id, gb_amount }) => {
    const line = getCustomerLine(store, customer_id, line_id);
    if (!isPositive(gb_amount)) throw valueError('Refuel amount must be positive');
    const price = field(planById(store, field(line, 'plan_id')), 'data_refueling_price_per_gb');
    const charge = multiply(gb_amount, price);
    const refueled = add(field(line, 'data_refueling_gb'), gb_amount);
    changeLine(store, line, { data_refueling_gb: refueled });
    const amount = str(gb_amount);
    chargeOnce(store, customer_id, charge, `Data refueling: ${amount} GB at $${str(price)}/GB`);
    const shown = `$${twoDecimals(charge)}`;
    return new Map([
      ['message', `Successfully added ${amount} GB of data for line ${str(line_id)} for ${shown}`],
      ['new_data_refueling_gb', str(refueled)],
      ['charge', str(charge)],
    ]);
  },
);

/** `not (amount <= 0)`, which is true for a value that is not a number. */
function isPositive(amount: PyValue): boolean {
  if (typeof amount === 'boolean') return amount;
  if (typeof amount === 'bigint') return amount > 0n;
  if (amount instanceof PyFloat) return !(amount.value <= 0);
  throw typeError(`'<=' not supported between instances of '${typeName(amount)}' and 'int'`);
}

/** `f"{value:.2f}"`. */
function twoDecimals(value: PyValue): string {
  const x = value instanceof PyFloat ? value.value : Number(value);
  if (!Number.isFinite(x)) return formatFloat(x);
  return Math.abs(x) < 1e21 ? roundFloat2(x).toFixed(2) : `${String(BigInt(x))}.00`;
}

/** Adds a charge to the customer's draft bill, or opens a bill for the next month. */
function chargeOnce(store: Store, customerId: PyValue, amount: PyValue, description: string): void {
  const customer = customerById(store, customerId);
  const draft = listBills(store, customer).find((bill) => field(bill, 'status') === 'Draft');
  const bill = draft ?? openDraft(store, customer);
  addItem(store, bill, description, amount);
}

/** Opens a bill with the lowest free id. The reference draws a random id, but replays must reach the same state. */
function openDraft(store: Store, customer: PyDict): PyDict {
  let number = 0;
  const formatBillId = () => `B${number.toString(16).padStart(8, '0')}`;
  while (store.find(BILLS, formatBillId()) !== undefined) number++;
  return openBill(store, customer, {
    bill_id: formatBillId(),
    period_start: '2025-03-01',
    period_end: '2025-03-31',
    due_date: '2025-03-15',
    status: 'Draft',
  });
}

interface NewBill {
  readonly bill_id: PyValue;
  /** First day of the period, on which bills are issued. */
  readonly period_start: string;
  readonly period_end: string;
  readonly due_date: string;
  readonly status: string;
}

/** Adds an empty bill to the customer's bills. */
function openBill(store: Store, customer: PyDict, bill: NewBill): PyDict {
  const customerId = field(customer, 'customer_id');
  const opened: PyDict = new Map<string, PyValue>([
    ['bill_id', bill.bill_id],
    ['customer_id', customerId],
    ['period_start', bill.period_start],
    ['period_end', bill.period_end],
    ['issue_date', bill.period_start],
    ['total_due', new PyFloat(0)],
    ['due_date', bill.due_date],
    ['line_items', []],
    ['status', bill.status],
  ]);
  store.put(BILLS, bill.bill_id, opened);
  const ids = [...listField(customer, 'bill_ids'), bill.bill_id];
  store.put(CUSTOMERS, customerId, new Map(customer).set('bill_ids', ids));
  return opened;
}

/** Adds an item to a bill; a refund is a credit. */
function addItem(store: Store, bill: PyDict, description: string, amount: PyValue): void {
  const item: PyDict = new Map<string, PyValue>([
    ['description', description],
    ['amount', amount],
    ['date', TODAY],
    ['item_type', isLess(amount, 0n) ? 'Credit' : 'Charge'],
  ]);
  const changed = new Map(bill)
    .set('line_items', [...listField(bill, 'line_items'), item])
    .set('total_due', add(field(bill, 'total_due'), amount));
  store.put(BILLS, field(bill, 'bill_id'), changed);
}

/** Suspends a line for an unpaid bill, to prepare some tasks. */
export function suspendForOverdueBill(
  store: Store,
  args: Readonly<Record<'customer_id' | 'line_id' | 'new_bill_id' | 'contract_ended', PyValue>>,
): string {
  const line = lineById(store, args.line_id);
  if (field(line, 'status') !== 'Active') throw valueError('Line must be active to suspend for unpaid bill');
  const price = field(planById(store, field(line, 'plan_id')), 'price_per_month');
  if (!isLess(0n, price)) throw valueError('Amount must be positive for overdue bill');
  const customer = customerById(store, args.customer_id);
  if (listBills(store, customer).some((bill) => field(bill, 'status') === 'Overdue')) {
    throw valueError('Customer already has an overdue bill');
  }
  const bill = openBill(store, customer, {
    bill_id: args.new_bill_id,
    period_start: '2025-01-01',
    period_end: '2025-01-31',
    due_date: '2025-01-15',
    status: 'Overdue',
  });
  addItem(store, bill, `Charge for line ${str(field(line, 'line_id'))}`, price);
  changeLine(store, line, {
    status: 'Suspended',
    suspension_start_date: TODAY,
    ...(truthy(args.contract_ended) ? { contract_end_date: '2025-01-31' } : {}),
  });
  const ended = str(args.contract_ended);
  return `Line ${str(args.line_id)} suspended for unpaid bill ${str(args.new_bill_id)}. Contract ended: ${ended}`;
}
