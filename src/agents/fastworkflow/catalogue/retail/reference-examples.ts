/**
 * The example values of FastWorkflow 2.24.1's retail workflow. Some are values that tasks ask for (`USA`, `CA`, a
 * product's id), which matters where an example is mistaken for something that was copied.
 */

const PAYMENT_METHODS = ['gift_card_0000000', 'credit_card_0000000', 'paypal_0000000'];

/** Example values by field; a field written `command.field` goes before one for all commands. */
export const REFERENCE_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
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
