/** The list of prices: the price library's, or a newer one from `tauflow models --refresh` on this machine. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Prices from '@pydantic/genai-prices';
import * as z from 'zod';
import { makeFolders, writeFileAtomically } from '../io/index.ts';
import { PROVIDERS } from './provider-table.ts';

const require = createRequire(import.meta.url);

/** The public list that the library's authors maintain. */
export const PRICE_SOURCE = 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json';

/** The fields that decide a price; the library reads the rest. */
const listSchema = z
  .array(z.looseObject({ id: z.string(), models: z.array(z.looseObject({ id: z.string(), prices: z.unknown() })) }))
  .min(1);
const keptSchema = z.object({ source: z.string(), taken: z.string(), list: listSchema });

export interface PriceListOrigin {
  readonly source: string;
  /** Date of the list; null: the list that ships with Tauflow. */
  readonly taken: string | null;
}

const SHIPPED: PriceListOrigin = { source: 'the list that ships with Tauflow', taken: null };

const LIBRARY = '@pydantic/genai-prices';

let folder: string | null = null;
let isReplaced = false;
let loaded: { readonly library: typeof Prices; readonly origin: PriceListOrigin } | undefined;

/** Uses the list that is kept in a folder, if there is one, for all prices of this process. */
export function keepPricesIn(home: string): void {
  folder = home;
  loaded = undefined;
}

/** Returns the library with this process's list. Loading takes 0.03 s, so it waits until a price is needed. */
export function priceLibrary(): typeof Prices {
  return load().library;
}

export function priceListOrigin(): PriceListOrigin {
  return load().origin;
}

function load(): NonNullable<typeof loaded> {
  if (loaded !== undefined) return loaded;
  // The library cannot return to its shipped list, so another instance is loaded.
  if (isReplaced) Reflect.deleteProperty(require.cache, require.resolve(LIBRARY));
  isReplaced = false;
  const library = require(LIBRARY) as typeof Prices;
  const kept = folder === null ? null : readKept(fileIn(folder));
  if (kept !== null) use(library, kept.list);
  loaded = { library, origin: kept ?? SHIPPED };
  return loaded;
}

/** Reads the kept list; null if it is missing or damaged, so that the shipped list is used. */
function readKept(file: string): z.infer<typeof keptSchema> | null {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function use(library: typeof Prices, list: z.infer<typeof listSchema>): void {
  isReplaced = true;
  library.updatePrices(({ setProviderData }: Prices.StorageFactoryParams) => {
    setProviderData(list as unknown as Prices.Provider[]);
  });
}

function fileIn(home: string): string {
  return join(home, 'models', 'prices.json');
}

type PriceList = z.infer<typeof listSchema>;

export function isPriceList(document: unknown): document is PriceList {
  return listSchema.safeParse(document).success;
}

/**
 * Keeps a list and uses it from now on.
 * @returns the earlier and the new prices of Tauflow's providers by name, `openai/gpt-5.6`
 */
export async function replacePrices(
  list: PriceList,
  source: string,
  home: string,
  today: string,
): Promise<{ readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> }> {
  keepPricesIn(home);
  const library = priceLibrary();
  const before = pricesIn(library);
  use(library, list);
  const after = pricesIn(library);
  const file = fileIn(home);
  await makeFolders(dirname(file), 0o700);
  await writeFileAtomically(file, JSON.stringify({ source, taken: today, list }));
  keepPricesIn(home);
  return { before, after };
}

function pricesIn({ findProvider }: typeof Prices): Map<string, string> {
  const prices = new Map<string, string>();
  for (const { name, prices: source } of PROVIDERS) {
    if (source.kind !== 'listed') continue;
    for (const { id, prices: price } of findProvider({ providerId: source.providerId })?.models ?? []) {
      prices.set(`${name}/${id}`, JSON.stringify(price));
    }
  }
  return prices;
}
