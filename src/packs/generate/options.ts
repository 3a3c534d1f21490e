/** What can be asked of the generator. */

import { CATALOGUE } from './retail/catalogue.ts';
import { PackError } from '../problem.ts';
import { PACK_NAME } from '../manifest.schema.ts';

/** Seed of the shipped pack. */
export const DEFAULT_SEED = 1;

export interface GenerateOptions {
  /** The same seed and sizes give the same pack, byte for byte. @default 1 */
  readonly seed?: number;
  /** Tasks of the `test` split. @default 40 */
  readonly tasks?: number;
  /** Tasks of the `dev` split. @default 8 */
  readonly devTasks?: number;
  /** @default 64, or three for every four tasks when that is more */
  readonly customers?: number;
  /** At most five a customer. @default two and a half a customer */
  readonly orders?: number;
  /** @default 14 */
  readonly productTypes?: number;
  /** @default `alder-finch`, with the seed where it is not the default one */
  readonly name?: string;
}

export type GenerateSettings = Required<GenerateOptions>;

/** Fills the defaults in. @throws PackError for sizes that no shop can have */
export function settle(options: GenerateOptions): GenerateSettings {
  const seed = whole('the seed', options.seed ?? DEFAULT_SEED, 0, Number.MAX_SAFE_INTEGER);
  const tasks = whole('the number of tasks', options.tasks ?? 40, 1, 50_000);
  const devTasks = whole('the number of dev tasks', options.devTasks ?? 8, 1, 50_000);
  const customers = whole(
    'the number of customers',
    options.customers ?? Math.max(64, Math.ceil((tasks + devTasks) * 0.75)),
    4,
    100_000,
  );
  const orders = whole('the number of orders', options.orders ?? Math.ceil(customers * 2.5), customers, customers * 5);
  const productTypes = whole('the number of product types', options.productTypes ?? 14, 6, CATALOGUE.length);
  const name = options.name ?? (seed === DEFAULT_SEED ? 'alder-finch' : `alder-finch-${String(seed)}`);
  if (!PACK_NAME.test(name)) {
    throw new PackError(`${JSON.stringify(name)} is no pack's name: letters, digits, ".", "_" and "-" only.`);
  }
  return { seed, tasks, devTasks, customers, orders, productTypes, name };
}

function whole(what: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new PackError(`${what} must be whole and from ${String(min)} to ${String(max)}, not ${String(value)}.`);
}
