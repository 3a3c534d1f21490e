/**
 * The files of a pack, and their common digest.
 *
 * The digest is the sha256 over one line per file, `<sha256>  <file>\n`, sorted by file name: the output of `sha256sum
 * *.json *.jsonl *.md | sha256sum` in a folder with only a pack's files (in the C locale, without `pack.json`). The
 * manifest is not included, so the same files have the same digest with a `pack.json`, without one, and under another
 * name.
 */

import { createHash } from 'node:crypto';
import { domains, getDomain } from '../index.ts';
import { decodeText } from '../../io/index.ts';
import { PackError } from './types.ts';
import { JsonError, parseJson } from '../python/index.ts';
import type { JsonFile } from './contents.schema.ts';

/** Name from {@link DOMAINS}. */
export type DomainName = string;

/** The domains that packs can have, for which the program has code. */
export const DOMAINS: readonly DomainName[] = Array.from(domains.keys());

/** Returns the domain's tables in the order of the environment's data. A table's file is `<table>.json`. */
export function listTables(domain: DomainName): readonly string[] {
  return getDomain(domain).tables;
}

export const MANIFEST_FILE = 'pack.json';

/** File of displays of solved conversations, one JSON object with `messages_display` per line. A pack may have none. */
export const FEW_SHOT_FILE = 'few-shot.jsonl';

const TASK_FILE = /^tasks-([A-Za-z0-9][A-Za-z0-9_.-]*)\.json$/;

/** The split whose tasks a file contains; undefined if it is not a task file. */
export function splitOfFile(file: string): string | undefined {
  return TASK_FILE.exec(file)?.[1];
}

export function tableFile(table: string): string {
  return `${table}.json`;
}

/** The only manifest format. */
export const MANIFEST_FORMAT = 1;

/** A pack's name is also a folder's name and part of run ids. */
export const PACK_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The contents of `pack.json`. */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly name: string;
  readonly domain: DomainName;
  readonly source: string;
  readonly licence: string;
  /** sha256 of each file, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Name of the benchmark; absent for the one whose packs do not name it. */
  readonly benchmark?: string | undefined;
  /** Version of the benchmark that the pack was imported from. */
  readonly version?: string | undefined;
  /** Names of files that were changed since the benchmark published them. @default none */
  readonly changed_files?: readonly string[] | undefined;
  readonly [key: string]: unknown;
}

/** Beginning of the `source` of every generated pack. */
export const GENERATE_COMMAND = 'tauflow data generate';

/** @returns true for a synthetic pack, which has no tasks of tau-bench */
export function isGenerated({ source }: { readonly source: string }): boolean {
  return source.startsWith(`${GENERATE_COMMAND} `);
}

/** Contents of a pack's files by name; the same bytes as were hashed. */
export type FileBytes = ReadonlyMap<string, Buffer>;

export function hashData(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** @param files sha256 of each file, by name */
export function digestPackFiles(files: Readonly<Record<string, string>>): string {
  const lines = Object.entries(files).map(([file, hash]) => [file, `${hash}  ${file}\n`] as const);
  lines.sort(([a], [b]) => (a < b ? -1 : 1));
  return hashData(lines.map(([, line]) => line).join(''));
}

/** Parses a JSON file. @throws PackError with the line and column of the error */
export function parseFile(where: string, bytes: Buffer): JsonFile {
  const text = decodePackText(where, bytes);
  try {
    return { text, value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new PackError(`${where}: not valid JSON: ${error.message}.`);
  }
}

/** @throws PackError when the bytes are not a text */
export function decodePackText(where: string, bytes: Buffer): string {
  try {
    return decodeText(bytes, true);
  } catch {
    throw new PackError(`${where}: not UTF-8 text; save the file in that encoding.`);
  }
}
