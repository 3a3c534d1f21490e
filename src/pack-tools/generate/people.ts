/** Names and addresses of people who do not exist. */

import { CITIES, FIRST_NAMES, LAST_NAMES, STREETS } from './names.ts';
import type { Random } from './random.ts';

export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly state: string;
  readonly zip: string;
}

export type FullName = readonly [first: string, last: string];

/** Every first name with every last name, in random order: more people than that share names. */
export function fullNames(random: Random): FullName[] {
  return random.shuffle(FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => [first, last] as const)));
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
export function freshAddress(random: Random, name: string, taken: Set<string>): Address {
  for (;;) {
    const address = makeAddress(random);
    const key = `${name} ${address.zip}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return address;
  }
}

/** `zoe_okafor`: lower-case ASCII letters. */
export function handleOf([first, last]: FullName): string {
  return `${slug(first)}_${slug(last)}`;
}

/** The same people, but no two with one email address. */
export function uniqueEmails<P extends { readonly email: string }>(people: readonly P[]): P[] {
  const taken = new Set<string>();
  return people.map((person) => {
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
