/** Makes the shop's customers and their ways to pay. */

import { freshAddress, fullNames, handleOf, uniqueEmails } from '../people.ts';
import type { Random } from '../random.ts';
import type { Customer, PaymentMethod } from './model.ts';

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
  const names = fullNames(random);
  const customers: Customer[] = [];
  for (let i = 0; i < count; i++) {
    const name = names[i % names.length] ?? (['', ''] as const);
    const [firstName, lastName] = name;
    const handle = handleOf(name);
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
