/** Look-ups in the carrier's database. */

import { equals, str, withItem, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { valueError } from '../common.ts';

const PLANS = 'plans';
export const CUSTOMERS = 'customers';
const LINES = 'lines';
export const BILLS = 'bills';
const DEVICES = 'devices';

/** The day on which every episode takes place. */
export const TODAY = '2025-02-25';

/** Returns a field that loaded data always have. */
export function field(record: PyDict, name: string): PyValue {
  return record.get(name) ?? null;
}

export function listField(record: PyDict, name: string): readonly PyValue[] {
  const value = record.get(name);
  return Array.isArray(value) ? (value as readonly PyValue[]) : [];
}

/** Finds the record with an id of any type. @throws PyError ValueError */
function find(store: Store, table: string, what: string, id: PyValue): PyDict {
  const record = typeof id === 'string' ? store.find(table, id) : undefined;
  if (record === undefined) throw valueError(`${what} with ID ${str(id)} not found`);
  return record;
}

export const customerById = (store: Store, id: PyValue): PyDict => find(store, CUSTOMERS, 'Customer', id);
export const lineById = (store: Store, id: PyValue): PyDict => find(store, LINES, 'Line', id);
export const planById = (store: Store, id: PyValue): PyDict => find(store, PLANS, 'Plan', id);
export const deviceById = (store: Store, id: PyValue): PyDict => find(store, DEVICES, 'Device', id);
export const billById = (store: Store, id: PyValue): PyDict => find(store, BILLS, 'Bill', id);

/** Finds the first customer with a phone number, the customer's own or a line's. @throws PyError ValueError */
export function customerByPhone(store: Store, phone: PyValue): PyDict {
  for (const customer of records(store, CUSTOMERS)) {
    if (field(customer, 'phone_number') === phone) return customer;
    for (const id of listField(customer, 'line_ids')) {
      if (field(lineById(store, id), 'phone_number') === phone) return customer;
    }
  }
  throw valueError(`Customer with phone number ${str(phone)} not found`);
}

/** @throws PyError ValueError */
export function lineByPhone(store: Store, phone: PyValue): PyDict {
  for (const line of records(store, LINES)) if (field(line, 'phone_number') === phone) return line;
  throw valueError(`Line with phone number ${str(phone)} not found`);
}

/** Finds a line of the customer. @throws PyError ValueError */
export function getCustomerLine(store: Store, customerId: PyValue, lineId: PyValue): PyDict {
  const customer = customerById(store, customerId);
  if (!owns(customer, 'line_ids', lineId)) {
    throw valueError(`Line ${str(lineId)} not found for customer ${str(customerId)}`);
  }
  return lineById(store, lineId);
}

/** True if the id is in a customer's list of ids. */
export function owns(customer: PyDict, list: 'line_ids' | 'bill_ids', id: PyValue): boolean {
  return listField(customer, list).some((owned) => equals(owned, id));
}

export function listBills(store: Store, customer: PyDict): PyDict[] {
  return listField(customer, 'bill_ids').map((id) => billById(store, id));
}

/** Changes fields of a line. @returns the new line */
export function changeLine(store: Store, line: PyDict, changes: Readonly<Record<string, PyValue>>): PyDict {
  const changed = new Map(line);
  for (const [name, value] of Object.entries(changes)) changed.set(name, value);
  store.put(LINES, field(line, 'line_id'), changed);
  return changed;
}

export function setBillStatus(store: Store, bill: PyDict, status: string): void {
  store.put(BILLS, field(bill, 'bill_id'), withItem(bill, 'status', status));
}

export function* records(store: Store, table: string): Iterable<PyDict> {
  for (const [id] of store.entries(table)) yield store.get(table, id);
}
