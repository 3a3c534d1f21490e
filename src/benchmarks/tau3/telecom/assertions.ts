/** Functions with which tasks check the end state (`env_assertions`). */

import { PyFloat, abs, equals, isLess, lower, callLower, str, subtract, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { valueError } from '../common.ts';
import { BILLS, billById, customerById, field, getCustomerLine, owns } from './carrier.ts';
import { measureSpeed } from './data-tools.ts';
import { envFunction, type EnvFunction } from './env-function.ts';
import { canSendMms, device, isMobileDataWorking, surrounding } from './phone.ts';

/** Makes a function that compares a value of the user's state with the expected status. */
function expects(actual: (store: Store) => PyValue): EnvFunction {
  return envFunction(['expected_status'], (store, { expected_status }) => equals(actual(store), expected_status));
}

const SERVICE = ['connected', 'searching', 'no_service', 'emergency_only'];

export const USER_ASSERTIONS: Readonly<Record<string, EnvFunction>> = {
  assert_airplane_mode_status: expects((store) => device(store, 'airplane_mode')),
  assert_service_status: envFunction(['expected_status'], (store, { expected_status }) => {
    if (typeof expected_status !== 'string' || !SERVICE.includes(expected_status)) {
      throw valueError(`${str([expected_status]).slice(1, -1)} is not a valid NetworkStatus`);
    }
    return device(store, 'network_connection_status') === expected_status;
  }),
  assert_mobile_data_status: expects(isMobileDataWorking),
  assert_mobile_roaming_status: expects((store) => device(store, 'roaming_enabled')),
  assert_mobile_data_saver_mode_status: expects((store) => device(store, 'data_saver_mode')),
  assert_internet_speed: envFunction(
    ['expected_speed', { name: 'expected_desc', default: null }],
    (store, { expected_speed, expected_desc }) => {
      const { mbps = 0, description } = measureSpeed(store);
      const fast = !isLess(new PyFloat(mbps), expected_speed);
      return fast && (expected_desc === null || lower(description) === callLower(expected_desc));
    },
  ),
  assert_internet_not_excellent: envFunction([], (store) => measureSpeed(store).description !== 'Excellent'),
  assert_can_send_mms: expects(canSendMms),
  assert_mobile_data_usage_exceeded: expects((store) => surrounding(store, 'mobile_data_usage_exceeded')),
};

export const ASSISTANT_ASSERTIONS: Readonly<Record<string, EnvFunction>> = {
  assert_data_refueling_amount: envFunction(
    ['customer_id', 'line_id', 'expected_amount'],
    (store, { customer_id, line_id, expected_amount }) => {
      const refueled = field(getCustomerLine(store, customer_id, line_id), 'data_refueling_gb');
      return isLess(abs(subtract(refueled, expected_amount)), new PyFloat(1e-6));
    },
  ),
  assert_line_status: envFunction(
    ['customer_id', 'line_id', 'expected_status'],
    (store, { customer_id, line_id, expected_status }) =>
      equals(field(getCustomerLine(store, customer_id, line_id), 'status'), expected_status),
  ),
  assert_overdue_bill_exists: envFunction(
    ['customer_id', 'overdue_bill_id'],
    (store, { customer_id, overdue_bill_id }) => {
      const customer = customerById(store, customer_id);
      const bill = `Overdue bill ${str(overdue_bill_id)}`;
      if (!owns(customer, 'bill_ids', overdue_bill_id)) throw valueError(`${bill} not found`);
      if (field(billById(store, overdue_bill_id), 'status') !== 'Overdue') throw valueError(`${bill} is not overdue`);
      return true;
    },
  ),
  assert_no_overdue_bill: envFunction(['overdue_bill_id'], (store, { overdue_bill_id }) => {
    const bill = typeof overdue_bill_id === 'string' ? store.find(BILLS, overdue_bill_id) : undefined;
    return bill === undefined || field(bill, 'status') === 'Paid';
  }),
};
