/** A pack's folder: lists the files of the pack, reads its manifest, and checks that both agree. */

import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { getContent, contents } from '../contents.ts';
import { domains } from '../index.ts';
import { checkShape, toPlainJson } from './contents.schema.ts';
import {
  DOMAINS,
  FEW_SHOT_FILE,
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  PACK_NAME,
  digestPackFiles,
  parseFile,
  hashData,
  splitOfFile,
  tableFile,
  listTables,
  type DomainName,
  type FileBytes,
  type Manifest,
} from './manifest.ts';
import { PackError, listWords, throwProblems, type PackProblem } from './types.ts';

/** Benchmarks that a manifest has to name; packs of other benchmarks are accepted without a manifest. */
const NAMED = contents.filter(({ isNamedInManifest }) => isNamedInManifest);
const UNNAMED = contents.filter(({ isNamedInManifest }) => !isNamedInManifest);
const RECOGNIZED: readonly DomainName[] = UNNAMED.flatMap(({ domains }) => [...domains.keys()]);

/** @returns true if a file of that name belongs to a pack of the domain; other files in its folder are ignored */
function isPackFile(domain: DomainName, file: string): boolean {
  return (
    splitOfFile(file) !== undefined || file === FEW_SHOT_FILE || getContent(domain).requiredFiles(domain).includes(file)
  );
}

/**
 * Recognizes the domain of a folder without a manifest: by tables that only one domain has, otherwise by the end of the
 * folder's name.
 */
function recognizeDomain(folderName: string, files: readonly string[]): DomainName | undefined {
  return (
    RECOGNIZED.find((domain) => ownTables(domain).some((table) => files.includes(tableFile(table)))) ??
    RECOGNIZED.find((domain) => folderName.toLowerCase().endsWith(domain))
  );
}

/** Returns the tables that only this domain has. */
function ownTables(domain: DomainName): readonly string[] {
  return listTables(domain).filter((table) =>
    RECOGNIZED.every((other) => other === domain || !listTables(other).includes(table)),
  );
}

const manifestSchema = z
  .looseObject({
    format: z.custom<typeof MANIFEST_FORMAT>((value) => value === MANIFEST_FORMAT, {
      message: `must be ${String(MANIFEST_FORMAT)}, the only format that this version reads`,
    }),
    name: z.string().regex(PACK_NAME, 'must be letters, digits, ".", "_" and "-" only, up to 100 of them'),
    domain: z.string().refine((name) => domains.has(name), `must be ${listWords(DOMAINS, 'or')}`),
    source: z.string(),
    licence: z.string(),
    files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha256 in lower-case hex')),
    benchmark: z.literal(NAMED.map(({ name }) => name)).optional(),
    version: z.string().optional(),
    changed_files: z.array(z.string()).optional(),
  })
  .refine(({ domain, benchmark }) => benchmark === NAMED.find(({ domains }) => domains.has(domain))?.name, {
    path: ['domain'],
    message: `and benchmark do not fit: ${[
      ...NAMED.map(({ name, title }) => `packs of ${title} have "benchmark": "${name}"`),
      ...UNNAMED.map(({ title }) => `those of ${title} none`),
    ].join(', ')}`,
  });

/** Reads a folder's files. Checks that they form a pack, and match the manifest if there is one. */
export async function readPackFiles(folder: string): Promise<{ manifest: Manifest; files: FileBytes }> {
  const names = await listFolder(folder);
  const written = names.includes(MANIFEST_FILE) ? await readManifest(folder) : undefined;
  const domain = written === undefined ? recognizeFolder(folder, names) : written.domain;
  throwProblems(missingFiles(folder, domain, names));

  const files = new Map<string, Buffer>();
  for (const name of names) if (isPackFile(domain, name)) files.set(name, await readBytes(folder, name));
  const hashes = Object.fromEntries(Array.from(files, ([name, bytes]) => [name, hashData(bytes)]));
  if (written === undefined) return { manifest: computedManifest(folder, domain, hashes), files };
  throwProblems(compareHashes(folder, written, hashes));
  return { manifest: written, files };
}

/**
 * Returns the digest of a folder: from its manifest, without reading the files, or from its files if there is no
 * manifest. Undefined if it is no pack.
 */
export async function claimedDigest(folder: string): Promise<string | undefined> {
  try {
    const names = await listFolder(folder);
    const manifest = names.includes(MANIFEST_FILE)
      ? await readManifest(folder)
      : (await readPackFiles(folder)).manifest;
    return digestPackFiles(manifest.files);
  } catch (error) {
    if (error instanceof PackError) return undefined;
    throw error;
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const code = readErrorCode(error);
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
    throw new PackError(`${join(folder, name)}: the file cannot be read (${readErrorCode(error)}).`);
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const where = join(folder, MANIFEST_FILE);
  const file = parseFile(where, await readBytes(folder, MANIFEST_FILE));
  throwProblems(checkShape(where, file, manifestSchema));
  return manifestSchema.parse(toPlainJson(file));
}

function recognizeFolder(folder: string, names: readonly string[]): DomainName {
  const domain = recognizeDomain(basename(resolve(folder)), names);
  if (domain !== undefined) return domain;
  const tables = RECOGNIZED.map((known) => `${known}'s ${listWords(ownTables(known).map(tableFile))}`);
  throw new PackError(`${folder}: not a domain pack: it has no ${MANIFEST_FILE}, and neither ${tables.join(' nor ')}.`);
}

function missingFiles(folder: string, domain: DomainName, names: readonly string[]): PackProblem[] {
  const missing = getContent(domain)
    .requiredFiles(domain)
    .filter((file) => !names.includes(file));
  const problems = missing.map((file) => `${join(folder, file)}: the file is missing; a ${domain} pack needs it.`);
  if (!names.some((name) => splitOfFile(name) !== undefined)) {
    problems.push(`${folder}: there is no tasks-<split>.json; a pack needs the tasks of at least one split.`);
  }
  return problems;
}

function compareHashes(folder: string, manifest: Manifest, hashes: Readonly<Record<string, string>>): PackProblem[] {
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

/** Makes a manifest. `tau-bench/retail` becomes `tau-bench-retail`, because a name with the domain alone is unclear. */
function computedManifest(folder: string, domain: DomainName, hashes: Readonly<Record<string, string>>): Manifest {
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

function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
