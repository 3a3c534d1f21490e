/** The generator of retail packs: the mail-order company Alder & Finch. */

import retail from '../../data/retail.json' with { type: 'json' };
import type { PyDict } from '../../../../src/benchmarks/python/index.ts';
import type { DomainGenerator, GeneratedDomain } from '../generator.ts';
import { whole } from '../options.ts';
import type { Random } from '../random.ts';
import { drawTasks } from '../tasks/draw-tasks.ts';
import { makeProducts } from './model.ts';
import { makeCustomers, makeOrders, toTables } from './records.ts';
import { retailTasks } from './tasks/domain.ts';
import { TERMINATE_TOOLS } from '../texts.ts';

export const retailGenerator: DomainGenerator = {
  rules: {
    env: 'retail',
    name: 'alder-finch',
    fewestCustomers: 4,
    defaultCustomers: 64,
    defaultTasks: 40,
    sizes: ['orders', 'productTypes'],
  },
  settleSizes: (options, { customers, level }) => ({
    orders: whole(
      'the number of orders',
      options.orders ?? Math.ceil(customers * level.crowd),
      customers,
      customers * 5,
    ),
    productTypes: whole('the number of product types', options.productTypes ?? 14, 6, retail.products.length),
  }),
  make: (random, settings, { orders = 0, productTypes = 0 }) => make(random, settings.customers, orders, productTypes),
};

function make(random: Random, customerCount: number, orderCount: number, productTypes: number): GeneratedDomain {
  const products = makeProducts(random.fork('products'), productTypes);
  const customers = makeCustomers(random.fork('customers'), customerCount);
  const orders = makeOrders(random.fork('orders'), orderCount, customers, products);
  const model = { products, customers, orders };
  const tables: PyDict = toTables(model);
  const data = { domain: 'retail', tables, terminateTools: TERMINATE_TOOLS };
  return {
    tables,
    texts: { ...retail, policy: retail.policy.map((line) => line.replace('{productTypes}', String(products.length))) },
    drawTasks: (own, options) => drawTasks(own, { model, data, domain: retailTasks }, options),
  };
}
