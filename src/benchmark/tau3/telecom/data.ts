/**
 * The telecom data as the reference holds it once loaded: fields in the order of its models, what a file leaves out
 * filled in, dates as Python's `str` writes them, whole numbers of money and gigabytes as floats.
 *
 * A record's text is what agents read and what is hashed, so all of this is part of the benchmark.
 */

import { PyFloat, isDict, isList, type PyDict, type PyList, type PyValue } from '../../python/index.ts';

/** A field of a model, read from a file. One without a default has to be there. */
interface Field {
  readonly read: (value: PyValue) => PyValue;
  readonly default?: PyValue;
}

type Model = Readonly<Record<string, Field>>;

const plain = (value: PyValue): PyValue => value;
const float = (value: PyValue): PyValue => (typeof value === 'bigint' ? new PyFloat(Number(value)) : value);
/** A date may come with a time of midnight. */
const date = (value: PyValue): PyValue => (typeof value === 'string' ? value.slice(0, 10) : value);
const datetime = (value: PyValue): PyValue => {
  if (typeof value !== 'string') return value;
  return value.length === 10 ? `${value} 00:00:00` : value.replace('T', ' ');
};

const required: Field = { read: plain };
const optional: Field = { read: plain, default: null };
const off: Field = { read: plain, default: false };
const money: Field = { read: float };
const day: Field = { read: date };
const optionalDay: Field = { read: date, default: null };
const optionalTime: Field = { read: datetime, default: null };
const or = (value: PyValue): Field => ({ read: plain, default: value });
const listOf = (model: Model): Field => ({ read: (value) => records(value, model), default: [] });
const one = (model: Model): Field => ({ read: (value) => record(value, model), default: record(new Map(), model) });

const PLAN: Model = {
  plan_id: required,
  name: required,
  data_limit_gb: money,
  price_per_month: money,
  data_refueling_price_per_gb: money,
};

const DEVICE: Model = {
  device_id: required,
  device_type: required,
  model: required,
  imei: optional,
  is_esim_capable: required,
  activated: off,
  activation_date: optionalTime,
  last_esim_transfer_date: optionalTime,
};

const LINE: Model = {
  line_id: required,
  phone_number: required,
  status: or('Pending Activation'),
  plan_id: required,
  device_id: optional,
  data_used_gb: { read: float, default: new PyFloat(0) },
  data_refueling_gb: { read: float, default: new PyFloat(0) },
  roaming_enabled: off,
  contract_end_date: optionalDay,
  last_plan_change_date: optionalDay,
  last_sim_replacement_date: optionalDay,
  suspension_start_date: optionalDay,
};

const LINE_ITEM: Model = { description: required, amount: money, date: day, item_type: required };

const BILL: Model = {
  bill_id: required,
  customer_id: required,
  period_start: day,
  period_end: day,
  issue_date: day,
  total_due: money,
  due_date: day,
  line_items: listOf(LINE_ITEM),
  status: or('Draft'),
};

const CUSTOMER: Model = {
  customer_id: required,
  full_name: required,
  date_of_birth: required,
  email: required,
  phone_number: required,
  address: {
    read: (value) => record(value, { street: required, city: required, state: required, zip_code: required }),
  },
  account_status: or('Pending Verification'),
  payment_methods: listOf({ method_type: required, account_number_last_4: required, expiration_date: required }),
  line_ids: or([]),
  bill_ids: or([]),
  created_at: { read: datetime, default: '2025-01-01' },
  last_extension_date: optionalDay,
  goodwill_credit_used_this_year: { read: float, default: new PyFloat(0) },
};

/** The settings for mobile data and picture messages. */
export const APN: Model = {
  apn_name: or('internet'),
  reset_at_reboot: off,
  mms_apn: or('mms'),
  mmsc_url: or('http://mms.carrier.com/mms/wapenc'),
  mms_proxy: optional,
  mms_port: optional,
};

const VPN: Model = { server_address: optional, protocol: optional, server_performance: or('unknown') };
const PERMISSIONS: Model = { sms: off, storage: off, phone: off, network: off };
const APP: Model = { app_name: required, permissions: one(PERMISSIONS) };

const app = (name: string, permissions: readonly string[]): [string, PyDict] => {
  const granted = new Map<string, PyValue>(permissions.map((permission) => [permission, true]));
  return [
    name,
    record(
      new Map<string, PyValue>([
        ['app_name', name],
        ['permissions', granted],
      ]),
      APP,
    ),
  ];
};

const PHONE: Model = {
  sim_card_status: or('active'),
  sim_card_missing: off,
  airplane_mode: off,
  network_signal_strength: or('good'),
  network_technology_connected: or('5G'),
  network_connection_status: or('connected'),
  battery_level: or(80n),
  data_enabled: or(true),
  roaming_enabled: off,
  network_mode_preference: or('4g_5g_preferred'),
  active_apn_settings: one(APN),
  wifi_enabled: off,
  wifi_connected: off,
  wifi_ssid: optional,
  wifi_signal_strength: or('none'),
  wifi_calling_enabled: off,
  wifi_calling_mms_over_wifi: off,
  data_saver_mode: off,
  vpn_enabled_setting: off,
  vpn_connected: off,
  vpn_details: { read: (value) => (value === null ? null : record(value, VPN)), default: null },
  app_statuses: {
    read: (value) => new Map(Array.from(dict(value), ([name, status]) => [name, record(status, APP)])),
    default: new Map([app('messaging', ['sms', 'storage', 'phone']), app('browser', ['network', 'storage'])]),
  },
};

const PAYMENT_REQUEST: Model = { bill_id: required, amount_due: money, paid: off };

const SURROUNDINGS: Model = {
  name: optional,
  phone_number: optional,
  is_abroad: off,
  roaming_allowed: off,
  signal_strength: or(
    new Map([
      ['2G', 'poor'],
      ['3G', 'fair'],
      ['4G', 'good'],
      ['5G', 'excellent'],
    ]),
  ),
  mobile_data_usage_exceeded: off,
  line_active: or(true),
  payment_request: { read: (value) => (value === null ? null : record(value, PAYMENT_REQUEST)), default: null },
};

/** The tables of the carrier's database in the reference's order, with the field that is a record's id. */
export const CARRIER_TABLES = {
  plans: { key: 'plan_id', model: PLAN },
  customers: { key: 'customer_id', model: CUSTOMER },
  lines: { key: 'line_id', model: LINE },
  bills: { key: 'bill_id', model: BILL },
  devices: { key: 'device_id', model: DEVICE },
} as const;

/** The user's database: two records. */
const USER_RECORDS = { device: PHONE, surroundings: SURROUNDINGS } as const;

/** @param db what `db.toml` holds: a list of records a table */
export function readCarrierTables(db: PyDict): PyDict {
  return new Map(
    Object.entries(CARRIER_TABLES).map(([table, { key, model }]) => [
      table,
      new Map(records(db.get(table) ?? [], model).map((item) => [idOf(item, table, key), item])),
    ]),
  );
}

/** @param userDb what `user_db.toml` holds */
export function readUserRecords(userDb: PyDict): PyDict {
  return new Map(
    Object.entries(USER_RECORDS).map(([name, model]) => [name, record(userDb.get(name) ?? new Map(), model)]),
  );
}

function idOf(item: PyDict, table: string, key: string): string {
  const id = item.get(key);
  if (typeof id !== 'string')
    throw new Error(`a record of ${table} has a ${key} that is not a text; import the pack again`);
  return id;
}

function records(value: PyValue, model: Model): PyDict[] {
  const list: PyList = isList(value) ? value : [];
  return list.map((item) => record(item, model));
}

/** A record with the model's fields, in its order. */
export function record(value: PyValue, model: Model): PyDict {
  const given = dict(value);
  return new Map(
    Object.entries(model).map(([name, field]) => {
      const value = given.get(name);
      if (value !== undefined) return [name, field.read(value)];
      if (field.default === undefined) {
        throw new Error(`a record of the telecom data has no ${name}; import the pack again`);
      }
      return [name, field.default];
    }),
  );
}

function dict(value: PyValue): PyDict {
  return isDict(value) ? value : new Map();
}
