/** Telecom of τ³-bench: a phone and an account of our own, and every line of the reference's recordings. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { openOverlay, StateHasher, type Overlay } from '../../../src/benchmarks/index.ts';
import {
  PyFloat,
  isDict,
  isList,
  parseJson,
  str,
  type PyDict,
  type PyValue,
} from '../../../src/benchmarks/python/index.ts';
import { callTool } from '../../../src/benchmarks/tau3/index.ts';
import { telecom } from '../../../src/benchmarks/tau3/telecom/index.ts';
import { sha256Hashing } from '../../../src/io/index.ts';
import { TELECOM_DB } from '../../helpers/tau3-checkout.ts';
import { tau3Dir } from '../../helpers/tau3-folder.ts';
import { dict } from '../helpers.ts';
import { readToml, databaseText } from '../../../src/benchmarks/tau3/testing.ts';

const START = `{"initialization_actions": [
  {"env_type": "user", "func_name": "set_user_info", "arguments": {"name": "Ada", "phone_number": "555-1"}}]}`;

const tables = telecom.load({ 'db.toml': readToml(TELECOM_DB), 'user_db.toml': readToml('') });

function start(actions = START): Overlay {
  const state = openOverlay({ tables });
  telecom.initialise?.(state, dict(actions));
  return state;
}

const user = (state: Overlay, name: string, args = '{}') =>
  callTool(telecom, state, { requestor: 'user', name, arguments: dict(args) }).observation;
const agent = (state: Overlay, name: string, args = '{}') =>
  callTool(telecom, state, { name, arguments: dict(args) }).observation;

describe('the synchronization of both sides', () => {
  it('lets data that the agent adds reach the user’s phone', () => {
    const state = start();
    expect(user(state, 'run_speed_test')).toBe('Speed test failed: No Connection.');
    expect(agent(state, 'refuel_data', '{"customer_id": "C1", "line_id": "L1", "gb_amount": 2}')).toBe(
      '{"message": "Successfully added 2 GB of data for line L1 for $3.00", "new_data_refueling_gb": "2.0", ' +
        '"charge": "3.0"}',
    );
    expect(user(state, 'run_speed_test')).toContain('Speed Test Result: 220.00 Mbps (Excellent).');
    // The reference draws the new bill's id at random.
    expect(agent(state, 'get_details_by_id', '{"id": "B00000000"}')).toContain('"total_due": 3.0');
  });

  it('counts data that are used up to the last gigabyte as exceeded', () => {
    const state = start();
    agent(state, 'refuel_data', '{"customer_id": "C1", "line_id": "L1", "gb_amount": 1}');
    expect(user(state, 'run_speed_test')).toBe('Speed test failed: No Connection.');
  });

  it('asks the user for a payment, and has the bill paid', () => {
    const state = start();
    expect(user(state, 'make_payment')).toBe('You do not have a payment request.');
    agent(state, 'send_payment_request', '{"customer_id": "C1", "bill_id": "B1"}');
    expect(user(state, 'check_payment_request')).toBe('You have a payment request for bill B1 of 20.0 USD.');
    expect(user(state, 'make_payment')).toBe('Payment of 20.0 USD has been made for bill B1.');
    expect(agent(state, 'get_details_by_id', '{"id": "B1"}')).toContain('"status": "Paid"');
    expect(user(state, 'check_payment_request')).toBe('No payment request has been made.');
  });

  it('takes a phone off the network at the next search when its line is suspended', () => {
    const state = start();
    agent(state, 'suspend_line', '{"customer_id": "C1", "line_id": "L1", "reason": "lost"}');
    expect(user(state, 'reseat_sim_card')).toBe(
      'SIM card re-seated successfully.\nStatus Bar: 📵 No Signal | 📵 Data Disabled | 🔋 80%',
    );
  });
});

describe('invalid values of a model', () => {
  it('keeps APN settings that are not a dict, and fails on them as the reference does', () => {
    const state = start();
    expect(user(state, 'set_apn_settings', '{"apn_settings": 7}')).toBe(
      "Error: 'int' object has no attribute 'apn_name'",
    );
    expect(user(state, 'toggle_data')).toBe("Error: 'int' object has no attribute 'apn_name'");
    expect(user(state, 'check_apn_settings')).toBe("Error: 'int' object has no attribute 'model_copy'");
    expect(user(state, 'check_network_status')).toContain('Mobile Data Enabled: No');
  });

  it.each([
    ['{"a": 1}', 'a\n  Extra inputs are not permitted [type=extra_forbidden, input_value=1, input_type=int]'],
    [
      '{"reset_at_reboot": 2}',
      'reset_at_reboot\n  Input should be a valid boolean, unable to interpret input [type=bool_parsing, input_value=2, input_type=int]',
    ],
    [
      '{"mms_port": 1.5}',
      'mms_port\n  Input should be a valid integer, got a number with a fractional part [type=int_from_float, input_value=1.5, input_type=float]',
    ],
    [
      '{"mms_port": 1e300}',
      'mms_port\n  Unable to parse input string as an integer, exceeded maximum size [type=int_parsing_size, input_value=1e+300, input_type=float]',
    ],
    [
      `{"mms_apn": ["${'é'.repeat(40)}"]}`,
      `mms_apn\n  Input should be a valid string [type=string_type, input_value=['${'é'.repeat(11)}...${'é'.repeat(11)}'], input_type=list]`,
    ],
  ])('refuses the APN settings %s', (settings, text) => {
    expect(user(start(), 'set_apn_settings', `{"apn_settings": ${settings}}`)).toContain(
      `Error: 1 validation error for APNSettings\n${text}\n    For further information visit `,
    );
  });

  it('prefers 4G after a mode that is not a text', () => {
    const state = start();
    expect(user(state, 'set_network_mode_preference', '{"mode": 1}')).toBe(
      "Error: 'int' object has no attribute 'value'",
    );
    expect(user(state, 'check_network_status')).toContain('Cellular Network Type: 4G');
    expect(user(state, 'set_network_mode_preference', '{"mode": "6g"}')).toContain("Failed to set network mode: '6g'");
  });
});

it('reading a TOML file keeps ints and floats apart', () => {
  expect(readToml('a = 5\nb = 5.0\nc = [{ d = 1e3 }]')).toEqual(
    new Map<string, PyValue>([
      ['a', 5n],
      ['b', new PyFloat(5)],
      ['c', [new Map([['d', new PyFloat(1000)]])]],
    ]),
  );
  expect(() => readToml('a = 2025-01-15')).toThrow('2025-01-15 is a TOML date');
});

describe.skipIf(tau3Dir === null)('the reference’s recordings', () => {
  const read = (file: string) => readFileSync(join(tau3Dir ?? '', file), 'utf8');
  const lines = (name: string) => read(`golden/telecom-${name}.jsonl`).trim().split('\n').map(dict);
  const load = () =>
    telecom.load({
      'db.toml': readToml(read('telecom/db.toml')),
      'user_db.toml': readToml(read('telecom/user_db.toml')),
    });
  const readTasks = () =>
    ['tasks-base', 'tasks_small'].flatMap((file) => list(parseJson(read(`telecom/${file}.json`)))).map(record);

  it.each(['tasks', 'fuzz', 'rewards'])('holds every line of telecom-%s', (name) => {
    const data = { tables: load() };
    const tasks = new Map(readTasks().map((task) => [task.get('id'), task]));
    const hasher = new StateHasher(data, sha256Hashing, { text: databaseText(telecom.assistant) });
    const userHasher = new StateHasher(data, sha256Hashing, { text: databaseText(telecom.user ?? telecom.assistant) });
    for (const [at, line] of lines(name).entries()) {
      const task = tasks.get(line.get('task_id') ?? '');
      const state = openOverlay(data);
      telecom.initialise?.(state, record(task?.get('initial_state')));
      const hashes = () => ({ db: hasher.hash(state), user_db: userHasher.hash(state) });
      if (line.has('start'))
        expect(hashes(), `line ${String(at + 1)}`).toEqual(Object.fromEntries(record(line.get('start'))));
      for (const call of list(line.get('calls')).map(record)) {
        const requestor = call.get('requestor') === 'user' ? 'user' : 'assistant';
        const toolCall = {
          requestor,
          name: str(call.get('name') ?? ''),
          arguments: record(call.get('arguments')),
        } as const;
        const result = callTool(telecom, state, toolCall);
        if (!call.has('observation')) continue;
        const { observation, error, db, user_db } = Object.fromEntries(call);
        expect({ ...result, ...hashes() }, `line ${String(at + 1)}, ${toolCall.name}`).toEqual({
          observation,
          error,
          db,
          user_db,
        });
      }
      const wanted = line.get('env_assertions');
      if (wanted !== undefined) expect(assertions(state, task), `line ${String(at + 1)}`).toEqual(wanted);
    }
  });
});

/** Evaluates a task's assertions about the end state: true for each that holds. */
function assertions(state: Overlay, task: PyDict | undefined): PyValue[] {
  return list(record(task?.get('evaluation_criteria')).get('env_assertions'))
    .map(record)
    .map((assertion) => {
      const side = assertion.get('env_type') === 'user' ? 'user' : 'assistant';
      const check = telecom.functions?.[side].get(str(assertion.get('func_name') ?? ''));
      return check?.(state, record(assertion.get('arguments'))) === assertion.get('assert_value');
    });
}

function record(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}

function list(value: PyValue | undefined): readonly PyValue[] {
  return isList(value) ? value : [];
}
