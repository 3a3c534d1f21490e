/**
 * Loads telecom data as the reference does: fields in the order of its models, with defaults, dates as Python's `str`
 * writes them, and amounts of money and gigabytes as floats. Agents read this form of the data, and states are hashed
 * in it.
 */

import { PyFloat, isDict, isList, str, type PyDict, type PyValue } from '../../python/index.ts';
import {
  boolean,
  create,
  enumeration,
  float,
  integer,
  readEach,
  readValues,
  model,
  optional,
  text,
  withDefault,
  type Read,
} from '../models.ts';

function readFormatted(format: (text: string) => string): Read {
  return (value, path, problems) => {
    const read = text(value, path, problems);
    return typeof read === 'string' ? format(read) : read;
  };
}

/** Reads a date, which may have a time of midnight. */
const date = readFormatted((written) => written.slice(0, 10));
const datetime = readFormatted((written) =>
  written.length === 10 ? `${written} 00:00:00` : written.replace('T', ' '),
);

const EMPTY: PyDict = new Map();
const NO_AMOUNT = new PyFloat(0);
const off = withDefault(boolean, false);
const textOr = (value: string) => withDefault(text, value);
const readSome = (read: Read) => withDefault(readEach(read), []);

const PLAN = model('Plan', {
  plan_id: text,
  name: text,
  data_limit_gb: float,
  price_per_month: float,
  data_refueling_price_per_gb: float,
});

const DEVICE = model('Device', {
  device_id: text,
  device_type: text,
  model: text,
  imei: optional(text),
  is_esim_capable: boolean,
  activated: off,
  activation_date: optional(datetime),
  last_esim_transfer_date: optional(datetime),
});

const LINE = model('Line', {
  line_id: text,
  phone_number: text,
  status: textOr('Pending Activation'),
  plan_id: text,
  device_id: optional(text),
  data_used_gb: withDefault(float, NO_AMOUNT),
  data_refueling_gb: withDefault(float, NO_AMOUNT),
  roaming_enabled: off,
  contract_end_date: optional(date),
  last_plan_change_date: optional(date),
  last_sim_replacement_date: optional(date),
  suspension_start_date: optional(date),
});

const LINE_ITEM = model('LineItem', { description: text, amount: float, date, item_type: text });

const BILL = model('Bill', {
  bill_id: text,
  customer_id: text,
  period_start: date,
  period_end: date,
  issue_date: date,
  total_due: float,
  due_date: date,
  line_items: readSome(LINE_ITEM),
  status: textOr('Draft'),
});

const CUSTOMER = model('Customer', {
  customer_id: text,
  full_name: text,
  date_of_birth: text,
  email: text,
  phone_number: text,
  address: model('Address', { street: text, city: text, state: text, zip_code: text }),
  account_status: textOr('Pending Verification'),
  payment_methods: readSome(
    model('PaymentMethod', { method_type: text, account_number_last_4: text, expiration_date: text }),
  ),
  line_ids: readSome(text),
  bill_ids: readSome(text),
  created_at: withDefault(datetime, '2025-01-01'),
  last_extension_date: optional(date),
  goodwill_credit_used_this_year: withDefault(float, NO_AMOUNT),
});

/** Model of the settings for mobile data and picture messages. */
const APN = model(
  'APNSettings',
  {
    apn_name: withDefault(enumeration('internet', 'broken'), 'internet'),
    reset_at_reboot: off,
    mms_apn: { ...optional(text), default: 'mms' },
    mmsc_url: { ...optional(text), default: 'http://mms.carrier.com/mms/wapenc' },
    mms_proxy: optional(text),
    mms_port: optional(integer),
  },
  { isClosed: true },
);

/** `APNSettings(**settings)`. @throws PyError ValidationError that names every problem */
export function createApnSettings(settings = EMPTY): PyDict {
  return create('APNSettings', APN, settings);
}

const VPN = model('VpnDetails', {
  server_address: optional(text),
  protocol: optional(text),
  server_performance: textOr('unknown'),
});
const PERMISSIONS = model('AppPermissions', { sms: off, storage: off, phone: off, network: off });
const APP = model('AppStatus', {
  app_name: text,
  permissions: withDefault(PERMISSIONS, create('AppPermissions', PERMISSIONS, EMPTY)),
});

function app(name: string, granted: readonly string[]): [string, PyDict] {
  const permissions = new Map(granted.map((permission) => [permission, true]));
  return [name, create('AppStatus', APP, new Map<string, PyValue>(Object.entries({ app_name: name, permissions })))];
}

const PHONE = model('MockPhoneAttributes', {
  sim_card_status: textOr('active'),
  sim_card_missing: off,
  airplane_mode: off,
  network_signal_strength: textOr('good'),
  network_technology_connected: textOr('5G'),
  network_connection_status: textOr('connected'),
  battery_level: withDefault(integer, 80n),
  data_enabled: withDefault(boolean, true),
  roaming_enabled: off,
  network_mode_preference: textOr('4g_5g_preferred'),
  active_apn_settings: withDefault(APN, createApnSettings()),
  wifi_enabled: off,
  wifi_connected: off,
  wifi_ssid: optional(text),
  wifi_signal_strength: textOr('none'),
  wifi_calling_enabled: off,
  wifi_calling_mms_over_wifi: off,
  data_saver_mode: off,
  vpn_enabled_setting: off,
  vpn_connected: off,
  vpn_details: optional(VPN),
  app_statuses: withDefault(
    readValues(APP),
    new Map([app('messaging', ['sms', 'storage', 'phone']), app('browser', ['network', 'storage'])]),
  ),
});

const SURROUNDINGS = model('UserSurroundings', {
  name: optional(text),
  phone_number: optional(text),
  is_abroad: off,
  roaming_allowed: off,
  signal_strength: withDefault(
    readValues(text),
    new Map(Object.entries({ '2G': 'poor', '3G': 'fair', '4G': 'good', '5G': 'excellent' })),
  ),
  mobile_data_usage_exceeded: off,
  line_active: withDefault(boolean, true),
  payment_request: optional(model('PaymentRequest', { bill_id: text, amount_due: float, paid: off })),
});

/** The tables of the carrier's database in the reference's order, with the field of a record's id. */
export const CARRIER_TABLES = {
  plans: 'plan_id',
  customers: 'customer_id',
  lines: 'line_id',
  bills: 'bill_id',
  devices: 'device_id',
} as const;

const CARRIER = model('TelecomDB', {
  plans: readSome(PLAN),
  customers: readSome(CUSTOMER),
  lines: readSome(LINE),
  bills: readSome(BILL),
  devices: readSome(DEVICE),
});

/** Model of the user's database, which has two records. */
const USER = model('TelecomUserDB', {
  device: withDefault(PHONE, create('MockPhoneAttributes', PHONE, EMPTY)),
  surroundings: withDefault(SURROUNDINGS, create('UserSurroundings', SURROUNDINGS, EMPTY)),
});

/** @param db content of `db.toml`: a list of records per table. @throws PyError ValidationError */
export function readCarrierTables(db: PyValue): PyDict {
  const lists = create('TelecomDB', CARRIER, db);
  return new Map(Object.entries(CARRIER_TABLES).map(([table, key]) => [table, byId(lists.get(table) ?? null, key)]));
}

function byId(records: PyValue, key: string): PyDict {
  const list = isList(records) ? records.filter(isDict) : [];
  return new Map(list.map((record) => [str(record.get(key) ?? null), record]));
}

/** @param userDb content of `user_db.toml`. @throws PyError ValidationError */
export function readUserRecords(userDb: PyValue): PyDict {
  return create('TelecomUserDB', USER, userDb);
}
