/** Changes that FastWorkflow's defects, when a run brings them back (`--compat`), make to the retail commands. */

import type { CommandDefinition, DomainDefinition, FieldDefinition } from '../definitions.ts';
import { equallyMany, noneForItself } from './fields.ts';

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
