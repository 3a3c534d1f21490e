/** Reads a pack's files, and checks their shapes and their agreement with each other. */

import { join, resolve } from 'node:path';
import { attempt } from '../../../errors/index.ts';
import { jsonPath } from '../../json-path.ts';
import { checkShape, toolsSchema } from '../../packs/contents.schema.ts';
import { readFewShots } from '../../packs/few-shots.ts';
import {
  FEW_SHOT_FILE,
  decodePackText,
  digestPackFiles,
  parseFile,
  splitOfFile,
  tableFile,
  listTables,
  type FileBytes,
  type Manifest,
} from '../../packs/manifest.ts';
import {
  PackError,
  throwProblems,
  toolName,
  type Pack,
  type PackProblem,
  type UserPrompts,
} from '../../packs/types.ts';
import { dumpJson, isDict, isList, type PyDict, type PyList, type PyValue } from '../../python/index.ts';
import { RESPOND, type Action, type Task } from '../../types.ts';
import { agentPromptsSchema, tableSchema, tasksSchema, textListSchema, userPromptsSchema } from './contents.schema.ts';

/** Makes a pack from files that are known to be complete. @throws PackError */
export function assemblePack(folder: string, manifest: Manifest, files: FileBytes): Pack {
  const { domain } = manifest;
  const contents = parseAll(folder, domain, files);
  const tables = new Map<string, PyValue>(
    listTables(domain).map((table) => [table, expectDict(contents.get(tableFile(table)))]),
  );
  const tools = expectList(contents.get('tools.json'));
  const splits = readSplits(folder, contents, tables, tools);
  const fewShots = files.get(FEW_SHOT_FILE);
  return {
    ref: { name: manifest.name, digest: digestPackFiles(manifest.files), path: resolve(folder) },
    domain,
    source: manifest.source,
    licence: manifest.licence,
    tables,
    policy: decodePackText(join(folder, 'wiki.md'), files.get('wiki.md') ?? Buffer.alloc(0)),
    tools,
    terminateTools: expectTexts(contents.get('terminate_tools.json')),
    rules: expectTexts(contents.get('rules.json')),
    userPrompts: readUserPrompts(expectDict(contents.get('user-prompts.json'))),
    agentPrompts: textEntries(expectDict(contents.get('agent-prompts.json'))),
    ...(fewShots === undefined ? {} : { fewShotDisplays: readFewShots(join(folder, FEW_SHOT_FILE), fewShots) }),
    splits,
  };
}

/** Parses every JSON file of the pack, and checks its shape. */
function parseAll(folder: string, domain: string, files: FileBytes): ReadonlyMap<string, PyValue> {
  const contents = new Map<string, PyValue>();
  const problems: PackProblem[] = [];
  for (const [file, bytes] of files) {
    const schema = chooseSchema(domain, file);
    if (schema === undefined) continue;
    const where = join(folder, file);
    const check = () => {
      const parsed = parseFile(where, bytes);
      contents.set(file, parsed.value);
      return checkShape(where, parsed, schema);
    };
    problems.push(...attempt(check, (error) => error.problems, PackError));
  }
  throwProblems(problems);
  return contents;
}

function chooseSchema(domain: string, file: string): ReturnType<typeof tableSchema> | undefined {
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

/** Reads the splits, and checks everything on which files have to agree. */
function readSplits(
  folder: string,
  contents: ReadonlyMap<string, PyValue>,
  tables: PyDict,
  tools: PyList,
): Pack['splits'] {
  const problems: PackProblem[] = [];
  const names = toolNames(join(folder, 'tools.json'), tools, problems);
  expectTexts(contents.get('terminate_tools.json')).forEach((name, at) => {
    if (names.has(name)) return;
    const where = join(folder, 'terminate_tools.json');
    problems.push(`${where}: [${String(at)}] is ${JSON.stringify(name)}, which is not a tool of tools.json.`);
  });
  const users = expectDict(tables.get('users'));
  const splits: [string, Pack['splits'][string]][] = [];
  for (const [file, value] of contents) {
    const split = splitOfFile(file);
    if (split !== undefined) {
      splits.push([split, readTasks(join(folder, file), expectList(value), { tools: names, users }, problems)]);
    }
  }
  throwProblems(problems);
  return Object.fromEntries(splits);
}

function readUserPrompts(prompts: PyDict): UserPrompts {
  const strategies = Array.from(expectDict(prompts.get('strategies')), ([name, value]) => {
    const texts = expectDict(value);
    const systemPrompt = expectText(texts.get('system_prompt'));
    return [
      name,
      { systemPrompt, systemPromptWithoutInstruction: expectText(texts.get('system_prompt_without_instruction')) },
    ] as const;
  });
  const verifyPrompt = prompts.get('verify_prompt');
  const reflectPrompt = prompts.get('reflect_prompt');
  return {
    greeting: expectText(prompts.get('first_user_message')),
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

// The schemas guarantee these kinds; a mismatch is a bug of this program.

function expectDict(value: PyValue | undefined): PyDict {
  if (isDict(value)) return value;
  throw new TypeError(`an object was expected, not ${dumpJson(value ?? null)}`);
}

function expectList(value: PyValue | undefined): PyList {
  if (Array.isArray(value)) return value as PyList;
  throw new TypeError(`a list was expected, not ${dumpJson(value ?? null)}`);
}

function expectText(value: PyValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`a string was expected, not ${dumpJson(value ?? null)}`);
}

function expectTexts(value: PyValue | undefined): string[] {
  return expectList(value).map(expectText);
}

/** Returns the tools' names; a repeated name is a problem. */
function toolNames(where: string, tools: PyList, problems: PackProblem[]): ReadonlySet<string> {
  const names = new Set<string>();
  tools.forEach((tool, at) => {
    const name = toolName(tool);
    if (names.has(name)) {
      const path = jsonPath([at, 'function', 'name']);
      problems.push(`${where}: ${path} is ${JSON.stringify(name)} a second time; each tool is described once.`);
    }
    names.add(name);
  });
  return names;
}

/** @param list content of the task file, whose shape is already checked */
function readTasks(
  where: string,
  list: PyList,
  pack: { readonly tools: ReadonlySet<string>; readonly users: PyDict },
  problems: PackProblem[],
): Task[] {
  return list.map((entry, at) => {
    const task = toTask(entry);
    if (!pack.users.has(task.userId)) {
      problems.push(
        `${where}: ${jsonPath([at, 'user_id'])} is ${JSON.stringify(task.userId)}, who is not in users.json.`,
      );
    }
    task.actions.forEach((action, position) => {
      if (pack.tools.has(action.name) || action.name === RESPOND) return;
      const path = jsonPath([at, 'actions', position, 'name']);
      problems.push(`${where}: ${path} is ${JSON.stringify(action.name)}, which is not a tool of tools.json.`);
    });
    return task;
  });
}

function toTask(entry: PyValue): Task {
  const task: PyDict = isDict(entry) ? entry : new Map();
  return {
    userId: text(task.get('user_id')),
    instruction: text(task.get('instruction')),
    actions: items(task.get('actions')).map(toAction),
    outputs: items(task.get('outputs')).map(text),
  };
}

function toAction(entry: PyValue): Action {
  const action: PyDict = isDict(entry) ? entry : new Map();
  const kwargs = action.get('kwargs');
  return { name: text(action.get('name')), kwargs: isDict(kwargs) ? kwargs : new Map() };
}

function text(value: PyValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function items(value: PyValue | undefined): PyList {
  return isList(value) ? value : [];
}
