/** The tool calls of a retail ground truth, and the context that retail's families draw from. */

import { isList } from '../../../../../src/benchmarks/python/index.ts';
import { Script, DrawContext, type Scenario, type ContextParts } from '../../tasks/scenario.ts';
import { field, combineGrounds, type Evidence, type Ground } from '../../tasks/ground.ts';
import {
  dollars,
  sumCents,
  type Customer,
  type Order,
  type OrderStatus,
  type Product,
  type RetailModel,
} from '../model.ts';

/** An item and its replacement. */
interface Swap {
  readonly from: Ground;
  readonly to: Ground;
}

export class RetailScript extends Script {
  identify(customer: Customer, by: 'email' | 'name'): void {
    if (by === 'email') this.call('find_user_id_by_email', { email: customer.email });
    else {
      this.call('find_user_id_by_name_zip', {
        first_name: customer.firstName,
        last_name: customer.lastName,
        zip: customer.address.zip,
      });
    }
  }

  readOrder(order: Order): void {
    this.lookUp('get_order_details', { order_id: order.id }, order.id);
  }

  /** Reads the customer's orders up to the given one. */
  findOrder(order: Order): void {
    this.readOrders(order.customer, order);
  }

  /** Reads all orders, as a comparison needs. */
  readOrders(customer: Customer, wanted?: Order): void {
    this.readRecords(customer, customer.orders, (order) => this.readOrder(order), wanted);
  }

  listProducts(): void {
    this.lookUp('list_all_product_types', {}, 'list_all_product_types');
  }

  readProduct(product: Product): void {
    this.lookUp('get_product_details', { product_id: product.id }, product.id);
  }

  /** Adds amounts. @returns the sum in an agent's words */
  addUp(cents: readonly number[]): string {
    this.call('calculate', { expression: cents.map(dollars).join(' + ') });
    return dollars(sumCents(cents.map((amount) => ({ cents: amount }))));
  }

  /** Subtracts. @returns the difference in an agent's words */
  subtract(from: number, what: number): string {
    this.call('calculate', { expression: `${dollars(from)} - ${dollars(what)}` });
    return dollars(from - what);
  }

  cancel(order: Evidence, reason: Ground): void {
    this.write('cancel_pending_order', { order_id: order, reason });
  }

  returnItems(order: Evidence, items: Ground, payment: Ground): void {
    this.write('return_delivered_order_items', { order_id: order, item_ids: items, payment_method_id: payment });
  }

  exchange(order: Evidence, swaps: readonly Swap[], payment: Ground): void {
    this.write('exchange_delivered_order_items', { order_id: order, ...swapEvidence(swaps, payment) });
  }

  /** One or two equal items, all for the same version. */
  exchangeEqual(order: Evidence, items: Ground, to: Ground, payment: Ground): void {
    const count = isList(items.argument) ? items.argument.length : 0;
    this.write('exchange_delivered_order_items', {
      order_id: order,
      item_ids: items,
      new_item_ids: combineGrounds(Array.from({ length: count }, () => to)),
      payment_method_id: payment,
    });
  }

  modifyItems(order: Evidence, swaps: readonly Swap[], payment: Ground): void {
    this.write('modify_pending_order_items', { order_id: order, ...swapEvidence(swaps, payment) });
  }

  modifyPayment(order: Evidence, payment: Ground): void {
    this.write('modify_pending_order_payment', { order_id: order, payment_method_id: payment });
  }

  modifyAddress(order: Evidence, address: Ground): void {
    this.write('modify_pending_order_address', { order_id: order, ...addressEvidence(address) });
  }

  modifyUserAddress(customer: Customer, address: Ground): void {
    this.write('modify_user_address', {
      user_id: { self: true, argument: customer.id },
      ...addressEvidence(address),
    });
  }
}

export const CANCEL_REASONS = ['no longer needed', 'ordered by mistake'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

function swapEvidence(swaps: readonly Swap[], payment: Ground): Record<string, Evidence> {
  return {
    item_ids: combineGrounds(swaps.map((swap) => swap.from)),
    new_item_ids: combineGrounds(swaps.map((swap) => swap.to)),
    payment_method_id: payment,
  };
}

function addressEvidence(address: Ground): Record<string, Evidence> {
  const keys = ['address1', 'address2', 'city', 'state', 'country', 'zip'];
  return Object.fromEntries(keys.map((key) => [key, field(address, key)]));
}

export type RetailScenario = Scenario<Customer>;
export type RetailFamily = (context: RetailContext) => RetailScenario | undefined;

/** The data by which the user can be found; the instruction gives only these. */
type Identity = 'email' | 'name';

export class RetailContext extends DrawContext<Customer, RetailModel, RetailScript> {
  constructor(
    parts: ContextParts<RetailModel, RetailScript>,
    readonly identity: Identity,
  ) {
    super(parts);
  }

  /** Returns a script in which the agent has identified the customer. */
  begin(customer: Customer): RetailScript {
    if (this.begun !== undefined) return this.begun;
    const script = new RetailScript();
    script.identify(customer, this.identity);
    return script;
  }

  /** Finds a random one of what `options` gives for a random order of that status. */
  fromOrder<T>(status: OrderStatus, options: (order: Order) => readonly T[]): readonly [Order, T] | undefined {
    return this.search(this.model.orders, (order) => (order.status === status ? options(order) : []));
  }
}
