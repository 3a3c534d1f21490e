/** What a family of tasks is given to make one task from, and what it makes. */

import type { Customer, Order, OrderStatus, Shop } from '../model.ts';
import type { Random } from '../../random.ts';
import { Script } from './script.ts';

/** A task without its frame: who the customer is and how the customer talks is added to it. */
export interface Plot {
  readonly customer: Customer;
  readonly script: Script;
  /** What the customer wants, in sentences that start with "You". They leave one right outcome only. */
  readonly goal: string;
  /** What the agent has to tell. */
  readonly outputs?: readonly string[];
}

/** Makes one task of its kind; undefined when the shop has nobody whom it fits. */
export type Family = (stage: Stage) => Plot | undefined;

export class Stage {
  readonly random: Random;
  readonly shop: Shop;
  /** How the customer can be found: the instruction tells the customer only that. */
  readonly identity: 'email' | 'name';

  constructor(random: Random, shop: Shop, identity: 'email' | 'name') {
    this.random = random;
    this.shop = shop;
    this.identity = identity;
  }

  /** A script in which the agent has found out who the customer is. */
  begin(customer: Customer): Script {
    const script = new Script();
    script.identify(customer, this.identity);
    return script;
  }

  /** A random one of what `options` gives for a random order of that status. */
  fromOrder<T>(status: OrderStatus, options: (order: Order) => readonly T[]): readonly [Order, T] | undefined {
    const orders = this.shop.orders;
    return this.#search(orders, (order) => (order.status === status ? options(order) : []));
  }

  /** A random one of what `options` gives for a random customer. */
  fromCustomer<T>(options: (customer: Customer) => readonly T[]): readonly [Customer, T] | undefined {
    return this.#search(this.shop.customers, options);
  }

  /** Starts anywhere and takes the first that has an option: much quicker than to look at all of them. */
  #search<S, T>(subjects: readonly S[], options: (subject: S) => readonly T[]): readonly [S, T] | undefined {
    const start = subjects.length === 0 ? 0 : this.random.int(0, subjects.length - 1);
    for (let i = 0; i < subjects.length; i++) {
      const subject = subjects[(start + i) % subjects.length] as S;
      const found = options(subject);
      if (found.length > 0) return [subject, this.random.pick(found)];
    }
    return undefined;
  }
}

/** All ordered pairs of different items. */
export function pairs<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((a, i) => items.filter((_, j) => i !== j).map((b) => [a, b] as const));
}
