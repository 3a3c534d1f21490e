/** Loads a benchmark's folder: its definition, its policy, its data and its tasks, all checked. */

import { extname, join } from 'node:path';
import { parseDocument } from 'yaml';
import * as z from 'zod';
import { EPISODE_RULES, type EpisodeRulesName } from '../rules.ts';
import { RESPOND } from '../types.ts';
import { UsageError, attempt, firstLine } from '../../errors/index.ts';
import { loadModule, sha256 } from '../../io/index.ts';
import { readBenchmarkFolder, readData, type BenchmarkFolder } from './folder.ts';
import { countedParts } from './grade.ts';
import { NotJsonError } from './plain-json.ts';
import type { Benchmark, McpServer } from './public.ts';
import { describeIssues, taskSchema, type OwnTask } from './tasks.schema.ts';
import { isMcpTools, toState, type BenchmarkState } from './tools.ts';

export interface LoadedBenchmark {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Digest of all files of the folder, and of the definition's imports from elsewhere. */
  readonly digest: string;
  readonly name: string;
  readonly version: string;
  readonly rules: EpisodeRulesName;
  readonly policy: string;
  /** The state with which episodes begin. */
  readonly initial: BenchmarkState;
  readonly tasks: readonly OwnTask[];
  readonly definition: Benchmark;
}

/** Error of a benchmark that cannot be used. The message is the first problem's sentence. */
export class BenchmarkError extends UsageError {
  override readonly name = 'BenchmarkError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const [first = ''] = problems;
    const more = `${first.replace(/\.$/, '')} (1 of ${problems.length} problems; \`tauflow benchmark check\` has all).`;
    super(problems.length > 1 ? more : first);
    this.problems = problems;
  }
}

const toUrl = (specifier: string) => import.meta.resolve(specifier);

/** URLs of the program's modules that a definition may import, by name. */
const MODULES = {
  'tauflow/benchmark': new URL(`./public${extname(import.meta.url)}`, import.meta.url).href,
  zod: toUrl('zod'),
};

/** @param path absolute path @throws UsageError, BenchmarkError */
export async function loadBenchmark(path: string): Promise<LoadedBenchmark> {
  const folder = await readBenchmarkFolder(path);
  const file = join(path, folder.definition);
  const module = await loadModule(file, `the benchmark in ${file}`, MODULES);
  const definition = checkDefinition(file, module.default);
  const digest = sha256([folder.digest, module.digest]);
  const problems: string[] = [];
  const policy = definition.policy ?? folder.texts.get('policy.md');
  if (policy === undefined || policy.trim() === '') {
    const what = policy === undefined ? 'missing' : 'empty';
    problems.push(`${join(path, 'policy.md')} is ${what}; write what the agent has to obey.`);
  }
  const data: unknown = definition.data ?? readData(folder);
  const initial = attempt(
    () => toState(data),
    ({ message }) => {
      problems.push(`the data of ${file} are not plain JSON: ${message}.`);
      return { text: '{}', digest: '' };
    },
    NotJsonError,
  );
  const tasks = readTasks(folder, definition, problems);
  if (problems.length > 0) throw new BenchmarkError(problems);
  const { name, version = digest.slice(0, 12), rules = 'tau-bench' } = definition;
  return { path, digest, name, version, rules, policy: policy ?? '', initial, tasks, definition };
}

const text = z.string('must be a text').min(1, 'must not be empty');
const aFunction = z.custom<never>((value) => typeof value === 'function', 'must be a function');

/** Matches names of tools that models' providers accept. */
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const tools = z
  .record(
    z.string(),
    z.strictObject(
      {
        description: text,
        parameters: z.custom<z.ZodObject>(
          (value) => value instanceof z.ZodObject,
          'must be z.object({ … }) of zod 4, which `tauflow/benchmark` exports as z',
        ),
        ends: z.boolean('must be true or false').optional(),
        run: aFunction,
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys' ? undefined : 'must be a tool: { description, parameters, run }',
      },
    ),
    {
      error: (issue) =>
        issue.code === 'invalid_type' ? 'must be an object of tools, or mcp({ command, … })' : undefined,
    },
  )
  .superRefine((byName, context) => {
    for (const [name, { parameters }] of Object.entries(byName)) {
      const path = [name];
      if (!TOOL_NAME.test(name))
        context.addIssue({ code: 'custom', path, message: 'must be letters, digits, "_" and "-"' });
      if (name === RESPOND)
        context.addIssue({ code: 'custom', path, message: 'is the name of speaking to the user; take another' });
      attempt(
        () => z.toJSONSchema(parameters, { io: 'input' }),
        (error: Error) =>
          context.addIssue({
            code: 'custom',
            path,
            message: `has parameters without a JSON Schema: ${firstLine(error)}`,
          }),
        Error,
      );
    }
  });

const json = z.record(z.string(), z.json());
const server = z.strictObject({
  command: text,
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  state: z
    .strictObject({
      tool: text.optional(),
      arguments: json.optional(),
      resource: text.optional(),
      field: text.optional(),
    })
    .refine(({ tool, resource }) => (tool === undefined) !== (resource === undefined), 'must have a tool or a resource')
    .optional(),
  tools: z.array(text).nonempty().optional(),
}) satisfies z.ZodType<McpServer>;

const definitionSchema = z.strictObject(
  {
    name: text.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be small letters, digits and "-", at most 40'),
    version: text.regex(/^[\w.+-]{1,60}$/, 'must be letters, digits, ".", "+" and "-"').optional(),
    rules: z.enum(EPISODE_RULES, `must be ${EPISODE_RULES.join(' or ')}`).optional(),
    policy: text.optional(),
    data: z.custom<never>((value) => typeof value === 'object' && value !== null, 'must be an object').optional(),
    tools: z.unknown().superRefine((value, context) => {
      const schema = isMcpTools(value) ? z.strictObject({ mcp: server }) : tools;
      for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: [...path], message });
      }
    }),
    userTools: tools.optional(),
    tasks: z.array(z.unknown(), 'must be a list of tasks').optional(),
    users: z.record(z.string(), text, 'must be an object of users').optional(),
    grade: aFunction.optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be defineBenchmark({ … })') },
);

function checkDefinition(file: string, exported: unknown): Benchmark {
  if (exported === undefined) {
    throw new UsageError(`${file} has no default export; write \`export default defineBenchmark({ … })\`.`);
  }
  const { error } = definitionSchema.safeParse(exported);
  if (error === undefined) {
    const { tools: given, userTools, rules } = exported as Benchmark;
    if (isMcpTools(given) && userTools !== undefined) {
      throw new UsageError(`${file}: userTools are for tools that are functions; leave them out beside mcp({ … }).`);
    }
    if (userTools !== undefined && rules !== 'tau2') {
      throw new UsageError(`${file}: userTools need rules: 'tau2', because the user of other rules calls no tools.`);
    }
    return exported as Benchmark;
  }
  throw new BenchmarkError(
    error.issues.map((issue) => {
      const place = issue.path.map(String).join('.');
      if (issue.code === 'unrecognized_keys') {
        return `${file}: ${place === '' ? 'the benchmark' : place} has ${issue.keys.join(', ')}, which is unknown; correct the name.`;
      }
      return `${file}: ${place === '' ? 'the default export' : place} ${issue.message}.`;
    }),
  );
}

/** Most uses of YAML anchors in a file. */
const MOST_ALIASES = 100;
const MOST_TASKS = 20_000;

interface PlacedTask {
  /** Beginning of a sentence about it. */
  readonly where: string;
  readonly task: unknown;
}

function readTasks(folder: BenchmarkFolder, definition: Benchmark, problems: string[]): OwnTask[] {
  const placed =
    definition.tasks?.map((task) => ({ where: folder.definition, task })) ?? readTaskFiles(folder, problems);
  if (placed.length === 0 && problems.length === 0) {
    problems.push(`${join(folder.path, 'tasks.yaml')} is missing or empty; write at least one task.`);
  }
  if (placed.length > MOST_TASKS) throw new UsageError(`${folder.path} has more than ${MOST_TASKS} tasks.`);
  const tasks = new Map<string, OwnTask>();
  for (const [at, { where, task: given }] of placed.entries()) {
    const parsed = taskSchema.safeParse(given);
    const place = `${where}: the task ${nameTask(given, at)}`;
    const wrong = (what: string) => problems.push(`${place}: ${what.replace(/\.$/, '')}.`);
    if (!parsed.success) {
      describeIssues(parsed.error).forEach(wrong);
      continue;
    }
    const task = parsed.data;
    if (tasks.has(task.id)) wrong('another task has the same id');
    tasks.set(task.id, task);
    checkTask(task, definition).forEach(wrong);
  }
  return [...tasks.values()];
}

function nameTask(given: unknown, position: number): string {
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : undefined;
  return typeof id === 'string' ? id : `at position ${position + 1}`;
}

function readTaskFiles({ path, texts }: BenchmarkFolder, problems: string[]): PlacedTask[] {
  return [...texts].flatMap(([name, source]) => {
    if (!/\.ya?ml$/.test(name)) return [];
    const where = join(path, name);
    try {
      const document = parseDocument(source, { prettyErrors: true });
      const [error] = document.errors;
      if (error !== undefined) throw error;
      const list: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
      if (Array.isArray(list)) return list.map((task: unknown) => ({ where, task }));
      problems.push(`${where} must be a list of tasks; begin each task with "- id:".`);
    } catch (error) {
      problems.push(`${where} is no YAML: ${firstLine(error).replace(/:$/, '')}.`);
    }
    return [];
  });
}

/** Finds names in a task that the benchmark lacks. */
function checkTask(task: OwnTask, { tools: given, userTools = {}, users, grade }: Benchmark): string[] {
  const wrong: string[] = [];
  if (users !== undefined && task.user !== undefined && !Object.hasOwn(users, task.user)) {
    wrong.push(`user is ${JSON.stringify(task.user)}, and users has ${Object.keys(users).join(', ')}`);
  }
  if (!isMcpTools(given)) {
    task.calls?.forEach(({ name, requestor }, at) => {
      if (Object.hasOwn(requestor === 'user' ? userTools : given, name)) return;
      wrong.push(
        `calls[${at}] is a call of ${name}, and ${requestor === 'user' ? 'userTools have' : 'tools have'} none of that name`,
      );
    });
  }
  const has: Readonly<Record<string, boolean>> = { ...task, grade: grade !== undefined } as never;
  for (const part of task.counts ?? []) {
    const given = part === 'data' ? (task.data ?? task.calls) : has[part];
    if (given === undefined || given === false) wrong.push(`counts has ${part}, which the task does not say`);
  }
  if (countedParts(task, grade !== undefined, true).length === 0) {
    wrong.push('nothing can fail: give it calls, data, outputs or sentences');
  }
  return wrong;
}
