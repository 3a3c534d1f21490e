/** Declares retail's families: tasks about one order, and tasks about a customer with several. */

import type { Random } from '../../random.ts';
import type { Named } from '../../tasks/ground.ts';
import { defineFamily, type FamilySpec } from '../../tasks/family.ts';
import type { Customer, Order, OrderStatus, Product, RetailModel } from '../model.ts';
import type { RetailFamily, RetailScript, RetailContext } from './context.ts';
import { nameOrder } from './words.ts';

interface Parts {
  readonly context: RetailContext;
  readonly random: Random;
  readonly model: RetailModel;
  readonly customer: Customer;
}

interface OrderParts extends Parts {
  readonly order: Order;
}

interface OrderScripted {
  readonly script: RetailScript;
  /** The order in words. */
  readonly name: Named<Order>;
}

interface OrderSpec<Found, Drawn> extends FamilySpec<RetailContext, Order, OrderParts, OrderScripted, Found, Drawn> {
  readonly status: OrderStatus;
  /** The agent reads the user's profile before the order. */
  readonly readsUser?: true;
  /** A product that the goal names, so that it does not also identify the order. */
  readonly product?: (found: Found) => Product;
  /** The agent reads that product after the order. */
  readonly readsProduct?: true;
}

export function aboutOrder<Found = Order, Drawn = undefined>(spec: OrderSpec<Found, Drawn>): RetailFamily {
  return defineFamily(
    {
      search: (context: RetailContext, options) => context.fromOrder(spec.status, options),
      parts: (context, order): OrderParts => ({ ...partsOf(context, order.customer), order }),
      begin: ({ context, order, customer }: OrderParts, found: Found): OrderScripted => {
        const script = context.begin(customer);
        if (spec.readsUser === true) script.readUser(customer);
        const product = spec.product?.(found);
        const name = nameOrder(context, script, order, product);
        if (spec.readsProduct === true && product !== undefined) script.readProduct(product);
        return { script, name };
      },
    },
    spec,
  );
}

export function aboutCustomer<Found = Customer, Drawn = undefined>(
  spec: FamilySpec<RetailContext, Customer, Parts, { readonly script: RetailScript }, Found, Drawn>,
): RetailFamily {
  return defineFamily(
    {
      search: (context: RetailContext, options) => context.fromCustomer(options),
      parts: partsOf,
      begin: ({ context, customer }) => ({ script: context.begin(customer) }),
    },
    spec,
  );
}

function partsOf(context: RetailContext, customer: Customer): Parts {
  const { random, model } = context;
  return { context, random, model, customer };
}
