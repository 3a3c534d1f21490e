/**
 * Writes down a task's ground truth while the task is made up: the tool calls of an agent that looks up what it needs
 * and then does what the policy asks. Looking up the same thing twice is left out.
 */

import type { PyValue } from '../../../../bench/python/value.ts';
import type { Action } from '../../../../bench/types.ts';
import {
  dollars,
  sumCents,
  type Address,
  type Customer,
  type Order,
  type PaymentMethod,
  type Product,
} from '../model.ts';

/** An item and what it is changed for. */
export interface Swap {
  readonly from: string;
  readonly to: string;
}

export class Script {
  readonly actions: Action[] = [];
  readonly #seen = new Set<string>();

  identify(customer: Customer, by: 'email' | 'name'): void {
    if (by === 'email') this.#call('find_user_id_by_email', { email: customer.email });
    else {
      this.#call('find_user_id_by_name_zip', {
        first_name: customer.firstName,
        last_name: customer.lastName,
        zip: customer.address.zip,
      });
    }
  }

  readUser(customer: Customer): void {
    this.#lookUp('get_user_details', { user_id: customer.id }, customer.id);
  }

  readOrder(order: Order): void {
    this.#lookUp('get_order_details', { order_id: order.id }, order.id);
  }

  /** Goes through the customer's orders as the profile lists them, up to the one that was looked for. */
  findOrder(order: Order): void {
    this.readUser(order.customer);
    for (const candidate of order.customer.orders) {
      this.readOrder(candidate);
      if (candidate === order) return;
    }
  }

  listProducts(): void {
    this.#lookUp('list_all_product_types', {}, 'list_all_product_types');
  }

  readProduct(product: Product): void {
    this.#lookUp('get_product_details', { product_id: product.id }, product.id);
  }

  think(thought: string): void {
    this.#call('think', { thought });
  }

  /** Adds amounts up. @returns the sum as an agent would tell it */
  addUp(cents: readonly number[]): string {
    this.#call('calculate', { expression: cents.map(dollars).join(' + ') });
    return dollars(sumCents(cents.map((amount) => ({ cents: amount }))));
  }

  /** Subtracts. @returns the difference as an agent would tell it */
  subtract(from: number, what: number): string {
    this.#call('calculate', { expression: `${dollars(from)} - ${dollars(what)}` });
    return dollars(from - what);
  }

  transfer(summary: string): void {
    this.#call('transfer_to_human_agents', { summary });
  }

  cancel(order: Order, reason: CancelReason): void {
    this.#call('cancel_pending_order', { order_id: order.id, reason });
  }

  returnItems(order: Order, itemIds: readonly string[], payment: PaymentMethod): void {
    this.#call('return_delivered_order_items', {
      order_id: order.id,
      item_ids: itemIds,
      payment_method_id: payment.id,
    });
  }

  exchange(order: Order, swaps: readonly Swap[], payment: PaymentMethod): void {
    this.#call('exchange_delivered_order_items', { order_id: order.id, ...swapArguments(swaps, payment) });
  }

  modifyItems(order: Order, swaps: readonly Swap[], payment: PaymentMethod): void {
    this.#call('modify_pending_order_items', { order_id: order.id, ...swapArguments(swaps, payment) });
  }

  modifyPayment(order: Order, payment: PaymentMethod): void {
    this.#call('modify_pending_order_payment', { order_id: order.id, payment_method_id: payment.id });
  }

  modifyAddress(order: Order, address: Address): void {
    this.#call('modify_pending_order_address', { order_id: order.id, ...addressArguments(address) });
  }

  modifyUserAddress(customer: Customer, address: Address): void {
    this.#call('modify_user_address', { user_id: customer.id, ...addressArguments(address) });
  }

  #lookUp(name: string, kwargs: Readonly<Record<string, PyValue>>, key: string): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#call(name, kwargs);
  }

  #call(name: string, kwargs: Readonly<Record<string, PyValue>>): void {
    this.actions.push({ name, kwargs: new Map(Object.entries(kwargs)) });
  }
}

export const CANCEL_REASONS = ['no longer needed', 'ordered by mistake'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

function swapArguments(swaps: readonly Swap[], payment: PaymentMethod): Record<string, PyValue> {
  return {
    item_ids: swaps.map((swap) => swap.from),
    new_item_ids: swaps.map((swap) => swap.to),
    payment_method_id: payment.id,
  };
}

function addressArguments(address: Address): Record<string, PyValue> {
  const { address1, address2, city, state, country, zip } = address;
  return { address1, address2, city, state, country, zip };
}
