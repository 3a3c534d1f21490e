/**
 * Files that a pack consists of, and the digest that names them.
 *
 * The digest is the sha256 over one line a file, `<sha256>  <file>\n`, sorted by file name: what
 * `sha256sum *.json *.jsonl *.md | sha256sum` prints in a folder that holds nothing but a pack's files (in the C locale,
 * `pack.json` left out). The manifest's own words are not part of it, so the same files have the same digest with a
 * `pack.json`, without one, and under another name.
 */

import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { domains, getDomain, isTau3 } from '../index.ts';
import { tau3Domains } from '../tau3/index.ts';
import { decodeText as decode } from '../../io/index.ts';
import { PackError, listWords, throwProblems, type PackProblem } from './types.ts';
import { JsonError, parseJson } from '../python/index.ts';
import { checkShape, plainOf, type JsonFile } from './contents.schema.ts';

/** One of {@link DOMAINS}. */
export type Domain = string;

/** The domains that packs can be of: those whose behaviour the program has. */
export const DOMAINS: readonly Domain[] = Array.from(domains.keys());

/** tau-bench's domains, whose packs are also taken without a manifest. */
export const TAU_BENCH_DOMAINS: readonly Domain[] = DOMAINS.filter((domain) => !isTau3(domain));

function isDomain(name: string): boolean {
  return domains.has(name);
}

/** The domain's tables in the order in which the environment's data has them. A table's file is `<table>.json`. */
export function tablesOf(domain: Domain): readonly string[] {
  return getDomain(domain).tables;
}

/** Files that every pack has besides its tables and at least one `tasks-<split>.json`. */
const TEXT_FILES = [
  'agent-prompts.json',
  'rules.json',
  'terminate_tools.json',
  'tools.json',
  'user-prompts.json',
  'wiki.md',
] as const;

export const MANIFEST_FILE = 'pack.json';

/** Displays of solved conversations, one JSON object with `messages_display` a line. A pack may have none. */
export const FEW_SHOT_FILE = 'few-shot.jsonl';

const TASK_FILE = /^tasks-([A-Za-z0-9][A-Za-z0-9_.-]*)\.json$/;

/** The split that a file holds the tasks of; undefined when it is no task file. */
export function splitOfFile(file: string): string | undefined {
  return TASK_FILE.exec(file)?.[1];
}

export function tableFile(table: string): string {
  return `${table}.json`;
}

/** Files of a pack of τ³-bench besides its data and tasks: policy, the simulated user's guidelines, the tools of each side. */
export const GUIDELINES_FILE = 'user-guidelines.md';
export const USER_TOOLS_FILE = 'user-tools.json';

/** The files that a pack of the domain cannot do without, task files aside. */
function requiredFiles(domain: Domain): string[] {
  const tau3 = tau3Domains.get(domain);
  if (tau3 !== undefined) {
    const userTools = tau3.user === undefined ? [] : [USER_TOOLS_FILE];
    return [...tau3.files, ...userTools, GUIDELINES_FILE, 'tools.json', 'wiki.md'].sort();
  }
  return [...tablesOf(domain).map(tableFile), ...TEXT_FILES].sort();
}

/** @returns true if a file of that name belongs to a pack of the domain; other files in its folder are ignored */
function isPackFile(domain: Domain, file: string): boolean {
  return splitOfFile(file) !== undefined || file === FEW_SHOT_FILE || requiredFiles(domain).includes(file);
}

/**
 * The domain of a folder without a manifest: the one whose own tables lie in it, else the one that the folder's
 * name ends with.
 */
function recogniseDomain(folderName: string, files: readonly string[]): Domain | undefined {
  return (
    TAU_BENCH_DOMAINS.find((domain) => ownTables(domain).some((table) => files.includes(tableFile(table)))) ??
    TAU_BENCH_DOMAINS.find((domain) => folderName.toLowerCase().endsWith(domain))
  );
}

/** The tables that no other domain has. */
function ownTables(domain: Domain): readonly string[] {
  return tablesOf(domain).filter((table) =>
    TAU_BENCH_DOMAINS.every((other) => other === domain || !tablesOf(other).includes(table)),
  );
}

/** The only manifest format there is. */
export const MANIFEST_FORMAT = 1;

/** The manifest's word for τ³-bench 1.x, whose scores are not comparable with those of another benchmark or version. */
export const TAU3 = 'tau3';

/** A pack's name is also a folder's name and part of run ids. */
export const PACK_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

const manifestSchema = z
  .looseObject({
    format: z.custom<typeof MANIFEST_FORMAT>((value) => value === MANIFEST_FORMAT, {
      message: `must be ${String(MANIFEST_FORMAT)}, the only format that this version reads`,
    }),
    name: z.string().regex(PACK_NAME, 'must be letters, digits, ".", "_" and "-" only, up to 100 of them'),
    domain: z.string().refine(isDomain, `must be ${listWords(DOMAINS, 'or')}`),
    source: z.string(),
    licence: z.string(),
    files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha256 in lower-case hex')),
    /** Absent: tau-bench. */
    benchmark: z.literal(TAU3).optional(),
  })
  .refine(({ domain, benchmark }) => isTau3(domain) === (benchmark === TAU3), {
    path: ['domain'],
    message: `and benchmark do not fit: packs of τ³-bench have "benchmark": "${TAU3}", those of tau-bench none`,
  });

export type Manifest = z.infer<typeof manifestSchema>;

/** Start of the `source` of every generated pack. */
export const GENERATE_COMMAND = 'tauflow data generate';

/** @returns true for a synthetic pack, whose tasks are none of tau-bench's */
export function isGenerated({ source }: { readonly source: string }): boolean {
  return source.startsWith(`${GENERATE_COMMAND} `);
}

/** Files by name; the bytes are those that were hashed. */
export type FileBytes = ReadonlyMap<string, Buffer>;

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** @param files file name → sha256 */
export function packDigest(files: Readonly<Record<string, string>>): string {
  const lines = Object.entries(files).map(([file, hash]) => [file, `${hash}  ${file}\n`] as const);
  lines.sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(lines.map(([, line]) => line).join(''));
}

/** Reads a folder's files and makes sure that they are those of a pack and, where it has a manifest, those it lists. */
export async function readPackFiles(folder: string): Promise<{ manifest: Manifest; files: FileBytes }> {
  const names = await listFolder(folder);
  const written = names.includes(MANIFEST_FILE) ? await readManifest(folder) : undefined;
  const domain = written === undefined ? domainOf(folder, names) : written.domain;
  throwProblems(missingFiles(folder, domain, names));

  const files = new Map<string, Buffer>();
  for (const name of names) if (isPackFile(domain, name)) files.set(name, await readBytes(folder, name));
  const hashes = Object.fromEntries(Array.from(files, ([name, bytes]) => [name, sha256(bytes)]));
  if (written === undefined) return { manifest: computedManifest(folder, domain, hashes), files };
  throwProblems(differences(folder, written, hashes));
  return { manifest: written, files };
}

/**
 * The digest a folder claims to have: from its manifest where there is one (the files are not looked at), else from
 * its files. Undefined when it is no pack.
 */
export async function claimedDigest(folder: string): Promise<string | undefined> {
  try {
    const names = await listFolder(folder);
    const manifest = names.includes(MANIFEST_FILE)
      ? await readManifest(folder)
      : (await readPackFiles(folder)).manifest;
    return packDigest(manifest.files);
  } catch (error) {
    if (error instanceof PackError) return undefined;
    throw error;
  }
}

/** A file's JSON. @throws PackError that says in which line and column it is broken */
export function parseFile(where: string, bytes: Buffer): JsonFile {
  const text = decodeText(where, bytes);
  try {
    return { text, value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new PackError(`${where}: not valid JSON: ${error.message}.`);
  }
}

/** @throws PackError when the bytes are not a text */
export function decodeText(where: string, bytes: Buffer): string {
  try {
    return decode(bytes, true);
  } catch {
    throw new PackError(`${where}: not UTF-8 text; save the file in that encoding.`);
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') {
      throw new PackError(`${folder}: no such folder; give the folder of a domain pack or an imported pack's name.`);
    }
    if (code === 'ENOTDIR') throw new PackError(`${folder}: this is a file; a domain pack is a folder.`);
    throw new PackError(`${folder}: the folder cannot be read (${code}).`);
  }
}

async function readBytes(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    throw new PackError(`${join(folder, name)}: the file cannot be read (${codeOf(error)}).`);
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const where = join(folder, MANIFEST_FILE);
  const file = parseFile(where, await readBytes(folder, MANIFEST_FILE));
  throwProblems(checkShape(where, file, manifestSchema));
  return manifestSchema.parse(plainOf(file));
}

function domainOf(folder: string, names: readonly string[]): Domain {
  const domain = recogniseDomain(basename(resolve(folder)), names);
  if (domain !== undefined) return domain;
  const tables = TAU_BENCH_DOMAINS.map((known) => `${known}'s ${listWords(ownTables(known).map(tableFile))}`);
  throw new PackError(`${folder}: not a domain pack: it has no ${MANIFEST_FILE}, and neither ${tables.join(' nor ')}.`);
}

function missingFiles(folder: string, domain: Domain, names: readonly string[]): PackProblem[] {
  const missing = requiredFiles(domain).filter((file) => !names.includes(file));
  const problems = missing.map((file) => `${join(folder, file)}: the file is missing; a ${domain} pack needs it.`);
  if (!names.some((name) => splitOfFile(name) !== undefined)) {
    problems.push(`${folder}: there is no tasks-<split>.json; a pack needs the tasks of at least one split.`);
  }
  return problems;
}

function differences(folder: string, manifest: Manifest, hashes: Readonly<Record<string, string>>): PackProblem[] {
  const problems: PackProblem[] = [];
  for (const [file, listed] of Object.entries(manifest.files)) {
    const actual = hashes[file];
    if (actual === undefined) {
      problems.push(`${join(folder, MANIFEST_FILE)}: files lists ${file}, which is not a file of this pack.`);
    } else if (actual !== listed) {
      problems.push(
        `${join(folder, file)}: its sha256 is ${actual}, but ${MANIFEST_FILE} says ${listed}; ` +
          `restore the file, or delete ${MANIFEST_FILE} if the change is meant.`,
      );
    }
  }
  for (const file of Object.keys(hashes)) {
    if (manifest.files[file] !== undefined) continue;
    problems.push(`${join(folder, file)}: ${MANIFEST_FILE} does not list this file; remove it or add its sha256.`);
  }
  return problems;
}

/** `tau-bench/retail` becomes `tau-bench-retail`: a folder named after its domain alone says too little. */
function computedManifest(folder: string, domain: Domain, hashes: Readonly<Record<string, string>>): Manifest {
  const path = resolve(folder);
  const base = basename(path);
  const parts = base.toLowerCase() === domain ? [basename(dirname(path)), base] : [base];
  const name = parts
    .join('-')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100);
  return {
    format: MANIFEST_FORMAT,
    name: name === '' ? domain : name,
    domain,
    source: `a folder without ${MANIFEST_FILE}`,
    licence: 'not stated',
    files: hashes,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
