/**
 * Packs of environment services: a domain's tasks, and the policy, tools and prompts with which its episodes begin. The
 * service keeps the data.
 */

import ownUserPrompts from '#data/retail/user-prompts.json' with { type: 'json' };
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { isObject, suggestName } from '../../io/index.ts';
import { PackError, listWords, type Pack, type PackEnvironment, type UserPrompts } from '../packs/types.ts';
import type { PackRef } from '../packs/ref.ts';
import { hashData } from '../packs/manifest.ts';
import { PyError, dumpJson, isList, parseJson, parseObject, type PyList } from '../python/index.ts';
import { OWN_AGENT_PROMPTS } from '../tau3/content/read.ts';
import { FIRST_AGENT_MESSAGE, userSystemPrompt } from '../tau3/prompts.ts';
import type { Action, Task } from '../types.ts';
import { isAgentFirst } from '../rules.ts';
import { joinDomain, splitDomain } from './domain.ts';
import { openService, type ServiceDeps } from './open.ts';
import type {
  EnvironmentRef,
  EnvironmentService,
  ServiceCall,
  ServiceDescription,
  ServiceDomain,
  ServiceSource,
  ServiceStart,
  ServiceTask,
  ServiceTasks,
} from './port.ts';

/** The domain of a service that a user names. */
export interface ServiceChoice {
  readonly source: ServiceSource;
  /** Name of the domain, `shop:orders`; null: the service's first domain. */
  readonly env: string | null;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Most task packs in memory, enough for a few hundred simultaneous episodes. */
const MOST_TASK_PACKS = 500;

const opened = new Map<string, Promise<EnvironmentService>>();

/** Returns an opened service. Each one is opened once; after a failure, the next call tries again. */
function findService(source: ServiceSource, deps: ServiceDeps): Promise<EnvironmentService> {
  const key = JSON.stringify(source);
  const known = opened.get(key) ?? openService(source, deps);
  opened.set(key, known);
  known.catch(() => opened.delete(key));
  return known;
}

/**
 * Returns the pack of a domain that a user names.
 * @throws PackError for a domain that the service does not have; UsageError, EnvironmentServiceError of the service
 */
export async function resolveServicePack(choice: ServiceChoice, deps: ServiceDeps): Promise<Pack> {
  const { source, env, options } = choice;
  const service = await findService(source, deps);
  const { name, version, rules, replays, domains } = service.description;
  const { service: named, domain = '' } = env === null ? { service: null, domain: domains[0] } : splitDomain(env);
  if (named !== null && named !== name) {
    throw new PackError(`the env ${env ?? ''} is of the service ${named}, and ${pathOf(source)} is ${name}.`);
  }
  if (!domains.includes(domain)) {
    throw new PackError(`the environment ${name} has no domain "${domain}"; it has ${listWords(domains)}.`);
  }
  requireOptions(service.description, options);
  return makePack(service, { source, name, version, domain, options, rules, replays });
}

/**
 * Checks options by the service's JSON Schema. An unreadable schema checks nothing, because the service refuses invalid
 * options itself.
 * @throws PackError
 */
function requireOptions({ name, options: schema }: ServiceDescription, options: ServiceDomain['options']): void {
  if (schema === undefined) return;
  let reader: z.ZodType;
  try {
    reader = z.fromJSONSchema(schema);
  } catch {
    return;
  }
  const [issue] = reader.safeParse(options).error?.issues ?? [];
  if (issue === undefined) return;
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const known = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const problem =
    unknown === undefined
      ? `"${issue.path.join('.')}" is wrong (${issue.message})`
      : `there is no "${unknown}"${suggestName(unknown, known)}`;
  const names = known.length === 0 ? 'no options' : listWords(known);
  throw new PackError(`--env-options: ${problem}; the environment ${name} has ${names}.`);
}

/**
 * Returns the pack of a reference, for a worker.
 * @returns undefined if the service has another version or other tasks than the reference
 */
export async function findServicePack(ref: PackRef, deps: ServiceDeps): Promise<Pack | undefined> {
  const { digest, environment } = ref;
  if (environment === undefined) return undefined;
  const { source } = environment;
  const isKnown = opened.has(JSON.stringify(source));
  const service = await findService(source, deps);
  const { name, version } = service.description;
  const isSame = name === environment.name && version === environment.version;
  const pack = isSame ? await makePack(service, environment) : undefined;
  if (pack?.ref.digest === digest) return pack;
  // Another version may run at this address now.
  opened.delete(JSON.stringify(source));
  return isKnown ? findServicePack(ref, deps) : undefined;
}

/** Returns the digest of a service's tasks and options, which is part of a run's identity and shown by reports. */
export function digestServicePack(
  { name, version, domain, options }: Pick<EnvironmentRef, 'name' | 'version' | 'domain' | 'options'>,
  taskDigest: string,
): string {
  return hashData(dumpJson([name, version, domain, parseJson(JSON.stringify(sortKeys(options))), taskDigest]));
}

async function makePack(service: EnvironmentService, asked: EnvironmentRef): Promise<Pack> {
  const { source, name, version, domain, options } = asked;
  const serviceDomain = { domain, options };
  const tasks = await service.tasks({ ...serviceDomain, split: null });
  const environment = { ...asked, rules: tasks.rules ?? asked.rules };
  const splits = toSplits(tasks);
  const [first] = Object.values(splits)[0] ?? [];
  if (first === undefined) throw new PackError(`the environment ${name} has no tasks in its domain ${domain}.`);
  const env = joinDomain(name, domain);
  const start = (task: Task) =>
    service.start({ ...serviceDomain, episode: `task:${task.name ?? ''}`, task: task.name ?? '' });
  const started = await start(first);
  const pack: Omit<Pack, 'environment'> = {
    ref: { name: env, digest: digestServicePack(asked, tasks.digest), path: pathOf(source), environment },
    domain: env,
    source: `${name} ${version}, an environment service`,
    licence: 'that of the service',
    tables: new Map(),
    terminateTools: [],
    agentPrompts: OWN_AGENT_PROMPTS,
    splits,
    ...startedTexts(environment, started, null),
  };
  const packs = new LRUCache<Task, Promise<TaskPack>>({ max: MOST_TASK_PACKS });
  const known: PackEnvironment = {
    service,
    domain: serviceDomain,
    taskPack(task) {
      const kept = packs.get(task) ?? makeTaskPack(task, task === first ? started : start(task));
      packs.set(task, kept);
      kept.catch(() => packs.delete(task));
      return kept;
    },
  };
  const whole: Pack = { ...pack, environment: known };
  return whole;

  async function makeTaskPack(task: Task, starting: ServiceStart | Promise<ServiceStart>): Promise<TaskPack> {
    const start = await starting;
    const texts = startedTexts(environment, start, task);
    // Most tasks share these texts, and some are long, so they are kept once.
    const shared = texts.policy === whole.policy && dumpJson(texts.tools) === dumpJson(whole.tools);
    return { start, pack: { ...whole, ...texts, ...(shared ? { policy: whole.policy, tools: whole.tools } : {}) } };
  }
}

type TaskPack = Awaited<ReturnType<PackEnvironment['taskPack']>>;

/** Returns the texts of a pack from the answer to `start`. @param task null: the texts apply to all tasks */
function startedTexts({ rules }: EnvironmentRef, start: ServiceStart, task: Task | null) {
  const { policy, agentPrompt, firstMessage } = start;
  const greeting = (isAgentFirst(rules) ? firstMessage : undefined) ?? FIRST_AGENT_MESSAGE;
  return {
    policy,
    tools: toList(start.tools),
    userTools: start.userTools === undefined ? undefined : toList(start.userTools),
    systemPrompt: agentPrompt ?? (rules === 'solo' ? soloPrompt(policy) : undefined),
    userPrompts: userPrompts(start, greeting, task),
  } satisfies Partial<Pack>;
}

function userPrompts(start: ServiceStart, greeting: string, task: Task | null): UserPrompts {
  const { userPrompt, guidelines = GUIDELINES, scenario = task?.instruction } = start;
  const systemPrompt =
    task === null
      ? userSystemPrompt(guidelines, '{instruction}')
      : (userPrompt ?? userSystemPrompt(guidelines, scenario ?? ''));
  const llm = { systemPrompt, systemPromptWithoutInstruction: userSystemPrompt(guidelines, '') };
  const react = {
    systemPrompt: systemPrompt + THOUGHTS,
    systemPromptWithoutInstruction: llm.systemPromptWithoutInstruction + THOUGHTS,
  };
  return {
    greeting,
    strategies: { llm, react, verify: llm, reflection: llm },
    verifyPrompt: ownUserPrompts.verify_prompt,
    reflectPrompt: ownUserPrompts.reflect_prompt,
  };
}

/** Paragraph for the prompt of a simulated user that thinks before it speaks. */
const THOUGHTS = `

Before each line, think about what the person wants next. The agent does not see the thought. Write in this form:

Thought:
<what you think>

User Response:
<the one line that the agent gets to read>`;

const GUIDELINES = `You play a person who writes to the service agent of a company. Your scenario is below.

How to play:
- Write what the person would write next, and no more than one line of it.
- Tell things as they are needed. The agent should have to ask for details.
- Keep to what your scenario says. If you are asked for something that it does not say, such as a number, you do not have it.
- Put things into words of your own; never copy the scenario.
- If you have tools, use them only for what the agent asks you to do.
- As soon as everything you came for is settled, or has been declined for good, write ###STOP### and nothing else.`;

function soloPrompt(policy: string): string {
  return `<instructions>
You work on the task in the first message, by the policy below and with your tools. Nobody answers questions: work until the task is done, then say in one message, without a tool call, what you have done.
</instructions>
<policy>
${policy}
</policy>`;
}

/** Returns the tasks by split, in the service's order. @throws PackError for a split with an unknown task */
function toSplits({ tasks, splits }: ServiceTasks): Pack['splits'] {
  const byId = new Map(tasks.map((task) => [task.id, toTask(task)]));
  const named = Object.keys(splits).length === 0 ? { test: tasks.map(({ id }) => id) } : splits;
  return Object.fromEntries(
    Object.entries(named).map(([split, ids]) => [
      split,
      ids.map((id) => {
        const task = byId.get(id);
        if (task === undefined) throw new PackError(`the environment's split ${split} has no task named "${id}".`);
        return task;
      }),
    ]),
  );
}

function toTask({ id, actions = [], outputs = [], instruction = '', sentences }: ServiceTask): Task {
  return {
    userId: '',
    instruction,
    actions: actions.map((call) => toTaskAction(id, call)),
    outputs,
    name: id,
    sentences,
  };
}

function toTaskAction(task: string, { requestor, name, arguments: text }: ServiceCall): Action {
  const kwargs = parseObject(text);
  if (kwargs === null) throw new PackError(`the ground truth of task ${task} calls ${name} with no JSON object.`);
  return requestor === 'user' ? { name, kwargs, requestor } : { name, kwargs };
}

function toList(tools: readonly object[]): PyList {
  const list = parseJson(JSON.stringify(tools));
  if (!isList(list)) throw new PyError('TypeError', 'tools are a list');
  return list;
}

/** Sorts the keys of a value's objects, so that equal options have equal texts. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

function pathOf(source: ServiceSource): string {
  return source.kind === 'url' ? source.url : source.kind === 'folder' ? source.path : source.name;
}
