/** Where retail's families find customers and orders. */

import { Stage, type StageParts } from '../../tasks/stage.ts';
import type { Plot } from '../../tasks/plot.ts';
import type { Customer, Order, OrderStatus, Shop } from '../model.ts';
import { RetailScript } from './script.ts';

export type RetailPlot = Plot<Customer>;
export type RetailFamily = (stage: RetailStage) => RetailPlot | undefined;

/** How the customer can be found: the instruction tells the customer only that. */
export type Identity = 'email' | 'name';

export class RetailStage extends Stage<Shop> {
  readonly identity: Identity;
  readonly #script: RetailScript | undefined;

  /** @param script of a conversation that has begun with another goal */
  constructor(parts: StageParts<Shop>, identity: Identity, script?: RetailScript) {
    super(parts);
    this.identity = identity;
    this.#script = script;
  }

  /** A script in which the agent has found out who the customer is. */
  begin(customer: Customer): RetailScript {
    if (this.#script !== undefined) return this.#script;
    const script = new RetailScript();
    script.identify(customer, this.identity);
    return script;
  }

  /** A random one of what `options` gives for a random order of that status. */
  fromOrder<T>(status: OrderStatus, options: (order: Order) => readonly T[]): readonly [Order, T] | undefined {
    return this.search(this.world.orders, (order) => (order.status === status ? options(order) : []));
  }

  /** A random one of what `options` gives for a random customer. */
  fromCustomer<T>(options: (customer: Customer) => readonly T[]): readonly [Customer, T] | undefined {
    return this.search(this.world.customers, options);
  }
}
