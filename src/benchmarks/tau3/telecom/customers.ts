/** The agent's tools that look up customers and their records. */

import { callLower, noAttribute, str, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { valueError } from '../common.ts';
import { readTool } from '../tool.ts';
import {
  CUSTOMERS,
  billById,
  customerById,
  customerByPhone,
  deviceById,
  field,
  lineById,
  planById,
  records,
} from './carrier.ts';

export const getCustomerByPhone = readTool('get_customer_by_phone', ['phone_number'], (store, { phone_number }) =>
  customerByPhone(store, phone_number),
);

export const getCustomerById = readTool('get_customer_by_id', ['customer_id'], (store, { customer_id }) =>
  customerById(store, customer_id),
);

export const getCustomerByName = readTool('get_customer_by_name', ['full_name', 'dob'], (store, { full_name, dob }) =>
  Array.from(records(store, CUSTOMERS)).filter(
    (customer) =>
      callLower(field(customer, 'full_name')) === callLower(full_name) && field(customer, 'date_of_birth') === dob,
  ),
);

/** Look-up functions by the first letter of an id. */
const BY_LETTER: Readonly<Record<string, (store: Store, id: PyValue) => PyDict>> = {
  L: lineById,
  D: deviceById,
  B: billById,
  C: customerById,
  P: planById,
};

export const getDetailsById = readTool('get_details_by_id', ['id'], (store, { id }) => {
  if (typeof id !== 'string') throw noAttribute(id, 'startswith');
  const find = Object.hasOwn(BY_LETTER, id.charAt(0)) ? BY_LETTER[id.charAt(0)] : undefined;
  if (find === undefined) throw valueError(`Unknown ID format or type: ${str(id)}`);
  return find(store, id);
});
