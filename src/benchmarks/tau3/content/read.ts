/**
 * Reads a pack of τ³-bench: the reference's data, tasks and texts, and the tools' schemas. A task keeps its own form,
 * and also gets tau-bench's instruction, actions and outputs.
 */

import { join, resolve } from 'node:path';
import ownAgentPrompts from '#data/retail/agent-prompts.json' with { type: 'json' };
import * as z from 'zod';
import { checkShape, toolsSchema, type JsonFile } from '../../packs/contents.schema.ts';
import {
  decodePackText,
  digestPackFiles,
  parseFile,
  splitOfFile,
  type FileBytes,
  type Manifest,
} from '../../packs/manifest.ts';
import { PackError, throwProblems, type Pack } from '../../packs/types.ts';
import { PyError, isDict, isList, type PyDict, type PyList, type PyValue } from '../../python/index.ts';
import type { Task } from '../../types.ts';
import { tau3Domains } from '../domains.ts';
import { FIRST_AGENT_MESSAGE, scenarioText, userSystemPrompt } from '../prompts.ts';
import { readToml } from './toml.ts';

/** Prompts of this project for act and react, because τ³-bench has no agent with actions as text. */
const { act_instruction, react_instruction, tool_observation_prefix } = ownAgentPrompts;
export const OWN_AGENT_PROMPTS = { act_instruction, react_instruction, tool_observation_prefix };

/** Files of the simulated user: its guidelines, and its tools, if any. */
export const GUIDELINES_FILE = 'user-guidelines.md';
export const USER_TOOLS_FILE = 'user-tools.json';

/** Assembles a pack from complete files. @throws PackError */
export function assemblePack(folder: string, manifest: Manifest, files: FileBytes): Pack {
  const domain = tau3Domains.get(manifest.domain);
  if (domain === undefined) throw new PackError(`${folder}: this version has no domain ${manifest.domain}.`);
  const bytes = (file: string) => files.get(file) ?? Buffer.alloc(0);
  const text = (file: string) => decodePackText(join(folder, file), bytes(file));
  const data = domain.files.map((file) => [file, readData(join(folder, file), bytes(file))] as const);
  const userTools = domain.user === undefined ? undefined : readTools(join(folder, USER_TOOLS_FILE), files);
  const guidelines = text(GUIDELINES_FILE);
  return {
    ref: { name: manifest.name, digest: digestPackFiles(manifest.files), path: resolve(folder) },
    domain: manifest.domain,
    source: manifest.source,
    licence: manifest.licence,
    version: manifest.version,
    changedFiles: manifest.changed_files,
    tables: loadTables(folder, () => domain.load(Object.fromEntries(data))),
    policy: text('wiki.md'),
    tools: readTools(join(folder, 'tools.json'), files),
    ...(userTools === undefined ? {} : { userTools }),
    terminateTools: [],
    userPrompts: {
      greeting: FIRST_AGENT_MESSAGE,
      strategies: {
        llm: {
          systemPrompt: userSystemPrompt(guidelines, '{instruction}'),
          systemPromptWithoutInstruction: userSystemPrompt(guidelines, ''),
        },
      },
    },
    agentPrompts: OWN_AGENT_PROMPTS,
    splits: readSplits(folder, files),
  };
}

/** Reads a JSON or TOML file of data. */
function readData(where: string, bytes: Buffer): PyValue {
  if (!where.endsWith('.toml')) return parseFile(where, bytes).value;
  try {
    return readToml(decodePackText(where, bytes));
  } catch (error) {
    if (error instanceof PackError || !(error instanceof Error)) throw error;
    const [reason = ''] = error.message.split('\n');
    throw new PackError(`${where}: the TOML cannot be read: ${reason.replace(/\.$/, '').slice(0, 200)}.`);
  }
}

/** Loads tables; reports data that the reference's models refuse, with the first line of each error. */
function loadTables(folder: string, load: () => PyDict): PyDict {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    const reason = error.message.split('\n').slice(0, 3).join(' ').replaceAll(/\s+/g, ' ');
    throw new PackError(`${folder}: the data are not as τ³-bench's models have them: ${reason.slice(0, 300)}.`);
  }
}

function readTools(where: string, files: FileBytes): PyList {
  const file = parseFile(where, files.get(where.slice(where.lastIndexOf('/') + 1)) ?? Buffer.alloc(0));
  throwProblems(checkShape(where, file, toolsSchema));
  return isList(file.value) ? file.value : [];
}

const text = z.string();
const namedCall = z.looseObject({ name: text.min(1), arguments: z.record(text, z.unknown()) });
const functionCall = z.looseObject({ func_name: text.min(1), arguments: z.record(text, z.unknown()).nullish() });

const tasksSchema = z
  .array(
    z.looseObject({
      id: text.min(1),
      user_scenario: z.looseObject({
        persona: text.nullish(),
        instructions: z.union([text, z.looseObject({ task_instructions: text })]),
      }),
      initial_state: z.looseObject({ initialization_actions: z.array(functionCall).nullish() }).nullish(),
      evaluation_criteria: z
        .looseObject({
          actions: z.array(namedCall).nullish(),
          env_assertions: z.array(functionCall).nullish(),
          communicate_info: z.array(text).nullish(),
          nl_assertions: z.array(text).nullish(),
          reward_basis: z.array(text).nullish(),
        })
        .nullish(),
    }),
  )
  .min(1, 'is empty; a split needs at least one task');

function readSplits(folder: string, files: FileBytes): Pack['splits'] {
  const splits: [string, readonly Task[]][] = [];
  for (const [name, bytes] of files) {
    const split = splitOfFile(name);
    if (split === undefined) continue;
    const where = join(folder, name);
    splits.push([split, readTasks(where, parseFile(where, bytes))]);
  }
  return Object.fromEntries(splits);
}

/** Returns the tasks of a file. @throws PackError */
function readTasks(where: string, file: JsonFile): readonly Task[] {
  throwProblems(checkShape(where, file, tasksSchema));
  return isList(file.value) ? file.value.filter(isDict).map(toTask) : [];
}

function toTask(task: PyDict): Task {
  const scenario = task.get('user_scenario');
  const criteria = task.get('evaluation_criteria');
  const ofCriteria = (name: string) => {
    const list = isDict(criteria) ? criteria.get(name) : undefined;
    return list !== undefined && isList(list) ? list : [];
  };
  return {
    userId: '',
    instruction: isDict(scenario) ? scenarioText(scenario) : '',
    actions: ofCriteria('actions')
      .filter(isDict)
      .map((call) => {
        const [name, kwargs] = [call.get('name'), call.get('arguments')];
        return {
          name: typeof name === 'string' ? name : '',
          kwargs: isDict(kwargs) ? kwargs : new Map<string, PyValue>(),
          ...(call.get('requestor') === 'user' ? { requestor: 'user' as const } : {}),
        };
      }),
    outputs: ofCriteria('communicate_info').filter((info) => typeof info === 'string'),
    content: task,
  };
}
