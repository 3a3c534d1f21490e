/**
 * Reads a domain pack: tau-bench's data, texts and tasks in the files of one folder.
 *
 * Numbers keep their spelling and objects the order of their keys. What is wrong is told as a {@link PackError} that
 * names the file and the place in it; a pack that was read is safe to run.
 */

import { join, resolve } from 'node:path';
import { dumpJson, isDict, type PyDict, type PyList, type PyValue } from '../benchmark/python/index.ts';
import { checkShape } from './check.ts';
import {
  agentPromptsSchema,
  tableSchema,
  tasksSchema,
  textListSchema,
  toolsSchema,
  userPromptsSchema,
} from './contents.schema.ts';
import { FEW_SHOT_FILE, splitOfFile, tableFile, tablesOf } from './domains.ts';
import { readFewShots } from './few-shots.ts';
import type { Manifest } from './manifest.schema.ts';
import { decodeText, packDigest, parseFile, readPackFiles, type FileBytes } from './manifest.ts';
import { PackError, throwProblems, type PackProblem } from './problem.ts';
import { readTasks, toolNames } from './tasks.ts';
import type { Pack, UserPrompts } from './types.ts';

/**
 * @param folder with or without a `pack.json`; without one the manifest is computed
 * @throws PackError
 */
export async function readPack(folder: string): Promise<Pack> {
  const { manifest, files } = await readPackFiles(folder);
  return assemblePack(folder, manifest, files);
}

/** A pack from files that are already in memory and known to be all there. @throws PackError */
export function assemblePack(folder: string, manifest: Manifest, files: FileBytes): Pack {
  const { domain } = manifest;
  const contents = parseAll(folder, domain, files);
  const tables = new Map<string, PyValue>(
    tablesOf(domain).map((table) => [table, dictOf(contents.get(tableFile(table)))]),
  );
  const tools = listOf(contents.get('tools.json'));
  const splits = readSplits(folder, contents, tables, tools);
  const fewShots = files.get(FEW_SHOT_FILE);
  return {
    ref: { name: manifest.name, digest: packDigest(manifest.files), path: resolve(folder) },
    domain,
    source: manifest.source,
    licence: manifest.licence,
    tables,
    policy: decodeText(join(folder, 'wiki.md'), files.get('wiki.md') ?? Buffer.alloc(0)),
    tools,
    terminateTools: textsOf(contents.get('terminate_tools.json')),
    rules: textsOf(contents.get('rules.json')),
    userPrompts: readUserPrompts(dictOf(contents.get('user-prompts.json'))),
    agentPrompts: textEntries(dictOf(contents.get('agent-prompts.json'))),
    ...(fewShots === undefined ? {} : { fewShotDisplays: readFewShots(join(folder, FEW_SHOT_FILE), fewShots) }),
    splits,
  };
}

/** Every JSON file of the pack, each of the right shape. */
function parseAll(folder: string, domain: string, files: FileBytes): ReadonlyMap<string, PyValue> {
  const contents = new Map<string, PyValue>();
  const problems: PackProblem[] = [];
  for (const [file, bytes] of files) {
    const schema = schemaOf(domain, file);
    if (schema === undefined) continue;
    const where = join(folder, file);
    try {
      const value = parseFile(where, bytes);
      contents.set(file, value);
      problems.push(...checkShape(where, value, schema));
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      problems.push(...error.problems);
    }
  }
  throwProblems(problems);
  return contents;
}

function schemaOf(domain: string, file: string): ReturnType<typeof tableSchema> | undefined {
  if (splitOfFile(file) !== undefined) return tasksSchema;
  switch (file) {
    case 'wiki.md':
    case FEW_SHOT_FILE:
      return undefined;
    case 'tools.json':
      return toolsSchema;
    case 'rules.json':
    case 'terminate_tools.json':
      return textListSchema;
    case 'user-prompts.json':
      return userPromptsSchema;
    case 'agent-prompts.json':
      return agentPromptsSchema;
    default:
      return tableSchema(domain, file.replace(/\.json$/, ''));
  }
}

/** The splits, and everything in which files have to agree with each other. */
function readSplits(
  folder: string,
  contents: ReadonlyMap<string, PyValue>,
  tables: PyDict,
  tools: PyList,
): Pack['splits'] {
  const problems: PackProblem[] = [];
  const names = toolNames(join(folder, 'tools.json'), tools, problems);
  textsOf(contents.get('terminate_tools.json')).forEach((name, at) => {
    if (names.has(name)) return;
    const where = join(folder, 'terminate_tools.json');
    problems.push(`${where}: [${String(at)}] is ${JSON.stringify(name)}, which is no tool of tools.json.`);
  });
  const users = dictOf(tables.get('users'));
  const splits: [string, Pack['splits'][string]][] = [];
  for (const [file, value] of contents) {
    const split = splitOfFile(file);
    if (split !== undefined) {
      splits.push([split, readTasks(join(folder, file), listOf(value), { tools: names, users }, problems)]);
    }
  }
  throwProblems(problems);
  return Object.fromEntries(splits);
}

function readUserPrompts(prompts: PyDict): UserPrompts {
  const strategies = Array.from(dictOf(prompts.get('strategies')), ([name, value]) => {
    const texts = dictOf(value);
    const systemPrompt = textOf(texts.get('system_prompt'));
    return [
      name,
      { systemPrompt, systemPromptWithoutInstruction: textOf(texts.get('system_prompt_without_instruction')) },
    ] as const;
  });
  const verifyPrompt = prompts.get('verify_prompt');
  const reflectPrompt = prompts.get('reflect_prompt');
  return {
    greeting: textOf(prompts.get('first_user_message')),
    strategies: Object.fromEntries(strategies),
    ...(typeof verifyPrompt === 'string' ? { verifyPrompt } : {}),
    ...(typeof reflectPrompt === 'string' ? { reflectPrompt } : {}),
  };
}

function textEntries(dict: PyDict): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(dict).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

// The schemas have made sure of these kinds; a mismatch is a mistake in this program.

function dictOf(value: PyValue | undefined): PyDict {
  if (isDict(value)) return value;
  throw new TypeError(`an object was expected, not ${dumpJson(value ?? null)}`);
}

function listOf(value: PyValue | undefined): PyList {
  if (Array.isArray(value)) return value as PyList;
  throw new TypeError(`a list was expected, not ${dumpJson(value ?? null)}`);
}

function textOf(value: PyValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`a string was expected, not ${dumpJson(value ?? null)}`);
}

function textsOf(value: PyValue | undefined): string[] {
  return listOf(value).map(textOf);
}
