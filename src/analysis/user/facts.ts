/** Finds facts about people and money in a text, by their form. */

import { splitIntoWords, findEmails } from './conversation.ts';

export interface SaidFact {
  /** Name of the fact for display: "the date of birth". */
  readonly what: string;
  readonly words: string;
  /** True if an earlier text contains the fact. */
  readonly isIn: (known: KnownText) => boolean;
}

/** A text in which facts are searched, parsed once for all of them. */
export class KnownText {
  readonly text: string;
  #lower?: string;
  #digits?: string;
  #words?: string;
  #dates?: readonly SaidDate[];
  #numbers?: { readonly all: readonly number[]; readonly rounded: ReadonlySet<number> };

  constructor(text: string) {
    this.text = text;
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase());
  }

  get digits(): string {
    return (this.#digits ??= keepDigits(this.text));
  }

  /** The words of the text, with a blank around each. */
  get words(): string {
    return (this.#words ??= ` ${splitIntoWords(this.text).join(' ')} `);
  }

  get dates(): readonly SaidDate[] {
    return (this.#dates ??= findDates(this.text));
  }

  /** The numbers in the text, each once. */
  get numbers(): { readonly all: readonly number[]; readonly rounded: ReadonlySet<number> } {
    if (this.#numbers === undefined) {
      const found = Array.from(this.text.matchAll(/\d[\d,]*(?:\.\d+)?/g), ([text]) => parseNumber(text));
      const all = Array.from(new Set(found));
      this.#numbers = { all, rounded: new Set(all.map(Math.round)) };
    }
    return this.#numbers;
  }
}

/** Most facts of a kind in one text, because each is searched in the whole conversation. */
const MOST = 50;
/** Longest word that can be a fact about a person. */
const LONGEST = 300;

function limitFacts(facts: readonly SaidFact[]): SaidFact[] {
  return facts.filter(({ words }) => words.length <= LONGEST).slice(0, MOST);
}

/** Finds values of fields in a record about a person. */
export function findPersonalFacts(text: string): SaidFact[] {
  return [findEmailFacts, findPhones, findAddresses, findBirthDates, findCards, findNames].flatMap((read) =>
    limitFacts(read(text)),
  );
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const DATES = new RegExp(
  String.raw`\b(\d{4})-(\d{1,2})-(\d{1,2})\b|\b(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b` +
    String.raw`|\b(${MONTH})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b` +
    String.raw`|\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\.?(?:,? (\d{4}))?\b`,
  'gi',
);

interface SaidDate {
  readonly words: string;
  /** Numbers of days since the beginning of 2000, ignoring the year; two for dates such as 05/04/1990. */
  readonly days: readonly number[];
  readonly year: number | null;
}

/** Latest year of birth. Later dates belong to bookings. */
const LATEST_BIRTH = 2019;

/** Finds full dates that may be dates of birth. */
function findBirthDates(text: string): SaidFact[] {
  return findDates(text)
    .filter(({ year }) => year !== null && year > 1900 && year <= LATEST_BIRTH)
    .map((date) => ({ what: 'the date of birth', words: date.words, isIn: hasDay(date, 0) }));
}

/** Finds days near the present. The days before and after a known day are known, too. */
export function findDays(text: string): SaidFact[] {
  const days = findDates(text).filter(({ year }) => year === null || year > LATEST_BIRTH);
  return limitFacts(days.map((date) => ({ what: 'the day', words: date.words, isIn: hasDay(date, 1) })));
}

/** Returns a test for a date. A date without a year may be of any year. */
function hasDay({ days, year }: SaidDate, slack: number): (known: KnownText) => boolean {
  const isNear = (one: number, other: number) => Math.abs(one - other) <= slack;
  return (known) =>
    known.dates.some(
      (other) =>
        other.days.some((day) => days.some((said) => isNear(day, said))) &&
        (other.year === null || year === null || other.year === year),
    );
}

function findDates(text: string): SaidDate[] {
  return Array.from(text.matchAll(DATES), (match) => {
    const [
      words,
      year,
      month,
      day,
      first,
      second,
      shortYear,
      name,
      dayAfter,
      yearAfter,
      dayBefore,
      nameAfter,
      yearLast,
    ] = match;
    if (year !== undefined) return { words, days: [dayKey(Number(month), Number(day))], year: Number(year) };
    if (first !== undefined) {
      const written = Number(shortYear);
      const full = written >= 100 ? written : written + (written > 30 ? 1900 : 2000);
      return {
        words,
        days: [dayKey(Number(first), Number(second)), dayKey(Number(second), Number(first))],
        year: full,
      };
    }
    const number = parseMonth(name ?? nameAfter ?? '');
    const said = yearAfter ?? yearLast;
    return {
      words,
      days: [dayKey(number, Number(dayAfter ?? dayBefore))],
      year: said === undefined ? null : Number(said),
    };
  });
}

function dayKey(month: number, day: number): number {
  return Date.UTC(2000, month - 1, day) / DAY_MS;
}

const DAY_MS = 86_400_000;

function parseMonth(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

function findEmailFacts(text: string): SaidFact[] {
  return findEmails(text).map((email) => ({
    what: 'the email address',
    words: email,
    isIn: (known) => known.lower.includes(email.toLowerCase()),
  }));
}

const PHONE = /(?<![\w#-])\+?\(?\d{1,4}\)?(?:[\s.-]?\(?\d{2,4}\)?){2,4}(?![\w-])/g;

function findPhones(text: string): SaidFact[] {
  return Array.from(text.matchAll(PHONE))
    .filter(([words]) => /^\d{10,13}$/.test(keepDigits(words)) && /\D/.test(words.trim()))
    .map(([words]) => ({
      what: 'the phone number',
      words: words.trim(),
      isIn: (known) => known.digits.includes(keepDigits(words)),
    }));
}

const STREET =
  /\b(\d{1,5}) ((?:[A-Z][\p{L}'-]+ ){1,3}(?:Street|Avenue|Drive|Lane|Road|Boulevard|Court|Place|Terrace|St|Ave|Dr|Rd|Blvd|Ln))\b/gu;
const ZIP = /\b(?:zip|postal)\b[^.?!\d]{0,30}(\d{5})\b|\b[A-Z]{2},? (\d{5})\b(?!-)/g;
const LAST_DIGITS = /\b(?:ending|ends)(?: in| with)?:? (?:\*|x|\s)*(\d{4})\b/gi;

function findAddresses(text: string): SaidFact[] {
  const streets = Array.from(text.matchAll(STREET), ([words, number = '', street = '']) => ({
    what: 'the address',
    words,
    isIn: (known: KnownText) => hasWords(known, `${number} ${street.split(' ')[0] ?? ''}`),
  }));
  return [...streets, ...findNumbers(text, ZIP, 'the zip code')];
}

function findCards(text: string): SaidFact[] {
  return findNumbers(text, LAST_DIGITS, 'the card');
}

function findNumbers(text: string, pattern: RegExp, what: string): SaidFact[] {
  return Array.from(text.matchAll(pattern), ([words, one, other]) => {
    const number = one ?? other ?? '';
    return { what, words, isIn: (known: KnownText) => known.text.includes(number) };
  });
}

const AMOUNT = /\$\s?(\d[\d,]*(?:\.\d+)?)|(?<![\w,])(\d[\d,]*(?:\.\d+)?) (?:dollars|usd)\b/gi;

/** Finds amounts. The sum or difference of two known numbers is not invented. */
export function findAmounts(text: string): SaidFact[] {
  const amounts = Array.from(text.matchAll(AMOUNT), ([words, one, other]) => {
    const amount = parseNumber(one ?? other ?? '');
    return { what: 'the amount', words, isIn: (known: KnownText) => follows(amount, known) };
  });
  return limitFacts(amounts);
}

function follows(amount: number, { numbers: { all, rounded } }: KnownText): boolean {
  const isClose = (value: number) => Math.abs(value - amount) < 1;
  if (all.some(isClose)) return true;
  return all.some((one) => rounded.has(Math.round(amount - one)) || rounded.has(Math.round(amount + one)));
}

function parseNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}

function keepDigits(text: string): string {
  return text.replace(/\D+/g, '');
}

function hasWords(known: KnownText, words: string): boolean {
  return known.words.includes(` ${splitIntoWords(words).join(' ')} `);
}

const NAME_CUE =
  /\b(?:[Mm]y (?:full )?name is|[Mm]y name's|[Nn]ame:|(?:[Pp]assenger|[Tt]ravell?er)(?: name)?(?: \d)?(?: is|:)|[Ff]irst name:?)\s+([A-Z][\p{L}'-]+(?: [A-Z][\p{L}'-]+){0,2})/gu;

/** Finds names that are introduced as names. */
function findNames(text: string): SaidFact[] {
  return Array.from(text.matchAll(NAME_CUE), ([words, name = '']) => ({
    what: 'the name',
    words,
    isIn: (known: KnownText) => splitIntoWords(name).every((part) => known.lower.includes(part)),
  }));
}
