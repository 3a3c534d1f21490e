/** Makes one pack per domain of a tau-bench checkout: data unchanged, Python literals as JSON. */

import { tauBenchContent } from '../../benchmarks/tau-bench/content/index.ts';
import { dumpJson, type DumpableValue } from '../../benchmarks/python/index.ts';
import {
  FEW_SHOT_FILE,
  MANIFEST_FORMAT,
  PACK_NAME,
  PackError,
  listWords,
  hashData,
  tableFile,
  listTables,
  type DomainName,
  type Manifest,
  type Pack,
} from '../../benchmarks/packs/index.ts';
import { readAgentPrompts, readUserPrompts } from './prompts.ts';
import { readCheckout, type Checkout } from './checkout.ts';
import { domainFolder, readDomainSource, requireFiles } from './domain.ts';
import { PINNED_COMMIT, TAU_BENCH_URL, concerns, identify, type CheckoutIdentity } from './identify.ts';
import { PythonModules } from './python-source/modules.ts';

/** Name of the file with the checkout's license, beside `pack.json`. */
const LICENCE_FILE = 'LICENSE';

export interface ImportOptions {
  readonly domains: readonly DomainName[];
  /** Name of the pack; the domain is appended if there are several. @default `tau-bench-<domain>` */
  readonly name?: string;
  /** Commit of the checkout from git or the user; may be shortened. */
  readonly commit?: string;
  /** URL of the cloned repository. @default tau-bench's own if all files are as published */
  readonly url?: string;
}

export interface ImportedPack {
  readonly manifest: Manifest;
  /** Contents of the pack's files and the license by name, without `pack.json`. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The resulting pack; its path is not final. */
  readonly pack: Pack;
}

export interface ImportResult {
  readonly identity: CheckoutIdentity;
  readonly warnings: readonly string[];
  readonly packs: readonly ImportedPack[];
}

/** Imports one benchmark's packs from its repository. */
export interface Importer {
  readonly benchmark: string;
  readonly url: string;
  /** Commit to fetch by default. */
  readonly commit: string;
  /** Paths to check out. @default all paths that tau-bench's import reads */
  readonly paths?: readonly string[];
  /** Returns the name of a domain's pack. @throws PackError for an invalid name */
  readonly packName: (domain: DomainName, names: Pick<ImportOptions, 'name' | 'domains'>) => string;
  /**
   * Reads a checkout; writes nothing.
   * @param shown folder or URL for messages
   * @throws PackError for missing files or unusable data
   */
  readonly read: (folder: string, shown: string | undefined, options: ImportOptions) => Promise<ImportResult>;
}

export const tauBenchImporter: Importer = {
  benchmark: tauBenchContent.name,
  url: TAU_BENCH_URL,
  commit: PINNED_COMMIT,
  packName,
  read: async (folder, shown, options) => importCheckout(await readCheckout(folder, shown), options),
};

/**
 * Imports a checkout; writes nothing.
 * @throws PackError for a missing file, an expression that is not a literal (with file and line), or an unusable pack
 */
export function importCheckout(checkout: Checkout, options: ImportOptions): ImportResult {
  const modules = new PythonModules((path) => checkout.text(path));
  for (const domain of options.domains) requireFiles(checkout, modules, domain);
  const contents = options.domains.map((domain) => [domain, readContents(checkout, modules, domain)] as const);
  const licence = checkout.bytes('LICENSE') ?? Buffer.alloc(0);
  const identity = identify(checkout.used(), options.commit);
  return {
    identity,
    warnings: [...listWarnings(identity), ...ageWarnings(checkout)],
    packs: contents.map(([domain, files]) => {
      const manifest = describe(domain, files, identity, licence.toString('utf8'), options);
      return {
        manifest,
        files: new Map([...files, [LICENCE_FILE, licence]]),
        pack: tauBenchContent.assemble(domain, manifest, files),
      };
    }),
  };
}

/** Returns the name of a domain's pack. @throws PackError for an invalid name */
export function packName(domain: DomainName, { name, domains }: Pick<ImportOptions, 'name' | 'domains'>): string {
  const full = name === undefined ? `tau-bench-${domain}` : domains.length > 1 ? `${name}-${domain}` : name;
  if (PACK_NAME.test(full)) return full;
  throw new PackError(
    `${JSON.stringify(full)} is not a pack's name: letters, digits, ".", "_" and "-" only, up to 100.`,
  );
}

function readContents(checkout: Checkout, modules: PythonModules, domain: DomainName): Map<string, Buffer> {
  const folder = domainFolder(domain);
  const source = readDomainSource(modules, domain);
  const wiki = (checkout.text(`${folder}/wiki.md`) ?? '').replaceAll('\r\n', '\n');
  const fewShots = checkout.bytes(`few_shot_data/${source.className}-few_shot.jsonl`);
  const copies = listTables(domain)
    .map(tableFile)
    .map((file) => [file, `${folder}/data/${file}`] as const);
  return new Map([
    ...copies.map(([file, path]): [string, Buffer] => [file, checkout.bytes(path) ?? Buffer.alloc(0)]),
    // Line ends are converted as Python does when it reads a text file, because a checkout on Windows has others.
    ['wiki.md', Buffer.from(wiki)],
    ['rules.json', json(source.rules, 2)],
    ['tools.json', json(source.tools, 2)],
    ['terminate_tools.json', json(source.terminateTools, 1)],
    ['user-prompts.json', json(readUserPrompts(modules, checkout), 1)],
    ['agent-prompts.json', json(readAgentPrompts(modules, checkout, { tools: source.tools, wiki }), 1)],
    ...Array.from(source.splits, ([split, tasks]): [string, Buffer] => [`tasks-${split}.json`, json(tasks, 1)]),
    ...(fewShots === undefined ? [] : [[FEW_SHOT_FILE, fewShots] as const]),
  ]);
}

function json(value: DumpableValue, indent: number): Buffer {
  return Buffer.from(`${dumpJson(value, { indent })}\n`);
}

function describe(
  domain: DomainName,
  files: ReadonlyMap<string, Buffer>,
  identity: CheckoutIdentity,
  licence: string,
  options: ImportOptions,
): Manifest {
  const { commit } = identity;
  const hashes = Array.from(files, ([file, bytes]) => [file, hashData(bytes)] as const);
  hashes.sort(([a], [b]) => (a < b ? -1 : 1));
  const changed = identity.differing.filter((path) => concerns(path, domain));
  const published = identity.differing.length === 0 && commit === identity.comparedWith;
  const origin = options.url ?? (published ? TAU_BENCH_URL : 'a tau-bench checkout');
  const version = `${commit === null ? 'unknown' : commit.slice(0, 7)}${changed.length === 0 ? '' : '+changes'}`;
  return {
    format: MANIFEST_FORMAT,
    name: packName(domain, options),
    domain,
    version,
    source: commit === null ? origin : `${origin}, commit ${commit}`,
    commit,
    licence: /^\s*MIT License/i.test(licence) ? 'MIT' : `see ${LICENCE_FILE}`,
    ...(changed.length === 0 ? {} : { changed_files: changed }),
    files: Object.fromEntries(hashes),
  };
}

function listWarnings({ commit, comparedWith, differing }: CheckoutIdentity): string[] {
  if (differing.length === 0) return [];
  const more = differing.length - MAX_NAMED;
  const named = differing.slice(0, MAX_NAMED);
  const files = listWords(more > 0 ? [...named, `${String(more)} more (pack.json has them all)`] : named);
  const unknown =
    commit === null || comparedWith.startsWith(commit) ? '' : `${commit.slice(0, 7)} is not a known commit; `;
  return [
    `${unknown}the checkout differs from tau-bench's commit ${comparedWith.slice(0, 7)} in ${files}; ` +
      "its scores cannot be compared with tau-bench's.",
  ];
}

/** Warns of old checkouts, whose prompts of act and react require another form of actions. */
function ageWarnings(checkout: Checkout): string[] {
  if (checkout.has('tau_bench/types.py')) return [];
  return [
    'the checkout is older than September 2024: its prompts for act and react ask for a form of action that these ' +
      'strategies do not read; use another strategy with it.',
  ];
}

/** Most names in a warning; `pack.json` lists all. */
const MAX_NAMED = 12;
