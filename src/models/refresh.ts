/** `tauflow models --refresh`: the newest public lists of prices and of models, kept on this machine. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UsageError } from '../errors/index.ts';
import { decodeText } from '../io/index.ts';
import {
  MODEL_LICENCE,
  MODEL_SOURCE,
  contradiction,
  factsByName,
  keepModelList,
  readModelList,
  toModelList,
} from './model-list.ts';
import { PROVIDERS, keyProblems, listKeyVariables, resolveProvider, usableBaseUrl } from './providers.ts';
import { listModels } from './served-models.ts';
import { PRICE_SOURCE, isPriceList, replacePrices } from './price-list.ts';

/** Largest list, in bytes; more than ten times the size of current lists. */
const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const LIST_TIMEOUT_MS = 10_000;

/** Changes of a list: names of models with their provider's, such as `openai/gpt-5.6`. */
export interface ListChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** The changes of each refreshed list. */
export interface RefreshResult {
  readonly prices?: ListChanges;
  readonly models?: ListChanges;
  /**
   * Facts about models that are new or have changed, which the rules contradict: `openai/gpt-9 takes no temperature`.
   */
  readonly contradictions?: readonly string[];
  /** Providers whose own lists have dates of retirement. */
  readonly asked?: readonly string[];
}

/**
 * Fetches lists from their sources, keeps them, and compares them with the earlier ones, for Tauflow's providers. It
 * reads all lists before it writes the first one.
 * @param sources addresses or files, distinguished by their form; none: the public lists
 * @param today date of the lists: `2026-11-27`
 * @param env keys of providers, whose own lists are requested if no source is named. @default none
 * @throws UsageError for a source that is no list
 */
export async function refreshLists(
  sources: readonly string[],
  home: string,
  today: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RefreshResult> {
  const names = sources.length === 0 ? [PRICE_SOURCE, MODEL_SOURCE] : sources;
  const read = await Promise.all(names.map(async (source) => ({ source, document: await readSource(source) })));
  const lists = read.map(({ source, document }) => {
    if (isPriceList(document)) return { source, prices: document };
    const models = toModelList(document, { source, licence: MODEL_LICENCE, taken: today });
    if (models !== null) return { models };
    throw new UsageError(`${source} is a list neither of prices nor of models; nothing was changed.`);
  });
  let refreshed: RefreshResult = {};
  for (const list of lists) {
    if (list.prices !== undefined) {
      const { before, after } = await replacePrices(list.prices, list.source, home, today);
      refreshed = { ...refreshed, prices: compare(before, after) };
      continue;
    }
    const facts = factsByName(list.models);
    const after = new Map([...facts].map(([name, each]) => [name, JSON.stringify(each)]));
    const known = factsByName(await readModelList(home));
    const changes = compare(new Map([...known].map(([name, each]) => [name, JSON.stringify(each)])), after);
    const announced = sources.length === 0 ? await readAnnounced(env) : new Map<string, string | null>();
    const asked = [...new Set(Array.from(announced.keys(), (name) => name.slice(0, name.indexOf('/'))))];
    await keepModelList(home, { ...list.models, announced: Object.fromEntries(announced) });
    const contradictions = [...changes.added, ...changes.changed].flatMap((name) => {
      const said = contradiction(name, facts.get(name) ?? {});
      return said === null ? [] : [`${name} ${said}`];
    });
    refreshed = { ...refreshed, models: changes, contradictions, ...(asked.length === 0 ? {} : { asked }) };
  }
  return refreshed;
}

/** Reads dates from the lists of the providers whose key is set, by `openai/gpt-4o`; null: none is announced. */
export async function readAnnounced(env: NodeJS.ProcessEnv): Promise<Map<string, string | null>> {
  // `doctor` reports wrong keys and addresses.
  const providers = PROVIDERS.filter(
    (row) =>
      listKeyVariables(row).some((variable) => (env[variable] ?? '') !== '') &&
      keyProblems(row.name, env).length === 0 &&
      usableBaseUrl(row.name, env) !== null,
  );
  const lists = await Promise.all(
    providers.map(async ({ name }) => {
      const models = (await listModels(resolveProvider(name, env), LIST_TIMEOUT_MS)) ?? [];
      return models.flatMap(({ name: model, retires }) =>
        retires === undefined ? [] : [[`${name}/${model}`, retires] as const],
      );
    }),
  );
  return new Map(lists.flat());
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ListChanges {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: [...after].flatMap(([name, value]) => (before.has(name) && before.get(name) !== value ? [name] : [])),
  };
}

async function readSource(source: string): Promise<unknown> {
  try {
    return JSON.parse(await readText(/^https?:\/\//.test(source) ? await download(source) : await open(source)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`no list can be read from ${source}: ${reason}; name another place with --source.`);
  }
}

async function open(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (!(await stat(file)).isFile()) throw new Error('it is no file');
  return createReadStream(file) as AsyncIterable<Uint8Array>;
}

async function download(url: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${String(response.status)}`);
  const body = response.body as AsyncIterable<Uint8Array> | null;
  if (body === null) throw new Error('it is empty');
  return body;
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error('it is too large');
    parts.push(part);
  }
  return decodeText(Buffer.concat(parts));
}
