/** A small shop to test the benchmark on, and what reading the reference's recordings needs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  getDomain,
  StateHasher,
  type EnvData,
  type Overlay,
  type Action,
  type Task,
} from '../../src/benchmarks/index.ts';
import { parseJson, PyFloat, isDict, isList, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { sha256, sha256Hashing } from '../../src/io/index.ts';

export { sha256 };

/** A JSON object as the benchmark sees it. */
export function dict(text: string): PyDict {
  const value = parseJson(text);
  if (!isDict(value)) throw new Error(`not an object: ${text}`);
  return value;
}

export function action(name: string, kwargsText = '{}'): Action {
  return { name, kwargs: dict(kwargsText) };
}

/** The data hash of states, and that of the same state at once. */
export function createHasher(data: EnvData): (overlay: Overlay) => string {
  const hasher = new StateHasher(data, sha256Hashing);
  return (overlay) => hasher.hash(overlay);
}

/** The reference's databases of a domain. */
export function readDomain(dir: string, domain: string): EnvData {
  const read = (file: string) => parseJson(readFileSync(join(dir, domain, `${file}.json`), 'utf8'));
  const tables = new Map(getDomain(domain).tables.map((table) => [table, read(table)]));
  return { domain, tables, terminateTools: items(read('terminate_tools')).map(text) };
}

/** The reference's tasks of a split. */
export function readTasks(dir: string, domain: string, split: string): Task[] {
  const tasks = parseJson(readFileSync(join(dir, domain, `tasks-${split}.json`), 'utf8'));
  return items(tasks).map((task) => ({
    userId: text(field(task, 'user_id')),
    instruction: text(field(task, 'instruction')),
    actions: items(field(task, 'actions')).map(readAction),
    outputs: items(field(task, 'outputs')).map(text),
  }));
}

/** An action of a recording, whose arguments may be given as text. */
export function readAction(value: PyValue): Action {
  const asText = isDict(value) ? value.get('kwargs_json') : undefined;
  const kwargs = asText === undefined ? field(value, 'kwargs') : parseJson(text(asText));
  if (!isDict(kwargs)) throw new Error('a recorded action without arguments');
  return { name: text(field(value, 'name')), kwargs };
}

export function field(value: PyValue, key: string): PyValue {
  const found = isDict(value) ? value.get(key) : undefined;
  if (found === undefined) throw new Error(`no field ${key}`);
  return found;
}

export function items(value: PyValue): readonly PyValue[] {
  if (!isList(value)) throw new Error('not a list');
  return value;
}

export function text(value: PyValue): string {
  if (typeof value !== 'string') throw new Error('not a text');
  return value;
}

/** Two users, one with a gift card, two orders, and a product with three variants. */
export const shop: EnvData = {
  domain: 'retail',
  terminateTools: ['transfer_to_human_agents'],
  tables: dict(`{
    "orders": {
      "#W1": {"order_id": "#W1", "user_id": "ada_1", "address": {"zip": "1000"},
        "items": [{"name": "Mug", "product_id": "10", "item_id": "100", "price": 8.5, "options": {"size": "S"}}],
        "payment_history": [{"transaction_type": "payment", "amount": 8.5, "payment_method_id": "gift_card_1"}],
        "status": "pending"},
      "#W2": {"order_id": "#W2", "user_id": "ada_1", "address": {"zip": "1000"},
        "items": [{"name": "Mug", "product_id": "10", "item_id": "101", "price": 9.0, "options": {"size": "M"}},
                  {"name": "Mug", "product_id": "10", "item_id": "101", "price": 9.0, "options": {"size": "M"}}],
        "payment_history": [{"transaction_type": "payment", "amount": 18.0, "payment_method_id": "card_1"}],
        "status": "delivered"}},
    "products": {
      "10": {"name": "Mug", "product_id": "10", "variants": {
        "100": {"item_id": "100", "options": {"size": "S"}, "available": true, "price": 8.5},
        "101": {"item_id": "101", "options": {"size": "M"}, "available": true, "price": 9.0},
        "102": {"item_id": "102", "options": {"size": "L"}, "available": false, "price": 10.25}}}},
    "users": {
      "ada_1": {"name": {"first_name": "Ada", "last_name": "Byron"}, "address": {"zip": "1000"},
        "email": "Ada@example.com", "orders": ["#W1", "#W2"],
        "payment_methods": {"gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 20},
                            "card_1": {"source": "credit_card", "id": "card_1"}}},
      "bob_2": {"name": {"first_name": "Bob", "last_name": "Noyce"}, "address": {"zip": "2000"},
        "email": "bob@example.com", "orders": [], "payment_methods": {}}}
  }`),
};

/** Actions on the shop, sensible and not. */
export const shopActions: fc.Arbitrary<Action> = fc.constantFrom(
  action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}'),
  action('cancel_pending_order', '{"order_id": "#W1", "reason": "a whim"}'),
  action('get_order_details', '{"order_id": "#W1"}'),
  action('get_order_details', '{"order_id": []}'),
  action('modify_pending_order_payment', '{"order_id": "#W1", "payment_method_id": "card_1"}'),
  action(
    'modify_pending_order_items',
    '{"order_id": "#W1", "item_ids": ["100"], "new_item_ids": ["101"], "payment_method_id": "gift_card_1"}',
  ),
  action('modify_pending_order_address', addressArguments('"order_id": "#W1"', '1')),
  action('modify_user_address', addressArguments('"user_id": "ada_1"', '"2000"')),
  action('modify_user_address', addressArguments('"user_id": "ada_1"', '2000')),
  action('modify_user_address', addressArguments('"user_id": "ada_1"', '2000.0')),
  action(
    'exchange_delivered_order_items',
    '{"order_id": "#W2", "item_ids": ["101"], "new_item_ids": ["100"], "payment_method_id": "card_1"}',
  ),
  action('return_delivered_order_items', '{"order_id": "#W2", "item_ids": ["101"], "payment_method_id": "card_1"}'),
  action('transfer_to_human_agents', '{"summary": "enough"}'),
  action('respond', '{"content": "It is 1,010 dollars."}'),
  action('no_such_tool'),
);

function addressArguments(id: string, zip: string): string {
  const address = '"address1": "1 Elm", "address2": "", "city": "Reno", "state": "NV", "country": "USA"';
  return `{${id}, ${address}, "zip": ${zip}}`;
}

/** Any text, lone surrogates included. */
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constant('\ud83d'));

/** Any JSON value with Python's numbers. */
export const { value: pyValues } = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.bigInt(),
    fc.double().map((x) => new PyFloat(x)),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(anyText, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

/** Values that throw where somebody tries to change them. */
class FrozenMap extends Map<string, PyValue> {
  #isFrozen = false;

  constructor(entries: Iterable<readonly [string, PyValue]>) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    this.#isFrozen = true;
  }

  override set(key: string, value: PyValue): this {
    if (this.#isFrozen) throw new Error(`somebody sets ${key} in frozen data`);
    return super.set(key, value);
  }

  override delete(key: string): never {
    throw new Error(`somebody deletes ${key} from frozen data`);
  }

  override clear(): never {
    throw new Error('somebody clears frozen data');
  }
}

/** A copy that nobody can change, however deep. */
export function frozen(value: PyDict): PyDict;
export function frozen(value: PyValue): PyValue;
export function frozen(value: PyValue): PyValue {
  if (isDict(value)) return new FrozenMap(Array.from(value, ([key, item]) => [key, frozen(item)] as const));
  if (isList(value)) return Object.freeze(value.map((item) => frozen(item)));
  return typeof value === 'object' && value !== null ? Object.freeze(value) : value;
}

/** A small airline to test the benchmark on: two users, two reservations, four flights on three days. */
const DAYS = `
  "2024-05-09": {"status": "available", "available_seats": {"basic_economy": 9, "economy": 2, "business": 1},
                 "prices": {"basic_economy": 50, "economy": 110, "business": 320}},
  "2024-05-10": {"status": "available", "available_seats": {"basic_economy": 4, "economy": 8, "business": 0},
                 "prices": {"basic_economy": 62, "economy": 131, "business": 400}},
  "2024-05-16": {"status": "cancelled"}`;

function flight(number: string, from: string, to: string, departure: string, arrival: string): string {
  return `"${number}": {"flight_number": "${number}", "origin": "${from}", "destination": "${to}",
    "scheduled_departure_time_est": "${departure}", "scheduled_arrival_time_est": "${arrival}", "dates": {${DAYS}}}`;
}

function reservation(id: string, userId: string, passengers: string, paid: string): string {
  return `"${id}": {"reservation_id": "${id}", "user_id": "${userId}", "origin": "SFO", "destination": "JFK",
    "flight_type": "one_way", "cabin": "economy",
    "flights": [{"origin": "SFO", "destination": "JFK", "flight_number": "HAT001", "date": "2024-05-10", "price": 131}],
    "passengers": [${passengers}], "payment_history": [${paid}], "created_at": "2024-05-01T10:00:00",
    "total_baggages": 1, "nonfree_baggages": 0, "insurance": "no"}`;
}

const ADA = '{"first_name": "Ada", "last_name": "Byron", "dob": "1990-12-10"}';
const BOB = '{"first_name": "Bob", "last_name": "Noyce", "dob": "1987-12-12"}';

export const airport: EnvData = {
  domain: 'airline',
  terminateTools: ['transfer_to_human_agents'],
  tables: dict(`{
    "flights": {
      ${flight('HAT001', 'SFO', 'JFK', '06:00:00', '14:30:00')},
      ${flight('HAT002', 'JFK', 'SFO', '15:00:00', '23:30:00')},
      ${flight('HAT003', 'SFO', 'ORD', '22:00:00', '04:00:00+1')},
      ${flight('HAT004', 'ORD', 'JFK', '09:00:00', '12:00:00')}},
    "reservations": {
      ${reservation('RES001', 'ada_1', `${ADA}, ${BOB}`, '{"payment_id": "gift_card_1", "amount": 262}')},
      ${reservation('RES002', 'bob_2', BOB, '{"payment_id": "credit_card_2", "amount": 131}')}},
    "users": {
      "ada_1": {"name": {"first_name": "Ada", "last_name": "Byron"}, "email": "ada@example.com",
        "payment_methods": {
          "gift_card_1": {"source": "gift_card", "amount": 500, "id": "gift_card_1"},
          "certificate_1": {"source": "certificate", "amount": 100, "id": "certificate_1"},
          "credit_card_1": {"source": "credit_card", "brand": "visa", "last_four": "1111", "id": "credit_card_1"}},
        "saved_passengers": [], "membership": "gold", "reservations": ["RES001"]},
      "bob_2": {"name": {"first_name": "Bob", "last_name": "Noyce"}, "email": "bob@example.com",
        "payment_methods": {
          "credit_card_2": {"source": "credit_card", "brand": "visa", "last_four": "2222", "id": "credit_card_2"}},
        "saved_passengers": [], "membership": "regular", "reservations": ["RES002"]}}
  }`),
};
