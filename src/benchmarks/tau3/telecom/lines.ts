/** The agent's tools for lines: suspend, resume, roaming, used data. */

import { str, truthy, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { valueError } from '../common.ts';
import { readTool, writeTool } from '../tool.ts';
import { TODAY, changeLine, field, getCustomerLine, planById } from './carrier.ts';

export const suspendLine = writeTool(
  'suspend_line',
  ['customer_id', 'line_id', 'reason'],
  (store, { customer_id, line_id }) => {
    const line = getCustomerLine(store, customer_id, line_id);
    if (field(line, 'status') !== 'Active') throw valueError('Line must be active to suspend');
    return new Map<string, PyValue>([
      ['message', 'Line suspended successfully. $5/month holding fee will apply.'],
      ['line', changeLine(store, line, { status: 'Suspended', suspension_start_date: TODAY })],
    ]);
  },
);

export const resumeLine = writeTool('resume_line', ['customer_id', 'line_id'], (store, { customer_id, line_id }) => {
  const line = getCustomerLine(store, customer_id, line_id);
  const status = field(line, 'status');
  if (status !== 'Suspended' && status !== 'Pending Activation') throw valueError('Line must be suspended to resume');
  return new Map<string, PyValue>([
    ['message', 'Line resumed successfully'],
    ['line', changeLine(store, line, { status: 'Active', suspension_start_date: null })],
  ]);
});

export const enableRoaming = writeTool(
  'enable_roaming',
  ['customer_id', 'line_id'],
  (store, { customer_id, line_id }) => setRoaming(store, customer_id, line_id, true),
);

export const disableRoaming = writeTool(
  'disable_roaming',
  ['customer_id', 'line_id'],
  (store, { customer_id, line_id }) => setRoaming(store, customer_id, line_id, false),
);

function setRoaming(store: Store, customerId: PyValue, lineId: PyValue, on: boolean): string {
  const line = getCustomerLine(store, customerId, lineId);
  const word = on ? 'enabled' : 'disabled';
  if (truthy(field(line, 'roaming_enabled')) === on) return `Roaming was already ${word}`;
  changeLine(store, line, { roaming_enabled: on });
  return `Roaming ${word} successfully`;
}

export const getDataUsage = readTool(
  'get_data_usage',
  ['customer_id', 'line_id'],
  (store, { customer_id, line_id }) => {
    const line = getCustomerLine(store, customer_id, line_id);
    const plan = planById(store, field(line, 'plan_id'));
    return new Map([
      ['line_id', str(line_id)],
      ['data_used_gb', str(field(line, 'data_used_gb'))],
      ['data_limit_gb', str(field(plan, 'data_limit_gb'))],
      ['data_refueling_gb', str(field(line, 'data_refueling_gb'))],
      ['cycle_end_date', '2025-02-28'],
    ]);
  },
);
