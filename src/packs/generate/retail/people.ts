/** Makes the shop's customers: names, addresses and ways to pay. */

import type { Address, Customer, PaymentMethod } from './model.ts';
import { CITIES, FIRST_NAMES, LAST_NAMES, STREETS } from '../names.ts';
import type { Random } from '../random.ts';

const BRANDS = ['visa', 'mastercard'] as const;

type Purse = readonly PaymentMethod['source'][];

/** Dealt in turn, so that a small shop has customers of every kind too. */
const PURSES: readonly Purse[] = [
  ['credit_card', 'gift_card'],
  ['paypal', 'gift_card'],
  ['credit_card', 'paypal', 'gift_card'],
  ['credit_card', 'paypal'],
  ['credit_card', 'credit_card'],
  ['gift_card', 'credit_card', 'credit_card'],
];

export function makeCustomers(random: Random, count: number): Customer[] {
  const taken = new Set<string>();
  const userNumbers = new Set<string>();
  const paymentNumbers = new Set<string>();
  const digits = count <= 3000 ? 4 : 6;
  const pairs = random.shuffle(FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => [first, last] as const)));
  const customers: Customer[] = [];
  for (let i = 0; i < count; i++) {
    const [firstName, lastName] = pairs[i % pairs.length] ?? pairs[0] ?? ['', ''];
    const handle = `${slug(firstName)}_${slug(lastName)}`;
    customers.push({
      id: `${handle}_${random.freshDigits(digits, userNumbers)}`,
      firstName,
      lastName,
      email: `${handle.replace('_', '.')}${random.digits(4)}@example.org`,
      address: freshAddress(random, `${firstName} ${lastName}`, taken),
      payments: makePurse(random, PURSES[i % PURSES.length] ?? [], paymentNumbers),
      orders: [],
    });
  }
  return uniqueEmails(customers);
}

export function makeAddress(random: Random): Address {
  const [city, state, prefix] = random.pick(CITIES);
  const flat = random.int(1, 3);
  return {
    address1: `${String(random.int(2, 480))} ${random.pick(STREETS)}`,
    address2: flat === 1 ? '' : flat === 2 ? `Apt ${String(random.int(1, 60))}` : `Unit ${String(random.int(1, 40))}`,
    city,
    country: 'USA',
    state,
    zip: prefix + String(random.int(1, 99)).padStart(2, '0'),
  };
}

/** An address in whose zip code nobody else has that name: name and zip code identify a customer. */
function freshAddress(random: Random, name: string, taken: Set<string>): Address {
  for (;;) {
    const address = makeAddress(random);
    const key = `${name} ${address.zip}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return address;
  }
}

function makePurse(random: Random, purse: Purse, numbers: Set<string>): PaymentMethod[] {
  const brands = random.shuffle(BRANDS);
  return purse.map((source): PaymentMethod => {
    const id = `${source}_${random.freshDigits(7, numbers)}`;
    switch (source) {
      case 'credit_card':
        return { source, id, brand: brands.pop() ?? 'visa', lastFour: random.digits(4) };
      case 'paypal':
        return { source, id };
      case 'gift_card':
        // One in three holds too little for most of what one could want to pay with it.
        return { source, id, balance: random.chance(0.34) ? random.int(1, 12) : random.int(40, 600) };
    }
  });
}

function uniqueEmails(customers: readonly Customer[]): Customer[] {
  const taken = new Set<string>();
  return customers.map((customer) => {
    let email = customer.email;
    for (let i = 2; taken.has(email); i++) email = customer.email.replace('@', `.${String(i)}@`);
    taken.add(email);
    return { ...customer, email };
  });
}

/** Lower-case ASCII letters of a name. */
function slug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
