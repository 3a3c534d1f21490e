/** A shop small enough to know by heart, and tasks about it that are right until a test spoils them. */

import { readFileSync } from 'node:fs';
import { auditPack, type Finding } from '../../../src/pack-tools/audit/index.ts';
import { parseJson, isDict, isList, type PyDict, type PyList } from '../../../src/benchmarks/python/index.ts';
import type { Action, Task } from '../../../src/benchmarks/index.ts';
import type { Pack } from '../../../src/benchmarks/testing.ts';

const TOOLS = new URL('../../../data/retail/tools.json', import.meta.url);

const ADDRESS = {
  address1: '12 Quay Street',
  address2: 'Flat 3',
  city: 'Bergen',
  country: 'Norway',
  state: 'VE',
  zip: '50140',
};

const PRODUCTS = {
  '7000000001': {
    name: 'Lamp',
    product_id: '7000000001',
    variants: {
      '8000000001': { item_id: '8000000001', options: { size: '31' }, available: true, price: 20.5 },
      '8000000002': { item_id: '8000000002', options: { size: '4' }, available: true, price: 33.25 },
      '8000000310': { item_id: '8000000310', options: { size: '5' }, available: false, price: 48.99 },
    },
  },
};

function order(id: string, userId: string, status: string, tracking: string): object {
  const items = [
    { name: 'Lamp', product_id: '7000000001', item_id: '8000000001', price: 20.5, options: { size: '31' } },
    { name: 'Lamp', product_id: '7000000001', item_id: '8000000002', price: 33.25, options: { size: '4' } },
  ];
  return {
    order_id: id,
    user_id: userId,
    address: ADDRESS,
    items,
    fulfillments: [{ tracking_id: [tracking], item_ids: ['8000000001', '8000000002'] }],
    status,
    payment_history: [{ transaction_type: 'payment', amount: 53.75, payment_method_id: cardOf(userId) }],
  };
}

function cardOf(userId: string): string {
  return `credit_card_${userId.slice(-4)}`;
}

function user(id: string, first: string, last: string, zip: string, orders: readonly string[]): object {
  const card = { source: 'credit_card', brand: 'visa', last_four: '0707', id: cardOf(id) };
  return {
    name: { first_name: first, last_name: last },
    address: { ...ADDRESS, zip },
    email: `${first}@example.org`.toLowerCase(),
    payment_methods: { [cardOf(id)]: card },
    orders,
  };
}

const TABLES = {
  orders: {
    '#W6000001': order('#W6000001', 'ada_lind_6606', 'pending', '880055'),
    '#W6000002': order('#W6000002', 'ada_lind_6606', 'delivered', '880066'),
    '#W6000003': order('#W6000003', 'ada_lind_6606', 'pending', '880077'),
    '#W9000009': order('#W9000009', 'bo_marsh_9909', 'pending', '990099'),
  },
  products: PRODUCTS,
  users: {
    ada_lind_6606: user('ada_lind_6606', 'Ada', 'Lind', '50141', ['#W6000001', '#W6000002', '#W6000003']),
    bo_marsh_9909: user('bo_marsh_9909', 'Bo', 'Marsh', '50142', ['#W9000009']),
  },
};

/** @param splits split → tasks */
export function shop(splits: Readonly<Record<string, readonly Task[]>>): Pack {
  return {
    ref: { name: 'corner-shop', digest: 'd', path: '/memory' },
    domain: 'retail',
    source: 'made up',
    licence: 'none',
    tables: dict(TABLES),
    policy: 'A refund takes 9 days.',
    tools: list(readFileSync(TOOLS, 'utf8')),
    terminateTools: ['transfer_to_human_agents'],
    userPrompts: { greeting: 'Hello', strategies: {} },
    agentPrompts: {},
    splits,
  };
}

const FLIGHT = {
  origin: 'AAA',
  destination: 'BBB',
  dates: { '2024-05-01': { status: 'available', available_seats: { economy: 1 }, prices: { economy: 10 } } },
};

const RESERVATION = {
  reservation_id: 'XX1',
  user_id: 'ada_lind_6606',
  cabin: 'economy',
  flights: [],
  passengers: [],
  payment_history: [],
};

/** An airline with one flight; its tools are described as the shop's, so the schemas say nothing about most calls. */
export function airline(splits: Readonly<Record<string, readonly Task[]>>): Pack {
  const customer = { name: { first_name: 'Ada', last_name: 'Lind' }, payment_methods: {}, reservations: ['XX1'] };
  const tables = { flights: { XX1: FLIGHT }, reservations: { XX1: RESERVATION }, users: { ada_lind_6606: customer } };
  return { ...shop(splits), domain: 'airline', tables: dict(tables) };
}

export function action(name: string, kwargs: object): Action {
  return { name, kwargs: dict(kwargs) };
}

export const FIND_ADA = action('find_user_id_by_email', { email: 'ada@example.org' });
export const READ_ADA = action('get_user_details', { user_id: 'ada_lind_6606' });
export const READ_ORDER = action('get_order_details', { order_id: '#W6000001' });
export const CANCEL = action('cancel_pending_order', { order_id: '#W6000001', reason: 'no longer needed' });
export const HAND_OVER = action('transfer_to_human_agents', { summary: 'beyond me' });

/** A change of an order's address; what is not given is as it was. */
export function move(orderId: string, to: Partial<typeof ADDRESS>): Action {
  return action('modify_pending_order_address', { order_id: orderId, ...ADDRESS, ...to });
}

export function moveHome(to: Partial<typeof ADDRESS>): Action {
  return action('modify_user_address', { user_id: 'ada_lind_6606', ...ADDRESS, zip: '50141', ...to });
}

/** A right task: Ada cancels an order that she names. */
export function task(changes: Partial<Task> = {}): Task {
  return {
    userId: 'ada_lind_6606',
    instruction: 'You are Ada (ada@example.org). Cancel W6000001, you need it no longer.',
    actions: [FIND_ADA, READ_ADA, READ_ORDER, CANCEL],
    outputs: [],
    ...changes,
  };
}

export function dict(value: object): PyDict {
  const parsed = parseJson(JSON.stringify(value));
  if (!isDict(parsed)) throw new Error('not an object');
  return parsed;
}

function list(text: string): PyList {
  const parsed = parseJson(text);
  if (!isList(parsed)) throw new Error('not a list');
  return parsed;
}

export const READ_LAMPS = action('get_product_details', { product_id: '7000000001' });

/** Findings of an audit of the shop with these tasks. */
export function findings(splits: Readonly<Record<string, readonly Task[]>>): readonly Finding[] {
  return auditPack(shop(splits))?.findings ?? [];
}
