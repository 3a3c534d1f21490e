/**
 * Fields that several retail commands share, rules about several fields at once, and the changes that FastWorkflow's
 * defects make to both. Examples are invented: no value of the benchmark's data or tasks is among them.
 */

import { userId, type FieldDefinition, type CommandDefinition, type DomainDefinition } from '../definitions.ts';
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
  plainText('country', 'country, as the customer record spells it', 'Sampleland'),
  zip('postal code of the address'),
];

/** Each item needs its replacement; an item may be its own: three test tasks of tau-bench retail ask for it. */
export function equallyMany(parameters: PyDict): readonly string[] {
  const [old, fresh] = itemLists(parameters);
  if (old.length === fresh.length) return [];
  return [
    `item_ids has ${String(old.length)} and new_item_ids ${String(fresh.length)} entries; ` +
      'each item needs exactly one replacement.',
  ];
}

/** FastWorkflow 2.24.1's rule: what is given back cannot be what is asked for. */
function noneForItself(parameters: PyDict): readonly string[] {
  const [old, fresh] = itemLists(parameters);
  const wanted = new Set(fresh);
  const both = [...new Set(old)].filter((item) => wanted.has(item));
  if (both.length === 0) return [];
  return [`An item cannot be replaced by itself: ${both.join(', ')} is in item_ids and in new_item_ids.`];
}

function itemLists(parameters: PyDict): [string[], string[]] {
  return [textsAt(parameters, 'item_ids'), textsAt(parameters, 'new_item_ids')];
}

function textsAt(parameters: PyDict, name: string): string[] {
  const list = parameters.get(name);
  return isList(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** Changes that FastWorkflow's defects, when a run brings them back (`--compat`), make to the commands. */
export const VARIANTS: DomainDefinition['variants'] = {
  'fastworkflow-self-exchange': withoutSelfExchange,
  'fastworkflow-any-reason': withAnyReason,
  'fastworkflow-legacy-catalogue': withReferenceExamples,
  'fastworkflow-example-refusal': withReferenceExamples,
};

function withoutSelfExchange(command: CommandDefinition): CommandDefinition {
  if (command.validate !== equallyMany) return command;
  return { ...command, validate: (parameters) => [...equallyMany(parameters), ...noneForItself(parameters)] };
}

/** Missing reasons are filled in and wrong ones left to the tool; the allowed ones are only examples. */
function withAnyReason(command: CommandDefinition): CommandDefinition {
  return withFields(command, (field) => {
    if (field.name !== 'reason') return field;
    const { allowed = [], ...rest } = field;
    return { ...rest, required: false, default: 'ordered by mistake', examples: allowed };
  });
}

function withReferenceExamples(command: CommandDefinition): CommandDefinition {
  return withFields(command, (field) => {
    const examples = REFERENCE_EXAMPLES[`${command.name}.${field.name}`] ?? REFERENCE_EXAMPLES[field.name];
    return examples === undefined ? field : { ...field, examples };
  });
}

function withFields(command: CommandDefinition, change: (field: FieldDefinition) => FieldDefinition) {
  return { ...command, fields: command.fields.map(change) };
}

const PAYMENT_METHODS = ['gift_card_0000000', 'credit_card_0000000', 'paypal_0000000'];

/**
 * The example values of FastWorkflow 2.24.1's retail workflow, by field; `command.field` takes precedence. Some are values
 * that tasks ask for (`USA`, `CA`, a product's id), which matters where an example is mistaken for a copied value.
 */
const REFERENCE_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'cancel_pending_order.order_id': ['123', '#abc123', 'order456'],
  'exchange_delivered_order_items.order_id': ['#W00000000'],
  'return_delivered_order_items.order_id': ['#W00000000'],
  order_id: ['#W0000000'],
  user_id: ['sara_doe_496'],
  email: ['user@example.com'],
  first_name: ['John'],
  last_name: ['Doe'],
  zip: ['12345'],
  product_id: ['6086499569'],
  reason: ['no longer needed', 'ordered by mistake'],
  address1: ['123 Main St'],
  address2: ['Apt 1'],
  city: ['San Francisco'],
  state: ['CA'],
  country: ['USA'],
  'modify_pending_order_items.item_ids': ["'62727828', '76938178'"],
  'modify_pending_order_items.new_item_ids': ["'2352352', '42674747'"],
  'return_delivered_order_items.item_ids': ["'57347828', '8646987326'"],
  'exchange_delivered_order_items.item_ids': ["'34742388', '59475928'"],
  'exchange_delivered_order_items.new_item_ids': ["'45854949', '68789960'"],
  payment_method_id: PAYMENT_METHODS,
  expression: ['(2 + 3) * 4', '10 / 2 + 3', '(8-3)/5'],
};
