/** A tea shop: its data are `data/*.json`, its policy is `policy.md`, its tasks are `tasks.yaml`. */

import { defineBenchmark, z } from 'tauflow/benchmark';

interface Order {
  customer_id: string;
  product_id: string;
  count: number;
  total: number;
  status: 'pending' | 'delivered' | 'canceled' | 'refunded';
}

interface Shop {
  customers: Record<string, { name: string; email: string; credit: number }>;
  products: Record<string, { name: string; price: number; stock: number }>;
  orders: Record<string, Order>;
}

/** An exception becomes the tool's answer: the agent reads `Error: there is no order O9`. */
function find<T>(table: Record<string, T>, id: string, kind: string): T {
  const record = table[id];
  if (record === undefined) throw new Error(`there is no ${kind} ${id}`);
  return record;
}

const order_id = z.string().describe('The order’s id, such as O1.');

export default defineBenchmark({
  name: 'my-benchmark',
  tools: {
    find_customer: {
      description: 'Finds a customer’s id and record by their e-mail address.',
      parameters: z.object({ email: z.email() }),
      run(shop: Shop, { email }) {
        const found = Object.entries(shop.customers).find(([, customer]) => customer.email === email);
        if (found === undefined) throw new Error('there is no customer with this address');
        const [customer_id, customer] = found;
        return { customer_id, ...customer };
      },
    },
    list_orders: {
      description: 'Lists the orders of a customer.',
      parameters: z.object({ customer_id: z.string() }),
      run(shop: Shop, { customer_id }) {
        find(shop.customers, customer_id, 'customer');
        return Object.entries(shop.orders)
          .filter(([, order]) => order.customer_id === customer_id)
          .map(([order_id, order]) => ({ order_id, ...order }));
      },
    },
    show_product: {
      description: 'Shows the name, price and stock of a product.',
      parameters: z.object({ product_id: z.string() }),
      run: (shop: Shop, { product_id }) => find(shop.products, product_id, 'product'),
    },
    place_order: {
      description: 'Orders a product for a customer.',
      parameters: z.object({ customer_id: z.string(), product_id: z.string(), count: z.int().positive() }),
      run(shop: Shop, { customer_id, product_id, count }) {
        find(shop.customers, customer_id, 'customer');
        const product = find(shop.products, product_id, 'product');
        if (product.stock < count) throw new Error(`only ${product.stock} are in stock`);
        product.stock -= count;
        const order_id = `O${Object.keys(shop.orders).length + 1}`;
        const order: Order = { customer_id, product_id, count, total: product.price * count, status: 'pending' };
        shop.orders[order_id] = order;
        return { order_id, ...order };
      },
    },
    cancel_order: {
      description: 'Cancels a pending order.',
      parameters: z.object({ order_id }),
      run(shop: Shop, { order_id }) {
        const order = find(shop.orders, order_id, 'order');
        if (order.status !== 'pending') throw new Error(`the order is ${order.status}`);
        find(shop.products, order.product_id, 'product').stock += order.count;
        order.status = 'canceled';
        return order;
      },
    },
    refund_order: {
      description: 'Adds the total of a delivered order to the customer’s credit.',
      parameters: z.object({ order_id, reason: z.enum(['damaged', 'wrong item']) }),
      run(shop: Shop, { order_id }) {
        const order = find(shop.orders, order_id, 'order');
        if (order.status !== 'delivered') throw new Error(`the order is ${order.status}`);
        const customer = find(shop.customers, order.customer_id, 'customer');
        customer.credit += order.total;
        order.status = 'refunded';
        return { refunded: order.total, credit: customer.credit };
      },
    },
    transfer_to_human: {
      description: 'Hands the conversation over to a colleague.',
      parameters: z.object({ summary: z.string() }),
      ends: true,
      run: () => 'A colleague takes over.',
    },
  },
});
