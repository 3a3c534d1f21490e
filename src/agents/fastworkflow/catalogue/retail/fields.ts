/**
 * Fields that several retail commands share, and rules about several fields at once. Examples are invented: no value of
 * the benchmark's data or tasks is among them.
 */

import { userId, type FieldDefinition } from '../definitions.ts';
import { isList, type PyDict } from '../../../../benchmark/python/index.ts';

/** The commands that return a user id. */
const USER_LOOKUPS = ['find_user_id_by_email', 'find_user_id_by_name_zip'];

export function orderId(description: string): FieldDefinition {
  return {
    name: 'order_id',
    description,
    type: 'text',
    required: true,
    pattern: '#?\\w+',
    form: "'#' and letters or digits",
    examples: ['#W0000001'],
    availableFrom: ['get_user_details'],
    normalise: (value) => (value.startsWith('#') ? value : `#${value}`),
  };
}

/** A user's id, which commands of this domain find. */
export function retailUserId(description: string): FieldDefinition {
  return { ...userId(description), availableFrom: USER_LOOKUPS };
}

export function paymentMethodId(description: string, availableFrom: readonly string[]): FieldDefinition {
  return {
    name: 'payment_method_id',
    description,
    type: 'text',
    required: true,
    pattern: '(gift_card|credit_card|paypal)_\\d+',
    form: 'gift_card, credit_card or paypal, an underscore and digits',
    examples: ['gift_card_0000001', 'credit_card_0000001', 'paypal_0000001'],
    availableFrom,
  };
}

export function itemIds(
  name: 'item_ids' | 'new_item_ids',
  description: string,
  availableFrom: readonly string[],
): FieldDefinition {
  return {
    name,
    description,
    type: 'list',
    required: true,
    pattern: '\\d+',
    form: 'a list of integers',
    examples: ['["1000000001", "1000000002"]'],
    availableFrom,
  };
}

export function zip(description: string): FieldDefinition {
  return {
    name: 'zip',
    description,
    type: 'text',
    required: true,
    pattern: '\\d{5}',
    form: 'five digits',
    examples: ['00000'],
  };
}

function plainText(name: string, description: string, example: string): FieldDefinition {
  return { name, description, type: 'text', required: true, examples: [example] };
}

/** A postal address, in the tools' order. */
export const ADDRESS: readonly FieldDefinition[] = [
  plainText('address1', 'street and number', '1 Sample Road'),
  { ...plainText('address2', 'flat, suite or the like; an empty tag when there is none', 'Flat 0'), mayBeEmpty: true },
  plainText('city', 'city', 'Sampleville'),
  {
    ...plainText('state', 'state as two capitals', 'ZZ'),
    pattern: '[A-Z]{2}',
    form: 'two capital letters',
  },
  plainText('country', 'country, spelled as in the user details', 'Sampleland'),
  zip('postal code of the address'),
];

/** Each item needs its replacement; an item may be its own: three test tasks of tau-bench retail ask for it. */
export function equallyMany(parameters: PyDict): readonly string[] {
  const [old, fresh] = [countItems(parameters, 'item_ids'), countItems(parameters, 'new_item_ids')];
  if (old === fresh) return [];
  return [
    `item_ids has ${String(old)} and new_item_ids ${String(fresh)} entries; each item needs exactly one replacement.`,
  ];
}

function countItems(parameters: PyDict, name: string): number {
  const list = parameters.get(name);
  return isList(list) ? list.length : 0;
}
