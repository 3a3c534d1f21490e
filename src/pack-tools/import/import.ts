/** Makes one pack per domain of a tau-bench checkout: data unchanged, Python literals as JSON. */

import * as z from 'zod';
import { tauBenchContent } from '../../benchmarks/tau-bench/content/index.ts';
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
import { readCheckout, type Checkout } from './checkout.ts';
import { PINNED_COMMIT, TAU_BENCH_URL, concerns, identify, type CheckoutIdentity } from './identify.ts';
import { AGENT_CODE, AGENT_NOTES, USER_CODE, USER_NOTES } from './notes.ts';
import { readPython } from './python-sources.ts';

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
  /** Environment variables, which may name the Python that parses the sources. @default those of this process */
  readonly env?: NodeJS.ProcessEnv;
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
export async function importCheckout(checkout: Checkout, options: ImportOptions): Promise<ImportResult> {
  const sources = await readSources(checkout, options);
  const contents = Object.entries(sources.domains).map(
    ([domain, source]) => [domain, readContents(checkout, domain, source)] as const,
  );
  const licence = checkout.bytes('LICENSE') ?? Buffer.alloc(0);
  for (const path of sources.used) checkout.bytes(path);
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

/** What the Python sources hold of a domain: files of its pack, and the environment's class. */
const domainSchema = z.object({ className: z.string(), files: z.record(z.string(), z.string()) });
type DomainSource = z.infer<typeof domainSchema>;

const missingSchema = z.object({ missing: z.array(z.string()) });
const sourcesSchema = z.object({ domains: z.record(z.string(), domainSchema), used: z.array(z.string()) });

/** @throws PackError listing all missing files in one sentence */
async function readSources(
  checkout: Checkout,
  { domains, env = process.env }: ImportOptions,
): Promise<z.infer<typeof sourcesSchema>> {
  const known = domains.map((domain) => {
    const missing = requiredFiles(domain).filter((path) => !checkout.has(path));
    return [domain, { missing, wiki: missing.length === 0 ? readWiki(checkout, domain) : '' }] as const;
  });
  const request = {
    benchmark: 'tau-bench',
    sources: checkout.pythonSources(),
    domains: Object.fromEntries(known),
    userNotes: checkout.holds(USER_CODE) ? USER_NOTES : null,
    agentNotes: checkout.holds(AGENT_CODE) ? AGENT_NOTES : null,
  };
  const answer = await readPython(request, z.union([sourcesSchema, missingSchema]), env);
  if (!('missing' in answer)) return answer;
  const files = listWords(answer.missing);
  throw new PackError(`${checkout.shown}: the checkout has no ${files}; restore what is missing (git checkout does).`);
}

function domainFolder(domain: DomainName): string {
  return `tau_bench/envs/${domain}`;
}

/** Files that no Python source names. */
function requiredFiles(domain: DomainName): string[] {
  return [
    ...listTables(domain).map((table) => `${domainFolder(domain)}/data/${tableFile(table)}`),
    `${domainFolder(domain)}/wiki.md`,
    'tau_bench/envs/user.py',
    'tau_bench/agents/chat_react_agent.py',
    'LICENSE',
  ];
}

/** The policy. Line ends are converted as Python does when it reads a text file: a checkout on Windows has others. */
function readWiki(checkout: Checkout, domain: DomainName): string {
  return (checkout.text(`${domainFolder(domain)}/wiki.md`) ?? '').replaceAll('\r\n', '\n');
}

function readContents(checkout: Checkout, domain: DomainName, { className, files }: DomainSource): Map<string, Buffer> {
  const fewShots = checkout.bytes(`few_shot_data/${className}-few_shot.jsonl`);
  const copies = listTables(domain)
    .map(tableFile)
    .map((file) => [file, checkout.bytes(`${domainFolder(domain)}/data/${file}`) ?? Buffer.alloc(0)] as const);
  return new Map([
    ...copies,
    ['wiki.md', Buffer.from(readWiki(checkout, domain))],
    ...Object.entries(files).map(([file, text]) => [file, Buffer.from(text)] as const),
    ...(fewShots === undefined ? [] : [[FEW_SHOT_FILE, fewShots] as const]),
  ]);
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
