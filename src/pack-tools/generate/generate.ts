/**
 * Makes a synthetic pack: a domain's tables, policy, tool descriptions, prompts, and tasks whose ground truth is written
 * together with their instructions and proven. Everything is derived from the seed, nothing from the clock.
 */

import { dumpJson, type Dumpable } from '../../benchmark/python/index.ts';
import {
  GENERATE_COMMAND,
  MANIFEST_FORMAT,
  PackError,
  listWords,
  sha256,
  tableFile,
  MANIFEST_FILE,
  type Manifest,
} from '../../packs/index.ts';
import {
  DEFAULT_DIFFICULTY,
  DEFAULT_ENV,
  flagOf,
  settle,
  type DomainGenerator,
  type SettledSizes,
  type GenerateOptions,
  type GenerateSettings,
} from './options.ts';
import { agentPrompts, userPrompts } from './texts.ts';
import { Random } from './random.ts';
import type { TaskListener } from './tasks/draw-tasks.ts';
import { airlineGenerator } from './airline/index.ts';
import { retailGenerator } from './retail/index.ts';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../../io/index.ts';

export interface GeneratedPack {
  readonly manifest: Manifest;
  /** File name → text, `pack.json` left out. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * @param onTask is called for every task that is made, with the defects of those that are discarded
 * @throws PackError for options that make no pack
 */
export function generatePack(options: GenerateOptions = {}, onTask?: TaskListener): GeneratedPack {
  const generator = generatorOf(options.env ?? DEFAULT_ENV);
  const settings = settle(options, generator.rules);
  const sizes = generator.settleSizes(options, settings);
  const random = new Random(String(settings.seed));
  const made = generator.make(random, settings, sizes);
  const drawing = { level: settings.level, taken: new Set<string>(), ...(onTask === undefined ? {} : { onTask }) };
  // Both strides reach every family: they have no factor in common with the size of any cycle.
  const test = made.drawTasks(random.fork('test'), { ...drawing, count: settings.tasks, stride: 1 });
  const dev = made.drawTasks(random.fork('dev'), { ...drawing, count: settings.devTasks, stride: 13 });
  const files = new Map<string, string>([
    ...Array.from(made.tables, ([table, records]): [string, string] => [tableFile(table), json(records)]),
    ['wiki.md', made.policy],
    ['rules.json', json(made.rules)],
    ['tools.json', json(made.tools)],
    ['terminate_tools.json', json(made.terminateTools)],
    ['user-prompts.json', json(userPrompts(made.brand))],
    ['agent-prompts.json', json(agentPrompts())],
    ['tasks-test.json', json(test)],
    ['tasks-dev.json', json(dev)],
  ]);
  return { manifest: describe(settings, sizes, files), files };
}

/** The text of `pack.json`. */
export function manifestText(manifest: Manifest): string {
  return json(manifest);
}

function describe(settings: GenerateSettings, sizes: SettledSizes, files: ReadonlyMap<string, string>): Manifest {
  const hashes = Array.from(files, ([file, text]) => [file, sha256(text)] as const).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    format: MANIFEST_FORMAT,
    name: settings.name,
    domain: settings.env,
    source: sourceOf(settings, sizes),
    licence: 'MIT',
    files: Object.fromEntries(hashes),
  };
}

/** The command that makes the pack again. */
function sourceOf({ env, seed, tasks, devTasks, customers, level }: GenerateSettings, sizes: SettledSizes): string {
  const flags = Object.entries({ seed, tasks, devTasks, customers, ...sizes }).map(
    ([option, value]) => `${flagOf(option)} ${String(value)}`,
  );
  return [
    GENERATE_COMMAND,
    ...(env === DEFAULT_ENV ? [] : [`--env ${env}`]),
    ...flags,
    ...(level.difficulty === DEFAULT_DIFFICULTY ? [] : [`--difficulty ${level.difficulty}`]),
  ].join(' ');
}

function json(value: Dumpable): string {
  return `${dumpJson(value, { indent: 2 })}\n`;
}

const GENERATORS: readonly DomainGenerator[] = [retailGenerator, airlineGenerator];

/** @throws PackError that lists the domains */
function generatorOf(env: string): DomainGenerator {
  const found = GENERATORS.find(({ rules }) => rules.env === env);
  if (found !== undefined) return found;
  throw new PackError(
    `no pack can be generated for the env ${env}; there are ${listWords(GENERATORS.map(({ rules }) => rules.env))}.`,
  );
}

/** The contents of a pack's folder. */
export interface PackContents {
  readonly manifest: Manifest;
  /** File name → contents, `pack.json` left out. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

export interface WriteOptions {
  /** Put the new pack in the place of an older one. Other folders are never replaced. @default false */
  readonly replace?: boolean;
}

/**
 * Writes a pack's folder so that it is there whole or not at all.
 * @param folder is made, its parents too
 * @throws PackError when there is something in the folder already, or nothing can be written there
 */
export async function writePack(folder: string, pack: PackContents, options: WriteOptions = {}): Promise<void> {
  const target = resolve(folder);
  const present = await contents(target);
  if (present !== undefined && present.length > 0) {
    if (!present.includes(MANIFEST_FILE)) {
      throw new PackError(`${folder}: the folder is not empty and holds no pack; name another one.`);
    }
    if (options.replace !== true) throw new PackError(`${folder}: there is a pack already; name another folder.`);
  }
  let scratch: string | undefined;
  try {
    await makeFolders(dirname(target));
    scratch = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    const fresh = join(scratch, 'new');
    await mkdir(fresh);
    for (const [file, text] of pack.files) await writeFile(join(fresh, file), text);
    await writeFile(join(fresh, MANIFEST_FILE), manifestText(pack.manifest));
    if (present !== undefined) await rename(target, join(scratch, 'old'));
    await rename(fresh, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new PackError(`${folder}: the pack cannot be written here (${String(error.code)}); name another folder.`);
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

/** Names in a folder; undefined when there is no such folder. */
async function contents(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return undefined;
    throw new PackError(`${folder}: the folder cannot be used (${code}); name another one.`);
  }
}
