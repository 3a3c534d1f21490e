/** Calls of the retail tools that could be meant, on data that have the form of the reference's. */

import fc from 'fast-check';
import { isDict, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { field, items, text } from '../../benchmarks/helpers.ts';
import { call, entriesOf, idsOf, type Call, type CallsOf } from './calls.ts';

const ADDRESS = ['address1', 'address2', 'city', 'state', 'country', 'zip'] as const;

export const retailCalls: CallsOf = {
  tables: ['orders', 'products', 'users'],
  /** A few users with all that they own, and every product that their orders name. */
  sample(tables, userIds) {
    const users = sub(tables, 'users', userIds);
    const orderIds = Array.from(users.values()).flatMap((user) => items(field(user, 'orders')).map(text));
    const orders = sub(tables, 'orders', orderIds);
    const bought = Array.from(orders.values()).flatMap((order) => items(field(order, 'items')));
    const products = sub(tables, 'products', [...new Set(bought.map((item) => text(field(item, 'product_id'))))]);
    return new Map<string, PyValue>([
      ['orders', orders],
      ['products', products],
      ['users', users],
    ]);
  },
  calls(tables) {
    const userId = fc.constantFrom(...idsOf(tables, 'users'));
    const address = Object.fromEntries(ADDRESS.map((name) => [name, fc.constantFrom('1 Elm', '', '1000')]));
    const reason = fc.constantFrom('no longer needed', 'ordered by mistake', 'a whim');
    const orders = entriesOf(tables, 'orders');
    const perOrder = fc.constantFrom(...orders).chain(([orderId, order]) => {
      const owner = field(field(tables, 'users'), text(field(order, 'user_id')));
      const methods = [...idsOf(owner, 'payment_methods'), 'gift_card_0000000'];
      const methodId = fc.constantFrom(...methods);
      const exchange = exchanges(tables, order);
      const id = fc.constant(orderId);
      const replacing = (name: string): fc.Arbitrary<Call> =>
        fc.tuple(exchange, methodId).map(([{ from, to }, method]) => ({
          name,
          kwargs: new Map<string, PyValue>([
            ['order_id', orderId],
            ['item_ids', from],
            ['new_item_ids', to],
            ['payment_method_id', method],
          ]),
        }));
      const whenPending = fc.oneof(
        call('cancel_pending_order', { order_id: id, reason }),
        call('modify_pending_order_address', { order_id: id, ...address }),
        call('modify_pending_order_payment', { order_id: id, payment_method_id: methodId }),
        replacing('modify_pending_order_items'),
      );
      const whenDelivered = fc.oneof(
        replacing('exchange_delivered_order_items'),
        exchange.chain(({ from }) =>
          call('return_delivered_order_items', {
            order_id: id,
            item_ids: fc.constant(from),
            payment_method_id: methodId,
          }),
        ),
      );
      const isPending = field(order, 'status') === 'pending';
      return fc.oneof(
        call('get_order_details', { order_id: id }),
        { weight: isPending ? 8 : 1, arbitrary: whenPending },
        { weight: isPending ? 1 : 4, arbitrary: whenDelivered },
      );
    });
    const user = fc.constantFrom(...entriesOf(tables, 'users')).chain(([id, profile]) =>
      fc.oneof(
        call('get_user_details', { user_id: fc.constant(id) }),
        call('find_user_id_by_email', { email: fc.constant(text(field(profile, 'email')).toUpperCase()) }),
        call('find_user_id_by_name_zip', {
          first_name: fc.constant(field(field(profile, 'name'), 'first_name')),
          last_name: fc.constant(field(field(profile, 'name'), 'last_name')),
          zip: fc.constant(field(field(profile, 'address'), 'zip')),
        }),
      ),
    );
    const others = fc.oneof(
      call('get_product_details', { product_id: fc.constantFrom(...idsOf(tables, 'products')) }),
      call('list_all_product_types', {}),
      call('think', { thought: fc.constant('hm') }),
      call('transfer_to_human_agents', { summary: fc.constant('enough') }),
      call('no_such_tool', {}),
      call('modify_user_address', { user_id: userId, ...address }),
    );
    return fc.oneof(
      { weight: 8, arbitrary: perOrder },
      { weight: 2, arbitrary: user },
      { weight: 2, arbitrary: others },
    );
  },
};

/** Items of an order, some asked for twice, and variants of their products in exchange, some of which are sold out. */
function exchanges(tables: PyDict, order: PyValue): fc.Arbitrary<{ from: PyValue[]; to: PyValue[] }> {
  const owned = items(field(order, 'items'));
  const pair = fc.constantFrom(...owned).chain((item) => {
    const product = field(field(tables, 'products'), text(field(item, 'product_id')));
    const variants = [...idsOf(product, 'variants'), ...owned.map((other) => text(field(other, 'item_id')))];
    return fc.tuple(fc.constant(field(item, 'item_id')), fc.constantFrom<PyValue>(...variants));
  });
  return fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => ({ from: pairs.map(([from]) => from), to: pairs.map(([, to]) => to) }));
}

function sub(tables: PyDict, table: string, ids: readonly string[]): PyDict {
  const records = field(tables, table);
  return new Map(isDict(records) ? Array.from(records).filter(([id]) => ids.includes(id)) : []);
}
