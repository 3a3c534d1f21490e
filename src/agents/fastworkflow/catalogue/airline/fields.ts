/**
 * Fields that several airline commands share, and rules that patterns cannot express. The policy's rules are the agent's
 * concern. Examples are invented: no value of the benchmark's data or tasks is among them.
 */

import type { FieldDefinition } from '../definitions.ts';
import { PyFloat, isDict, isList, type PyDict, type PyValue } from '../../../../benchmark/python/index.ts';

const DATE = { pattern: '\\d{4}-\\d{2}-\\d{2}', form: 'a date as YYYY-MM-DD' } as const;
const PAYMENT_ID = {
  pattern: '(credit_card|gift_card|certificate)_\\d+',
  form: 'credit_card, gift_card or certificate, an underscore and digits',
} as const;

/** Source of the flights of a booking. */
const SEARCHES = ['search_direct_flight', 'search_onestop_flight'];

/** The tool fills in the rest of a flight, so a flight may be given as a reservation has it. */
const FLIGHT: ObjectForm = {
  keys: [textKey('flight_number', 'a text such as HAT000', '\\S+'), textKey('date', DATE.form, DATE.pattern)],
  ignored: ['origin', 'destination', 'price'],
};

const PASSENGER: ObjectForm = {
  keys: [
    textKey('first_name', 'a name', '[\\s\\S]+'),
    textKey('last_name', 'a name', '[\\s\\S]+'),
    textKey('dob', 'a day of birth as YYYY-MM-DD', DATE.pattern),
  ],
};

const PAYMENT: ObjectForm = {
  keys: [
    textKey('payment_id', PAYMENT_ID.form, PAYMENT_ID.pattern),
    numberKey('amount', 'a number of dollars without quotes'),
  ],
};

export function reservationId(description: string): FieldDefinition {
  return {
    name: 'reservation_id',
    description,
    type: 'text',
    required: true,
    pattern: '[A-Z0-9]{6}',
    form: 'six capital letters or digits',
    examples: ['ABC000'],
    availableFrom: ['get_user_details'],
  };
}

export function airport(name: 'origin' | 'destination', description: string): FieldDefinition {
  return {
    name,
    description,
    type: 'text',
    required: true,
    pattern: '[A-Z]{3}',
    form: 'three capital letters',
    examples: [name === 'origin' ? 'AAA' : 'ZZZ'],
    availableFrom: ['list_all_airports'],
  };
}

export function date(description: string): FieldDefinition {
  return { name: 'date', description, type: 'text', required: true, ...DATE, examples: ['2010-01-02'] };
}

export function cabin(description: string, availableFrom?: readonly string[]): FieldDefinition {
  return {
    name: 'cabin',
    description,
    type: 'text',
    required: true,
    allowed: ['basic_economy', 'economy', 'business'],
    ...(availableFrom === undefined ? {} : { availableFrom }),
  };
}

export function flights(description: string, alsoFrom: readonly string[] = []): FieldDefinition {
  const example = '[{"flight_number": "HAT000", "date": "2010-01-02"}]';
  const availableFrom = [...alsoFrom, ...SEARCHES];
  return objectList({ name: 'flights', description, examples: [example], availableFrom }, FLIGHT);
}

export function passengers(description: string, availableFrom: readonly string[]): FieldDefinition {
  const example = '[{"first_name": "Jane", "last_name": "Doe", "dob": "2010-01-02"}]';
  return objectList({ name: 'passengers', description, examples: [example], availableFrom }, PASSENGER);
}

export function paymentMethods(description: string): FieldDefinition {
  const example =
    '[{"payment_id": "certificate_0000001", "amount": 100}, {"payment_id": "credit_card_0000001", "amount": 20}]';
  const availableFrom = ['get_user_details'];
  return objectList({ name: 'payment_methods', description, examples: [example], availableFrom }, PAYMENT);
}

export function paymentId(description: string): FieldDefinition {
  return {
    name: 'payment_id',
    description,
    type: 'text',
    required: true,
    ...PAYMENT_ID,
    examples: ['credit_card_0000001', 'gift_card_0000001'],
    availableFrom: ['get_user_details'],
  };
}

export function bags(name: 'total_baggages' | 'nonfree_baggages', description: string): FieldDefinition {
  return {
    name,
    description,
    type: 'integer',
    required: true,
    pattern: '\\d+',
    form: 'digits, 0 for none',
    examples: [name === 'total_baggages' ? '4' : '1'],
  };
}

interface ObjectKey {
  readonly name: string;
  /** Description of its value, as it reads after `must be`. */
  readonly form: string;
  readonly isValid: (value: PyValue) => boolean;
}

interface ObjectForm {
  /** Keys that every object has, in the tool's order. */
  readonly keys: readonly ObjectKey[];
  /** Further keys that do no harm, because the tool fills them in itself. */
  readonly ignored?: readonly string[];
}

/** A field that takes a list of such objects. */
function objectList(
  field: Pick<FieldDefinition, 'name' | 'description' | 'examples' | 'availableFrom'>,
  { keys }: ObjectForm,
): FieldDefinition {
  const keyForms = keys.map(({ name, form }) => `"${name}" (${form})`);
  const description = `${field.description}; a JSON list of objects, each with exactly the keys ${listed(keyForms)}`;
  return { ...field, description, type: 'json', required: true };
}

/** One sentence for each thing that is wrong with the parameter; none for a parameter that is not there. */
function objectListProblems(parameters: PyDict, name: string, { keys, ignored = [] }: ObjectForm): string[] {
  const list = parameters.get(name);
  if (list === undefined) return [];
  const names = keys.map((key) => key.name);
  if (!isList(list)) return [`${name} must be a list: put [ and ] around its objects.`];
  return list.flatMap((item, at) => {
    const where = `item ${String(at + 1)} of ${name}`;
    if (!isDict(item)) return [`There must be an object with the keys ${listed(names)} in ${where}.`];
    const unknown = [...item.keys()].filter((key) => !names.includes(key) && !ignored.includes(key));
    return [
      ...keys.flatMap((key) => keyProblems(key, item.get(key.name), where)),
      ...unknown.map((key) => `In ${where}, ${key} is none of the keys ${listed(names)}: leave it out.`),
    ];
  });
}

function keyProblems({ name, form, isValid }: ObjectKey, value: PyValue | undefined, where: string): string[] {
  if (value === undefined) return [`In ${where}, ${name} is missing: it must be ${form}.`];
  return isValid(value) ? [] : [`In ${where}, ${name} must be ${form}.`];
}

/** A key whose value is a text of a pattern (flag `u`). */
function textKey(name: string, form: string, pattern: string): ObjectKey {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return { name, form, isValid: (value) => typeof value === 'string' && whole.test(value) };
}

/** A key whose value is a number: an int or a float, which the benchmark's hash distinguishes. */
function numberKey(name: string, form: string): ObjectKey {
  return { name, form, isValid: (value) => typeof value === 'bigint' || value instanceof PyFloat };
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${String(parts.at(-1))}`;
}

/** Every list of objects has the objects that its tool takes. */
export function wellFormedLists(parameters: PyDict): readonly string[] {
  return [
    ...objectListProblems(parameters, 'flights', FLIGHT),
    ...objectListProblems(parameters, 'passengers', PASSENGER),
    ...objectListProblems(parameters, 'payment_methods', PAYMENT),
  ];
}

/** The bags that cost something are among all bags. */
export function nonfreeAmongAll(parameters: PyDict): readonly string[] {
  const total = parameters.get('total_baggages');
  const nonfree = parameters.get('nonfree_baggages');
  if (typeof total !== 'bigint' || typeof nonfree !== 'bigint' || nonfree <= total) return [];
  return [`nonfree_baggages is ${String(nonfree)}, but total_baggages only ${String(total)}.`];
}

export function bookingRules(parameters: PyDict): readonly string[] {
  return [...wellFormedLists(parameters), ...nonfreeAmongAll(parameters)];
}
