import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyAction,
  foldActions,
  openOverlay,
  dataHash,
  sameButForSpelling,
  sameState,
  RESPOND,
  type Action,
} from '../../src/benchmarks/index.ts';
import type { AppliedStep } from '../../src/benchmarks/testing.ts';
import { dumpJson, parseJson, isDict, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { action, sha256, shop, shopActions } from './helpers.ts';

function observe(name: string, kwargs: string): string {
  return applyAction(shop, openOverlay(shop), action(name, kwargs)).observation;
}

describe('a step', () => {
  it('never changes the tables', () => {
    const before = dumpJson(shop.tables);
    fc.assert(
      fc.property(fc.array(shopActions), (actions) => {
        foldActions(shop, actions);
        expect(dumpJson(shop.tables)).toBe(before);
      }),
    );
  });

  it('reports which actions may have changed data', () => {
    const overlay = openOverlay(shop);
    const changed = (name: string, kwargs: string) => applyAction(shop, overlay, action(name, kwargs)).changed;
    expect(changed('get_order_details', '{"order_id": "#W1"}')).toBe(false);
    expect(changed('cancel_pending_order', '{"order_id": "#W1", "reason": "a whim"}')).toBe(false);
    expect(changed('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}')).toBe(true);
    expect(changed('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}')).toBe(false);
  });

  it('keeps the changes of a failed call, and reports them', () => {
    // The refund goes to the gift card; the second payment was made with a method that the user no longer has.
    const orders = shop.tables.get('orders');
    if (!isDict(orders)) throw new Error('the shop has no orders');
    const order = orders.get('#W1');
    if (!isDict(order)) throw new Error('the shop has no order #W1');
    const lost = parseJson('{"transaction_type": "payment", "amount": 1.0, "payment_method_id": "gift_card_9"}');
    const history = [...(order.get('payment_history') as readonly PyValue[]), lost];
    const broken: PyDict = new Map(orders).set('#W1', new Map(order).set('payment_history', history));
    const data = { ...shop, tables: new Map(shop.tables).set('orders', broken) };
    const overlay = openOverlay(data);
    const step = applyAction(
      data,
      overlay,
      action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}'),
    );
    expect(step).toMatchObject({ observation: "Error: 'gift_card_9'", changed: true });
    expect(dumpJson(overlay.get('users', 'ada_1'))).toContain('"balance": 28.5');
    expect(dumpJson(overlay.get('orders', '#W1'))).toContain('"status": "pending"');
  });

  it('ends the episode with a terminating tool, even when its call fails', () => {
    const end = (kwargs: string): AppliedStep =>
      applyAction(shop, openOverlay(shop), action('transfer_to_human_agents', kwargs));
    expect(end('{"summary": "x"}')).toMatchObject({ observation: 'Transfer successful', done: true });
    expect(end('{}')).toMatchObject({
      observation: "Error: TransferToHumanAgents.invoke() missing 1 required positional argument: 'summary'",
      done: true,
    });
  });

  it('rejects unknown names, and leaves respond to the user simulator', () => {
    expect(applyAction(shop, openOverlay(shop), action('constructor'))).toEqual({
      observation: 'Unknown action constructor',
      source: 'constructor',
      done: false,
      changed: false,
    });
    expect(() => applyAction(shop, openOverlay(shop), action(RESPOND))).toThrow('the user simulator');
  });

  it("has Python's texts for wrong arguments", () => {
    expect(observe('get_order_details', '{"id": 1}')).toBe(
      "Error: GetOrderDetails.invoke() got an unexpected keyword argument 'id'",
    );
    expect(observe('find_user_id_by_name_zip', '{}')).toBe(
      'Error: FindUserIdByNameZip.invoke() missing 3 required positional arguments: ' +
        "'first_name', 'last_name', and 'zip'",
    );
    expect(observe('think', '{"data": 1, "x": 2}')).toBe(
      'Error: tau_bench.envs.retail.tools.think.Think.invoke() got multiple values for keyword argument ' + "'data'",
    );
    expect(observe('get_user_details', '{"user_id": ["ada_1"]}')).toBe("Error: unhashable type: 'list'");
    expect(observe('find_user_id_by_email', '{"email": null}')).toBe(
      "Error: 'NoneType' object has no attribute 'lower'",
    );
  });

  it('lists the domains for an unknown one', () => {
    const data = { ...shop, domain: 'bakery' };
    expect(() => applyAction(data, openOverlay(data), action('think', '{}'))).toThrow(
      'there is no domain named "bakery"',
    );
  });
});

describe('the fold', () => {
  const hash = (actions: readonly Action[]) => dataHash(shop, foldActions(shop, actions), sha256);

  it('needs only the actions that changed data', () => {
    fc.assert(
      fc.property(fc.array(shopActions), (actions) => {
        const overlay = openOverlay(shop);
        const writes = actions.filter((one) => one.name !== RESPOND && applyAction(shop, overlay, one).changed);
        expect(hash(writes)).toBe(dataHash(shop, overlay, sha256));
        expect(sameState(shop, foldActions(shop, writes), overlay)).toBe(true);
      }),
    );
  });

  it('gives the same step whether the state is rebuilt or copied', () => {
    fc.assert(
      fc.property(fc.array(shopActions), shopActions, (actions, next) => {
        fc.pre(next.name !== RESPOND);
        const overlay = foldActions(shop, actions);
        const before = dataHash(shop, overlay, sha256);
        const onCopy = applyAction(shop, overlay.copy(), next);
        expect(dataHash(shop, overlay, sha256)).toBe(before);
        expect(applyAction(shop, foldActions(shop, actions), next)).toEqual(onCopy);
      }),
    );
  });

  it('has equal states exactly if the hashes are equal', () => {
    fc.assert(
      fc.property(fc.array(shopActions), fc.array(shopActions), (a, b) => {
        const same = sameState(shop, foldActions(shop, a), foldActions(shop, b));
        expect(same).toBe(hash(a) === hash(b));
        if (same) expect(sameButForSpelling(shop, foldActions(shop, a), foldActions(shop, b))).toBe(true);
      }),
    );
  });

  it('hashes the same text whatever order tables and keys have', () => {
    const reversed = (value: PyValue): PyValue =>
      isDict(value) ? new Map(Array.from(value, ([key, item]) => [key, reversed(item)] as const).reverse()) : value;
    const tables = reversed(shop.tables);
    if (!isDict(tables)) throw new Error('tables are an object');
    const data = { ...shop, tables };
    expect(dataHash(data, openOverlay(data), sha256)).toBe(hash([]));
  });
});
