/** Fields that several commands share. Examples are invented: no value of the benchmark's data or tasks is among them. */

import { numberKey, objectList, textKey, type ObjectForm } from './objects.ts';
import type { FieldDefinition } from '../types.ts';

const DATE = { pattern: '\\d{4}-\\d{2}-\\d{2}', form: 'a date as YYYY-MM-DD' } as const;
const PAYMENT_ID = {
  pattern: '(credit_card|gift_card|certificate)_\\d+',
  form: 'credit_card, gift_card or certificate, an underscore and digits',
} as const;

/** Where the flights of a booking come from. */
const SEARCHES = ['search_direct_flight', 'search_onestop_flight'];

/** The tool fills in the rest of a flight, so a flight may be given as a reservation has it. */
export const FLIGHT: ObjectForm = {
  keys: [textKey('flight_number', 'a text such as HAT000', '\\S+'), textKey('date', DATE.form, DATE.pattern)],
  ignored: ['origin', 'destination', 'price'],
};

export const PASSENGER: ObjectForm = {
  keys: [
    textKey('first_name', 'a name', '[\\s\\S]+'),
    textKey('last_name', 'a name', '[\\s\\S]+'),
    textKey('dob', 'a day of birth as YYYY-MM-DD', DATE.pattern),
  ],
};

export const PAYMENT: ObjectForm = {
  keys: [
    textKey('payment_id', PAYMENT_ID.form, PAYMENT_ID.pattern),
    numberKey('amount', 'a number of dollars without quotes'),
  ],
};

/** No command finds a user id, so none is named as its source: a plan would walk in a circle. */
export function userId(description: string): FieldDefinition {
  return {
    name: 'user_id',
    description,
    type: 'text',
    required: true,
    pattern: '[a-z]+_[a-z]+_\\d+',
    form: 'first name, last name and digits in lower case, joined by underscores',
    examples: ['jane_doe_0001'],
  };
}

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
