/** tau-bench airline: rules of its commands that JSON cannot express. Rules of the policy are left to the agent. */

import { PyFloat, isDict, isList, type PyDict, type PyValue } from '../../../benchmarks/python/index.ts';
import type { DomainRules } from './read.ts';

export const AIRLINE: DomainRules = {
  validate: {
    book_reservation: (parameters) => [...wellFormedLists(parameters), ...nonfreeAmongAll(parameters)],
    update_reservation_flights: wellFormedLists,
    update_reservation_passengers: wellFormedLists,
    update_reservation_baggages: nonfreeAmongAll,
  },
};

interface ObjectKey {
  readonly name: string;
  /** Description of the value, for a sentence after `must be`. */
  readonly form: string;
  readonly isValid: (value: PyValue) => boolean;
}

/** Required keys of a list's objects, and keys to ignore because the tool sets them. */
interface ObjectForm {
  readonly keys: readonly ObjectKey[];
  readonly ignored?: readonly string[];
}

/** Checks that lists of objects contain objects of the form that their tool requires. */
function wellFormedLists(parameters: PyDict): readonly string[] {
  return Object.entries(OBJECT_FORMS).flatMap(([name, form]) => objectListProblems(parameters, name, form));
}

const DATE = '\\d{4}-\\d{2}-\\d{2}';

/** Fields that are lists of objects. A flight may also have its form in a reservation. */
const OBJECT_FORMS: Readonly<Record<string, ObjectForm>> = {
  flights: {
    keys: [textKey('flight_number', 'a text such as HAT000', '\\S+'), textKey('date', 'a date as YYYY-MM-DD', DATE)],
    ignored: ['origin', 'destination', 'price'],
  },
  passengers: {
    keys: [
      textKey('first_name', 'a name', '[\\s\\S]+'),
      textKey('last_name', 'a name', '[\\s\\S]+'),
      textKey('dob', 'a day of birth as YYYY-MM-DD', DATE),
    ],
  },
  payment_methods: {
    keys: [
      textKey(
        'payment_id',
        'credit_card, gift_card or certificate, an underscore and digits',
        '(credit_card|gift_card|certificate)_\\d+',
      ),
      numberKey('amount', 'a number of dollars without quotes'),
    ],
  },
};

/** Returns a sentence for each problem of the parameter; none for a missing one. */
function objectListProblems(parameters: PyDict, name: string, { keys, ignored = [] }: ObjectForm): string[] {
  const list = parameters.get(name);
  if (list === undefined) return [];
  const names = keys.map((key) => key.name);
  if (!isList(list)) return [`${name} must be a list: put [ and ] around its objects.`];
  return list.flatMap((item, at) => {
    const where = `item ${String(at + 1)} of ${name}`;
    if (!isDict(item)) return [`There must be an object with the keys ${listParts(names)} in ${where}.`];
    const unknown = [...item.keys()].filter((key) => !names.includes(key) && !ignored.includes(key));
    return [
      ...keys.flatMap((key) => keyProblems(key, item.get(key.name), where)),
      ...unknown.map((key) => `In ${where}, ${key} is none of the keys ${listParts(names)}: leave it out.`),
    ];
  });
}

function keyProblems({ name, form, isValid }: ObjectKey, value: PyValue | undefined, where: string): string[] {
  if (value === undefined) return [`In ${where}, ${name} is missing: it must be ${form}.`];
  return isValid(value) ? [] : [`In ${where}, ${name} must be ${form}.`];
}

/** Returns a key whose value is a text that matches a pattern (flag `u`). */
function textKey(name: string, form: string, pattern: string): ObjectKey {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return { name, form, isValid: (value) => typeof value === 'string' && whole.test(value) };
}

/** Returns a key whose value is a number: an int or a float, which the benchmark's hash distinguishes. */
function numberKey(name: string, form: string): ObjectKey {
  return { name, form, isValid: (value) => typeof value === 'bigint' || value instanceof PyFloat };
}

function listParts(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${String(parts.at(-1))}`;
}

/** Checks that there are no more paid bags than bags. */
function nonfreeAmongAll(parameters: PyDict): readonly string[] {
  const total = parameters.get('total_baggages');
  const nonfree = parameters.get('nonfree_baggages');
  if (typeof total !== 'bigint' || typeof nonfree !== 'bigint' || nonfree <= total) return [];
  return [`nonfree_baggages is ${String(nonfree)}, but total_baggages only ${String(total)}.`];
}
