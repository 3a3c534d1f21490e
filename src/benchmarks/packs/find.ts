/**
 * Finds packs: those shipped with the program (`data/<env>`), imported ones (`<home>/packs/<name>`), and any folder
 * that a user names. A sweep's pack is found by its digest, in any folder.
 */

import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { getContent, contents } from '../contents.ts';
import { claimedDigest } from './folder.ts';
import { DOMAINS, PACK_NAME } from './manifest.ts';
import type { PackRef } from './ref.ts';
import { PackError, listWords, type Pack } from './types.ts';
import { readPack } from './read.ts';
import { isFolder } from '../../io/index.ts';
import { UnreachableError, UsageError, onError } from '../../errors/index.ts';
import { chooseService, type ServiceFlags } from '../service/choose.ts';
import type { ServiceDeps } from '../service/open.ts';
import { findServicePack, resolveServicePack, type ServiceChoice } from '../service/pack.ts';
import { EnvironmentServiceError, OUTAGE_ADVICE } from '../service/port.ts';

export interface PackPlaces {
  /** Folder of TAUFLOW_HOME; imported packs are in `<home>/packs`. @default no imported packs */
  readonly home?: string;
  /** Environment variables of environment services. @default those of this process */
  readonly environ?: ServiceDeps['env'];
}

export type PackListing = {
  readonly name: string;
  readonly path: string;
  readonly origin: 'shipped' | 'imported';
} & ({ readonly kind: 'usable'; readonly pack: Pack } | { readonly kind: 'broken'; readonly problem: string });

/** Most packs in memory. A sweep uses one pack, a worker a few. */
const MAX_LOADED = 8;

/** Packs of this process by digest; all episodes share them. */
const loaded = new LRUCache<string, Pack>({ max: MAX_LOADED });
/** Searches in progress by digest, so that many simultaneous steps read the pack once. */
const searches = new Map<string, Promise<Pack | undefined>>();

/**
 * Returns the pack that a user names.
 * @param env the domain of the pack
 * @param nameOrPath a folder, or the name of an imported pack; absent: the pack shipped for the env
 * @param service further flags of an environment service
 * @throws PackError for a missing or unusable pack, or one of another domain; errors of {@link resolveService}
 */
export async function resolvePack(
  env: string,
  nameOrPath?: string,
  places: PackPlaces = {},
  service: Omit<ServiceFlags, 'env' | 'pack'> = {},
): Promise<Pack> {
  const choice = chooseService({ env, pack: nameOrPath, ...service });
  if (choice !== null) return resolveService(choice, places.environ);
  const pack = await readPack(await findPackFolder(env, nameOrPath, places));
  if (pack.domain !== env) {
    throw new PackError(
      `the pack ${pack.ref.name} in ${pack.ref.path} is of the domain ${pack.domain}, but the env is ${env}; ` +
        `use --env ${pack.domain} or another pack.`,
    );
  }
  return rememberPack(pack);
}

/**
 * Returns the pack of an environment service.
 * @throws UsageError, PackError; UnreachableError for a service that does not answer
 */
export async function resolveService(choice: ServiceChoice, environ: ServiceDeps['env'] = process.env): Promise<Pack> {
  const failed = ({ fault, message }: EnvironmentServiceError) => {
    throw fault === 'outage' ? new UnreachableError(`${message}${OUTAGE_ADVICE}`) : new UsageError(message);
  };
  return rememberPack(
    await resolveServicePack(choice, { env: environ }).catch(onError(failed, EnvironmentServiceError)),
  );
}

/**
 * Finds the pack of a sweep's input by its digest; its name on this machine may differ.
 * @returns undefined if this machine lacks it, or its environment service does not answer; a pack with other files
 * never replaces it
 */
export function findPackByRef(ref: PackRef, places: PackPlaces = {}): Promise<Pack | undefined> {
  const found = loadPackByRef(ref, places);
  return ref.environment === undefined
    ? found
    : found.catch(onError<Error, undefined>(() => undefined, EnvironmentServiceError, UsageError));
}

/**
 * Finds a pack like {@link findPackByRef}, for a worker. @throws EnvironmentServiceError, UsageError for an environment
 * service that does not answer
 */
export async function loadPackByRef(ref: PackRef, places: PackPlaces = {}): Promise<Pack | undefined> {
  const known = loaded.get(ref.digest);
  if (known !== undefined) return known;
  const search = searches.get(ref.digest) ?? searchPack(ref, places);
  searches.set(ref.digest, search);
  try {
    return await search;
  } finally {
    searches.delete(ref.digest);
  }
}

/** Lists the shipped packs, then the imported ones by name; an unusable pack has the reason. */
export async function listPacks(places: PackPlaces = {}): Promise<PackListing[]> {
  const shipped = (await shippedFolders()).map((path) => ({ path, origin: 'shipped' as const }));
  const imported = (await importedFolders(places)).map((path) => ({ path, origin: 'imported' as const }));
  return Promise.all([...shipped, ...imported].map(({ path, origin }) => listPack(path, origin)));
}

/** Returns the folder of a domain's shipped pack; undefined if there is none. */
export async function shippedPackFolder(domain: string): Promise<string | undefined> {
  const folder = dirname(fileURLToPath(import.meta.resolve(`#data/${domain}/pack.json`)));
  return (await isFolder(folder)) ? folder : undefined;
}

async function findPackFolder(env: string, nameOrPath: string | undefined, places: PackPlaces): Promise<string> {
  if (nameOrPath === undefined) {
    const shipped = DOMAINS.includes(env) ? await shippedPackFolder(env) : undefined;
    if (shipped !== undefined) return shipped;
    if (getContent(env).takesImportedPack) return findPackFolder(env, env, places);
    throw new PackError(`no pack is shipped for the env ${env}; name one with --pack.`);
  }
  if (nameOrPath === '' || /[\\/]|^\.+$/.test(nameOrPath) || (await isFolder(nameOrPath))) return nameOrPath;
  if (places.home !== undefined && PACK_NAME.test(nameOrPath)) {
    const imported = join(places.home, 'packs', nameOrPath);
    if (await isFolder(imported)) return imported;
  }
  const known = await listPacks(places);
  const named = known.find((entry) => entry.name === nameOrPath);
  if (named !== undefined) return named.path;
  const names = known.length === 0 ? 'none' : listWords(known.map((entry) => entry.name));
  const benchmark = contents.find(({ packPrefix }) => nameOrPath.startsWith(packPrefix));
  const remedy = benchmark === undefined ? '' : `; import ${benchmark.title}’s own with \`${benchmark.importCommand}\``;
  throw new PackError(
    `there is no pack ${JSON.stringify(nameOrPath)}: no folder of that name is here, and the known packs are ${names}` +
      `${remedy}.`,
  );
}

async function searchPack(ref: PackRef, places: PackPlaces): Promise<Pack | undefined> {
  if (ref.environment !== undefined) {
    const pack = await findServicePack(ref, { env: places.environ ?? process.env });
    return pack && rememberPack(pack);
  }
  const folders = [ref.path, ...(await shippedFolders()), ...(await importedFolders(places))];
  for (const folder of folders) {
    if ((await claimedDigest(folder)) !== ref.digest) continue;
    const pack = await readUsable(folder);
    if (pack?.ref.digest === ref.digest) return rememberPack(pack);
  }
  return undefined;
}

/** Reads the pack; undefined if its files do not match its manifest. Another folder may then have the right files. */
function readUsable(folder: string): Promise<Pack | undefined> {
  return readPack(folder).catch(onError(() => undefined, PackError));
}

/** Returns one object per digest, so that data derived from a pack can be cached by object. */
function rememberPack(pack: Pack): Pack {
  const known = loaded.get(pack.ref.digest);
  if (known?.ref.path === pack.ref.path && known.ref.name === pack.ref.name) return known;
  loaded.set(pack.ref.digest, pack);
  return pack;
}

function listPack(path: string, origin: PackListing['origin']): Promise<PackListing> {
  const broken = ({ message: problem }: PackError): PackListing => {
    return { name: path.split(/[\\/]/).at(-1) ?? path, path, origin, kind: 'broken', problem };
  };
  return readPack(path).then(
    (pack) => ({ name: pack.ref.name, path, origin, kind: 'usable', pack }),
    onError(broken, PackError),
  );
}

async function shippedFolders(): Promise<string[]> {
  const folders = await Promise.all(DOMAINS.map((domain) => shippedPackFolder(domain)));
  return folders.filter((folder) => folder !== undefined);
}

async function importedFolders(places: PackPlaces): Promise<string[]> {
  if (places.home === undefined) return [];
  const parent = join(places.home, 'packs');
  if (!(await isFolder(parent))) return [];
  const entries = await readdir(parent, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(parent, entry.name))
    .sort();
}
