/** Names and addresses of people who do not exist. */

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
function fullNames(random: Random): FullName[] {
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
function freshAddress(random: Random, name: string, taken: Set<string>): Address {
  for (;;) {
    const address = makeAddress(random);
    const key = `${name} ${address.zip}`;
    if (taken.has(key)) continue;
    taken.add(key);
    return address;
  }
}

/** A person to be: what it has is drawn in the order in which it is asked for. */
export interface Draft {
  /** Position, counted from 0. */
  readonly at: number;
  readonly name: FullName;
  readonly names: readonly FullName[];
  readonly id: string;
  readonly email: () => string;
  readonly address: () => Address;
}

/** People with ids and email addresses of their own, and a zip code that nobody of their name shares. */
export function makePeople<P extends { readonly email: string }>(
  random: Random,
  count: number,
  make: (draft: Draft) => P,
): P[] {
  const taken = new Set<string>();
  const userNumbers = new Set<string>();
  const digits = count <= 3000 ? 4 : 6;
  const names = fullNames(random);
  const people = Array.from({ length: count }, (_, at) => {
    const name = names[at % names.length] ?? (['', ''] as const);
    const handle = handleOf(name);
    return make({
      at,
      name,
      names,
      id: `${handle}_${random.freshDigits(digits, userNumbers)}`,
      email: () => `${handle.replace('_', '.')}${random.digits(4)}@example.org`,
      address: () => freshAddress(random, name.join(' '), taken),
    });
  });
  return uniqueEmails(people);
}

/** `zoe_okafor`: lower-case ASCII letters. */
function handleOf([first, last]: FullName): string {
  return `${slug(first)}_${slug(last)}`;
}

/** The same people, but no two with one email address. */
function uniqueEmails<P extends { readonly email: string }>(people: readonly P[]): P[] {
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

export const FIRST_NAMES: readonly string[] = (
  'Agnes Alba Amara Anselm Astrid Bartek Beatriz Bilal Callum Cedric Chiara Dalia Darius Dagny Edith Eero ' +
  'Elif Farah Felix Florian Gareth Greta Hana Hugo Ines Ingrid Jonas Josué Kaito Kerstin Leonie Linnea ' +
  'Lorcan Mabel Malik Matilda Nadia Nils Oona Oscar Petra Quentin Ronan Rosalind Saskia Silas Tamsin Tariq ' +
  'Una Viggo Wanda Xenia Yara Zdenek Zoë'
).split(' ');

export const LAST_NAMES: readonly string[] = (
  'Abbott Achterberg Bellweather Birch Castellan Corrigan Dahl Drummond Eriksen Fairbairn Fontaine ' +
  'Galloway Grimaldi Halloran Hartwell Iversen Jansky Kaplan Kerrigan Lindqvist Lovell Maddox Marchetti ' +
  'Nakata Norwood Oduya Okafor Pettersen Pruitt Quill Ravn Rosenthal Sandoval Sorley Tanaka Thistlewood ' +
  'Ueda Vance Verhoeven Wexford Whitlock Yardley Yilmaz Zeller Zimmer'
).split(' ');

const STREETS: readonly string[] = (
  'Alder Row, Bakehouse Lane, Canal Walk, Cooper Street, Damson Court, Ferry Road, Foundry Street, ' +
  'Granary Lane, Hawthorn Way, Heron Drive, Juniper Street, Kiln Road, Lantern Street, Mill Pond Road, ' +
  'Old Orchard Road, Plover Lane, Quarry Street, Rookery Road, Saddler Street, Tannery Lane, Weir Street, ' +
  'Wharf Street'
).split(', ');

/** City, state, and the first three digits of its zip codes. */
const CITIES: readonly (readonly [city: string, state: string, zipPrefix: string])[] = [
  ['Albany', 'NY', '122'],
  ['Asheville', 'NC', '288'],
  ['Boise', 'ID', '837'],
  ['Boulder', 'CO', '803'],
  ['Burlington', 'VT', '054'],
  ['Cedar Rapids', 'IA', '524'],
  ['Charleston', 'SC', '294'],
  ['Duluth', 'MN', '558'],
  ['Eugene', 'OR', '974'],
  ['Fresno', 'CA', '937'],
  ['Grand Rapids', 'MI', '495'],
  ['Lancaster', 'PA', '176'],
  ['Lexington', 'KY', '405'],
  ['Madison', 'WI', '537'],
  ['Missoula', 'MT', '598'],
  ['Omaha', 'NE', '681'],
  ['Portland', 'ME', '041'],
  ['Providence', 'RI', '029'],
  ['Richmond', 'VA', '232'],
  ['Santa Fe', 'NM', '875'],
  ['Savannah', 'GA', '314'],
  ['Spokane', 'WA', '992'],
  ['Tucson', 'AZ', '857'],
  ['Tulsa', 'OK', '741'],
];

/** Manners of simulated users; none of them changes the goal. */
export const MANNERS: readonly string[] = [
  'You write short messages and dislike small talk.',
  'You are cheerful and thank the agent for every step.',
  'You are in a hurry because your train leaves soon.',
  'You are polite but want each point confirmed before you go on.',
  'You are a retired teacher and choose your words with care.',
  'You wander off to your vegetable beds now and then, but come back to the matter.',
  'You are a little grumpy this morning, though never rude.',
  'You are new to buying things online and ask what unfamiliar words mean.',
  'You are calm, exact and well organised.',
  'You type on a small phone and leave out capital letters.',
  'You give information only when you are asked for it.',
  'You are chatty and mention your two cats.',
  'You are tired after a night shift and want this off your list.',
  'You like to hear the reason for every rule.',
  'You are confident and come straight to the point.',
  'You are shy and apologise for the trouble.',
];
