/**
 * The list of prices: the one that ships with the price library, or a newer one that `tauflow models --refresh` has kept
 * on this machine.
 */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Prices from '@pydantic/genai-prices';
import * as z from 'zod';
import { UsageError } from '../errors/index.ts';
import { makeFolders, writeFileAtomically } from '../io/index.ts';
import { PROVIDERS } from './provider-table.ts';

const require = createRequire(import.meta.url);

/** The public list that the library's makers keep up to date. */
export const PRICE_SOURCE = 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json';

/** More than ten times the size of today's list. */
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** The fields that decide a price; the library reads the rest. */
const listSchema = z
  .array(z.looseObject({ id: z.string(), models: z.array(z.looseObject({ id: z.string(), prices: z.unknown() })) }))
  .min(1);
const keptSchema = z.object({ source: z.string(), taken: z.string(), list: listSchema });

export interface PriceListOrigin {
  readonly source: string;
  /** Day on which it was taken; null: the list that ships with Tauflow. */
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

/** The library with the list of this process. The list takes 0.03 s to load, and a command's start needs no price. */
export function priceLibrary(): typeof Prices {
  return load().library;
}

export function priceListOrigin(): PriceListOrigin {
  return load().origin;
}

function load(): NonNullable<typeof loaded> {
  if (loaded !== undefined) return loaded;
  // The library cannot go back to the list that it ships with: another instance has it.
  if (isReplaced) Reflect.deleteProperty(require.cache, require.resolve(LIBRARY));
  isReplaced = false;
  const library = require(LIBRARY) as typeof Prices;
  const kept = folder === null ? null : readKept(fileIn(folder));
  if (kept !== null) use(library, kept.list);
  loaded = { library, origin: kept ?? SHIPPED };
  return loaded;
}

/** A file that is damaged counts as none: the shipped list holds. */
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

export interface PriceChanges {
  /** Names of models with their provider's: `openai/gpt-5.6`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Takes a list from its source, keeps it, and says what is new in it, of the providers that Tauflow has.
 * @param source an address or a file
 * @param today for the list's date: `2026-11-27`
 * @throws UsageError where there is no list
 */
export async function refreshPrices(source: string, home: string, today: string): Promise<PriceChanges> {
  keepPricesIn(home);
  const library = priceLibrary();
  const before = pricesIn(library);
  const list = listSchema.safeParse(await readSource(source));
  if (!list.success) throw new UsageError(`${source} is not a list of prices; nothing was changed.`);
  use(library, list.data);
  const after = pricesIn(library);
  const file = fileIn(home);
  await makeFolders(dirname(file), 0o700);
  await writeFileAtomically(file, JSON.stringify({ source, taken: today, list: list.data }));
  keepPricesIn(home);
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: [...after].flatMap(([name, price]) => (before.has(name) && before.get(name) !== price ? [name] : [])),
  };
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

async function readSource(source: string): Promise<unknown> {
  try {
    return JSON.parse(await (/^https?:\/\//.test(source) ? download(source) : readFile(source, 'utf8'))) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`prices cannot be read from ${source}: ${reason}; name another place with --source.`);
  }
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${String(response.status)}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  const body = response.body as AsyncIterable<Uint8Array> | null;
  if (body === null) throw new Error('it is empty');
  for await (const part of body) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error('it is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
