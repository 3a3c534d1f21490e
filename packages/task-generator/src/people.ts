/** Names and addresses of people who do not exist. */

import people from '../data/people.json' with { type: 'json' };
import type { Random } from './random.ts';

export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly state: string;
  readonly zip: string;
}

export const { firstNames, lastNames, manners } = people;

export type FullName = readonly [first: string, last: string];

/** Every first name with every last name, in random order: more people than that share names. */
function fullNames(random: Random): FullName[] {
  return random.shuffle(firstNames.flatMap((first) => lastNames.map((last) => [first, last] as const)));
}

export function makeAddress(random: Random): Address {
  const { city, state, zipPrefix } = random.pick(people.cities);
  const flat = random.int(1, 3);
  return {
    address1: `${String(random.int(2, 480))} ${random.pick(people.streets)}`,
    address2: flat === 1 ? '' : flat === 2 ? `Apt ${String(random.int(1, 60))}` : `Unit ${String(random.int(1, 40))}`,
    city,
    country: 'USA',
    state,
    zip: zipPrefix + String(random.int(1, 99)).padStart(2, '0'),
  };
}

/** An address whose zip code has nobody else of that name: name and zip code identify a customer. */
function freshAddress(random: Random, name: string, taken: Set<string>): Address {
  for (;;) {
    const address = makeAddress(random);
    const key = `${name} ${address.zip}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return address;
  }
}

/** A person under construction. Values are drawn in the order in which they are requested. */
interface Draft {
  /** Position, counted from 0. */
  readonly at: number;
  readonly name: FullName;
  readonly names: readonly FullName[];
  readonly id: string;
  readonly email: () => string;
  readonly address: () => Address;
}

/** People with unique ids, email addresses, and pairs of name and zip code. */
export function makePeople<P extends { readonly email: string }>(
  random: Random,
  count: number,
  make: (draft: Draft) => P,
): P[] {
  const taken = new Set<string>();
  const userNumbers = new Set<string>();
  const digits = count <= 3000 ? 4 : 6;
  const names = fullNames(random);
  const made = Array.from({ length: count }, (_, at) => {
    const name = names[at % names.length] ?? (['', ''] as const);
    const handle = formatHandle(name);
    return make({
      at,
      name,
      names,
      id: `${handle}_${random.freshDigits(digits, userNumbers)}`,
      email: () => `${handle.replace('_', '.')}${random.digits(4)}@example.org`,
      address: () => freshAddress(random, name.join(' '), taken),
    });
  });
  return uniqueEmails(made);
}

/** `zoe_okafor`: lower-case ASCII letters. */
function formatHandle([first, last]: FullName): string {
  return `${slug(first)}_${slug(last)}`;
}

/** The same people, but no two with one email address. */
function uniqueEmails<P extends { readonly email: string }>(persons: readonly P[]): P[] {
  const taken = new Set<string>();
  return persons.map((person) => {
    let email = person.email;
    for (let i = 2; taken.has(email); i++) email = person.email.replace('@', `.${String(i)}@`);
    taken.add(email);
    return { ...person, email };
  });
}

function slug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
