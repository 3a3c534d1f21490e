/**
 * Checks a benchmark's folder: its form, its data, and each task, played with its ground truth and by an agent that
 * does nothing.
 */

import { jsonPath } from '../json-path.ts';
import { digestServicePack } from '../service/pack.ts';
import { playCalls, type PlayedCalls } from '../service/play.ts';
import {
  EnvironmentServiceError,
  type EnvironmentService,
  type ServiceDomain,
  type ServiceTask,
} from '../service/port.ts';
import { UsageError, firstLine } from '../../errors/index.ts';
import { isObject, jsonObject } from '../../io/index.ts';
import { openFolder } from './index.ts';
import { BenchmarkError, loadBenchmark, type LoadedBenchmark } from './load.ts';

export interface BenchmarkReport {
  readonly folder: string;
  /** Reasons why the folder cannot be used. */
  readonly problems: readonly string[];
  /** Errors in tasks and tools, one sentence each. */
  readonly wrong: readonly string[];
  /** Possible errors, one sentence each. */
  readonly warnings: readonly string[];
  /** Summary of the benchmark; null for a folder that cannot be used. */
  readonly summary: BenchmarkSummary | null;
}

interface BenchmarkSummary {
  readonly name: string;
  readonly version: string;
  /** Digest of files, tasks and version, for reports. */
  readonly digest: string;
  /** Number of tasks per split. */
  readonly splits: Readonly<Record<string, number>>;
  /** Number of calls per tool in all ground truths; null if unknown, because no task could be played. */
  readonly toolUse: Readonly<Record<string, number>> | null;
}

/** @param folder absolute path */
export async function checkBenchmark(folder: string): Promise<BenchmarkReport> {
  try {
    // The thread comes first, because code that never returns or ends its process must not reach this one.
    const service = await openFolder(folder);
    return { folder, problems: [], ...(await checkLoaded(service, await loadBenchmark(folder))) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const problems = error instanceof BenchmarkError ? error.problems : [error.message];
    return { folder, problems, wrong: [], warnings: [], summary: null };
  }
}

/** Most tasks that cannot be played before the check stops; a task whose tool blocks takes many seconds. */
const MOST_UNPLAYABLE = 3;

async function checkLoaded(service: EnvironmentService, { name, version, initial }: LoadedBenchmark) {
  const domain = { domain: name, options: {} };
  const { tasks, splits, digest: taskDigest } = await service.tasks({ ...domain, split: null });
  const digest = digestServicePack({ ...service.description, ...domain }, taskDigest);
  /** Tasks by their error. */
  const causes = new Map<string, string[]>();
  const warnings = findStrayIds(JSON.parse(initial.text));
  const toolUse = new Map<string, number>();
  let played = 0;
  let unplayable = 0;
  for (const [at, task] of tasks.entries()) {
    if (unplayable === MOST_UNPLAYABLE) {
      const left = `${tasks.length - at} more tasks were not played, because ${unplayable} could not be played.`;
      causes.set(left, []);
      break;
    }
    played += 1;
    const found = await checkTask(service, domain, task, initial.text).catch((error: unknown) => {
      played -= 1;
      // An invalid answer of a benchmark took no time.
      if (!(error instanceof EnvironmentServiceError && error.fault === 'invalid')) unplayable += 1;
      return { wrong: [firstLine(error)], warnings: [], tools: [] };
    });
    for (const tool of found.tools) toolUse.set(tool, toolUse.get(tool) ?? 0);
    for (const { name: tool } of task.actions ?? []) toolUse.set(tool, (toolUse.get(tool) ?? 0) + 1);
    for (const what of new Set(found.wrong)) causes.set(what, [...(causes.get(what) ?? []), task.id]);
    warnings.push(...found.warnings.map((what) => `task ${task.id}: ${what}`));
  }
  const counts = Object.entries(splits).map(([split, ids]) => [split, ids.length] as const);
  const wrong = Array.from(causes, ([what, ids]) => (ids.length === 0 ? what : `${listTasks(ids)}: ${what}`));
  const known = played === 0 ? null : Object.fromEntries(toolUse);
  return { wrong, warnings, summary: { name, version, digest, splits: Object.fromEntries(counts), toolUse: known } };
}

const MOST_LISTED = 3;

function listTasks(ids: readonly string[]): string {
  const [first] = ids;
  if (ids.length === 1) return `task ${first}`;
  return `${ids.length} tasks (${ids.slice(0, MOST_LISTED).join(', ')}${ids.length > MOST_LISTED ? ', …' : ''})`;
}

async function checkTask(service: EnvironmentService, domain: ServiceDomain, task: ServiceTask, data: string) {
  const { id, actions, outputs = [] } = task;
  const wrong: string[] = [];
  const warnings: string[] = [];
  const play = (episode: string, calls: typeof actions = [], says: readonly string[] = []) =>
    playCalls(service, domain, { episode: `check ${episode} of ${id}`, task: id, calls, says });
  const truth = await play('truth', actions, outputs);
  const nothing = await play('nothing');
  const tools = [...truth.start.tools, ...(truth.start.userTools ?? [])].map(readToolName);
  if (nothing.grade.reward === 1) {
    const canFail = nothing.grade.parts.some(({ counts, checks }) => counts && checks.length > 0);
    if (canFail) warnings.push('an agent that does and says nothing solves it.');
    else wrong.push('nothing can fail, because no part that counts has a check.');
  }
  if (actions === undefined) {
    warnings.push('it has no calls, so its solution was not tried and the scripted model cannot solve it.');
    return { wrong, warnings, tools };
  }
  const again = await play('truth again', actions, outputs);
  if (truth.grade.reward < 1)
    wrong.push(`its ground truth gets the reward ${truth.grade.reward}: ${listUnmet(truth)}.`);
  for (const [at, { observation, error, mistake, state }] of truth.observations.entries()) {
    const call = `calls[${at}], a call of ${actions[at]?.name},`;
    if (mistake !== undefined) wrong.push(`the tool ${actions[at]?.name} ${mistake}.`);
    else if (error) warnings.push(`${call} is answered ${quote(observation)}.`);
    const second = again.observations[at];
    if (second?.observation !== observation) {
      wrong.push(
        `${call} answers differently when it is made again: ${quote(observation)}, then ${quote(second?.observation ?? '')}.`,
      );
    } else if (second.state.agent !== state.agent)
      wrong.push(`${call} changes the data differently when it is made again.`);
  }
  if (truth.observations.length < actions.length) {
    wrong.push(`calls[${truth.observations.length - 1}] ends the episode before the last call.`);
  }
  const seen = [data, truth.start.policy];
  for (const [at, { name, arguments: json }] of actions.entries()) {
    for (const { path, value } of findIds(jsonObject(json) ?? {})) {
      if (data === NO_DATA || seen.some((text) => text.includes(JSON.stringify(value).slice(1, -1)))) continue;
      warnings.push(`calls[${at}], a call of ${name}, has the ${path} ${quote(value)}, which is nowhere in the data.`);
    }
    seen.push(truth.observations[at]?.observation ?? '');
  }
  const readable = [...seen, task.instruction ?? ''].join('\n').toLowerCase();
  for (const output of outputs) {
    if (readable.includes(output.toLowerCase())) continue;
    warnings.push(`no tool answers the output ${quote(output)}, so the agent has to compute it or cannot know it.`);
  }
  return { wrong, warnings, tools };
}

/** The state of a benchmark without data, such as that of an MCP server. */
const NO_DATA = '{}';

const MOST_QUOTED = 120;

function quote(text: string): string {
  return JSON.stringify(text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text);
}

function listUnmet({ grade }: PlayedCalls): string {
  const unmet = grade.parts.flatMap(({ kind, counts, checks }) =>
    counts ? checks.filter(({ isMet }) => isMet === false).map(({ wanted }) => `${kind} ${quote(wanted ?? '')}`) : [],
  );
  return unmet.join(', ') || 'no check says why';
}

function readToolName(tool: Readonly<Record<string, unknown>>): string {
  return isObject(tool['function']) ? String(tool['function']['name']) : '';
}

interface FoundId {
  readonly path: string;
  /** Last name in the path. */
  readonly field: string;
  readonly value: string;
}

const ID_FIELD = /(?:^id|_ids?|[a-z]Ids?)$/;

/** Finds texts in fields that are named like ids: `order_id`, `item_ids[1]`. */
function findIds(value: unknown, path: readonly (string | number)[] = []): FoundId[] {
  if (typeof value === 'string') {
    const field = path.findLast((step) => typeof step === 'string') ?? '';
    return ID_FIELD.test(field) ? [{ path: jsonPath(path), field, value }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return Array.from(entries, ([key, inner]: [string | number, unknown]) => findIds(inner, [...path, key])).flat();
}

/** Finds ids in the data that refer to no record: a `customer_id` that is not a key of `customers`. */
function findStrayIds(data: unknown): string[] {
  if (!isObject(data)) return [];
  return findIds(data).flatMap(({ path, field, value }) => {
    const kind = field.replace(/_?ids?$/i, '');
    const names = [`${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies'), kind];
    const table = names.find((name) => isObject(data[name]));
    if (table === undefined || Object.hasOwn(data[table] as object, value)) return [];
    return [`data: ${path} is ${quote(value)}, which is not in ${table}.`];
  });
}
