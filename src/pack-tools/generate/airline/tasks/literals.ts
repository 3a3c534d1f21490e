/** What an airline instruction says outright: each is read back out of its own words. */

import { named, type Named } from '../../tasks/ground.ts';
import { dateOf, dayOf, DAYS, spellDate } from '../clock.ts';
import { placeName, placesNamed } from '../airports.ts';
import type { Cabin } from '../model.ts';

const CABIN_WORDS: Readonly<Record<Cabin, string>> = {
  basic_economy: 'basic economy',
  economy: 'economy',
  business: 'business class',
};

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

export function nameCabin(cabin: Cabin): Named<Cabin> {
  const text = CABIN_WORDS[cabin];
  return named({ text, value: cabin, argument: cabin, candidates: () => cabinsIn(text) });
}

function cabinsIn(text: string): Cabin[] {
  if (text.includes('basic economy')) return ['basic_economy'];
  return [
    ...(text.includes('economy') ? (['economy'] as const) : []),
    ...(text.includes('business') ? (['business'] as const) : []),
  ];
}

/** A day of May 2024. */
export function nameDate(date: string): Named<string> {
  const text = spellDate(date);
  return named({ text, value: date, argument: date, candidates: () => datesIn(text) });
}

/** All dates that a text names. */
function datesIn(text: string): string[] {
  return Array.from(text.matchAll(/May (\d+)/g), ([, day]) => Number(day))
    .filter((day) => DAYS.includes(day))
    .map(dateOf);
}

/** An airport by its city, with the code where cities have more than one. */
export function namePlace(code: string): Named<string> {
  const text = placeName(code);
  return named({ text, value: code, argument: code, candidates: () => placesNamed(text) });
}

export function nameTripType(type: 'one_way' | 'round_trip'): Named<string> {
  const text = type === 'one_way' ? 'one way' : 'a round trip';
  const candidates = () => [
    ...(text.includes('one way') ? ['one_way'] : []),
    ...(text.includes('round trip') ? ['round_trip'] : []),
  ];
  return named({ text, value: type, argument: type, candidates });
}

export function nameInsurance(wanted: boolean): Named<boolean> {
  const text = wanted ? 'you want travel insurance' : 'you want no travel insurance';
  const argument = wanted ? 'yes' : 'no';
  return named({ text, value: wanted, argument, candidates: () => [text.includes(' no ') ? 'no' : 'yes'] });
}

/** `two bags`, `no bags`: how many are checked. */
export function nameBags(count: number, more = false): Named<number> {
  const text = `${NUMBER_WORDS[count] ?? String(count)} ${more ? 'more ' : ''}checked bag${count === 1 ? '' : 's'}`;
  return named({ text, value: count, argument: BigInt(count), candidates: () => numbersIn(text).map(BigInt) });
}

function numbersIn(text: string): number[] {
  return Array.from(text.matchAll(/[a-z]+/g), ([word]) => NUMBER_WORDS.indexOf(word)).filter((value) => value >= 0);
}

/** The day after, or so many days after. */
export function laterDate(date: string, days: number): string {
  return dateOf(dayOf(date) + days);
}
