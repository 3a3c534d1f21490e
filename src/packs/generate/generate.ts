/**
 * Makes a synthetic shop: products, customers, orders, policy, tool descriptions, prompts, and tasks whose ground truth
 * is written together with their instructions. Everything is derived from the seed, nothing from the clock.
 */

import { dumpJson, type Dumpable } from '../../bench/python/json.ts';
import { tableFile } from '../domains.ts';
import { MANIFEST_FORMAT, type Manifest } from '../manifest.schema.ts';
import { sha256 } from '../manifest.ts';
import type { Shop } from './retail/model.ts';
import { settle, type GenerateOptions, type GenerateSettings } from './options.ts';
import { makeOrders } from './retail/orders.ts';
import { makeCustomers } from './retail/people.ts';
import { policyText, RULES } from './retail/policy.ts';
import { agentPrompts, userPrompts } from './prompts.ts';
import { Random } from './random.ts';
import { makeProducts } from './retail/stock.ts';
import { toTables } from './retail/tables.ts';
import { dealTasks } from './retail/tasks/deal.ts';
import { TERMINATE_TOOLS, toolSchemas } from './retail/tools.ts';

export interface GeneratedPack {
  readonly manifest: Manifest;
  /** File name → text, `pack.json` left out. */
  readonly files: ReadonlyMap<string, string>;
}

/** @throws PackError for options that make no shop */
export function generatePack(options: GenerateOptions = {}): GeneratedPack {
  const settings = settle(options);
  const random = new Random(String(settings.seed));
  const shop = makeShop(random, settings);
  const taken = new Set<string>();
  // Both strides reach every family: they have no factor in common with the deck's size.
  const test = dealTasks(random.fork('test'), shop, { count: settings.tasks, stride: 1, taken });
  const dev = dealTasks(random.fork('dev'), shop, { count: settings.devTasks, stride: 13, taken });
  const files = new Map<string, string>([
    ...Object.entries(toTables(shop)).map(([table, records]): [string, string] => [tableFile(table), json(records)]),
    ['wiki.md', policyText(shop.products.length)],
    ['rules.json', json(RULES)],
    ['tools.json', json(toolSchemas())],
    ['terminate_tools.json', json(TERMINATE_TOOLS)],
    ['user-prompts.json', json(userPrompts())],
    ['agent-prompts.json', json(agentPrompts())],
    ['tasks-test.json', json(test)],
    ['tasks-dev.json', json(dev)],
  ]);
  return { manifest: describe(settings, files), files };
}

/** The text of `pack.json`. */
export function manifestText(manifest: Manifest): string {
  return json(manifest);
}

function makeShop(random: Random, settings: GenerateSettings): Shop {
  const products = makeProducts(random.fork('products'), settings.productTypes);
  const customers = makeCustomers(random.fork('customers'), settings.customers);
  const orders = makeOrders(random.fork('orders'), settings.orders, customers, products);
  return { products, customers, orders };
}

function describe(settings: GenerateSettings, files: ReadonlyMap<string, string>): Manifest {
  const { seed, tasks, devTasks, customers, orders, productTypes } = settings;
  const hashes = Array.from(files, ([file, text]) => [file, sha256(text)] as const).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    format: MANIFEST_FORMAT,
    name: settings.name,
    domain: 'retail',
    source:
      `tauflow data generate --seed ${String(seed)} --tasks ${String(tasks)} --dev-tasks ${String(devTasks)} ` +
      `--customers ${String(customers)} --orders ${String(orders)} --product-types ${String(productTypes)}`,
    licence: 'MIT',
    files: Object.fromEntries(hashes),
  };
}

function json(value: Dumpable): string {
  return `${dumpJson(value, { indent: 2 })}\n`;
}
