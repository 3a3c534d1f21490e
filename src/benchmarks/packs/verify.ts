/**
 * Checks a pack for consistency: its digests, its ids, and every task's ground truth, which is replayed. A problem
 * makes the pack unusable. A warning informs its owner, for example of a ground-truth call that fails (the benchmark's
 * own data have such calls).
 */

import { join } from 'node:path';
import {
  RESPOND,
  domains,
  jsonPath,
  openOverlay,
  replayStep,
  sameState,
  taskData,
  type EnvData,
  type Task,
} from '../index.ts';
import { PackError, toolName, type Pack, type PackProblem } from './types.ts';
import { readPack } from './read.ts';
import { tableFile } from './manifest.ts';

export interface SplitReport {
  readonly split: string;
  readonly tasks: number;
  /** Number of ground-truth actions of all tasks. */
  readonly actions: number;
  /** Number of tasks that require the agent to say an output. */
  readonly withOutputs: number;
  /** Ids of the tasks that an agent solves without any action or message. */
  readonly doNothing: readonly number[];
  /** Ids of the tasks with a ground-truth call that the environment answers with an error. */
  readonly withErrors: readonly number[];
}

interface PackSummary extends Pick<Pack, 'ref' | 'domain' | 'source' | 'licence'> {
  /** Number of records per table. */
  readonly records: Readonly<Record<string, number>>;
  readonly splits: readonly SplitReport[];
  /** Number of ground-truth calls per tool over all splits, in the order of `tools.json`. */
  readonly toolUse: Readonly<Record<string, number>>;
}

/** Kinds of warnings, with their plurals. */
export const WARNING_KINDS = {
  environment: 'domains without an environment',
  tool: 'tools that only one side knows',
  id: 'ids that lead nowhere',
  instruction: 'repeated instructions',
  call: 'ground-truth calls that fail',
} as const;
type WarningKind = keyof typeof WARNING_KINDS;

export interface PackWarning {
  readonly kind: WarningKind;
  /** One sentence: the place, and the problem. */
  readonly text: string;
}

export interface PackReport {
  readonly folder: string;
  /** Reasons why the pack cannot be used. */
  readonly problems: readonly PackProblem[];
  readonly warnings: readonly PackWarning[];
  /** Summary of the pack; null if the pack could not be read. */
  readonly summary: PackSummary | null;
}

/** Reports problems of the pack; never rejects because of them. */
export async function verifyPack(folder: string): Promise<PackReport> {
  return (await readAndVerify(folder)).report;
}

/** Reads a pack and reports its problems. @returns the report and the pack; null if the pack could not be read */
export async function readAndVerify(folder: string): Promise<{ report: PackReport; pack: Pack | null }> {
  try {
    const pack = await readPack(folder);
    return { report: { folder, problems: [], ...inspectPack(folder, pack) }, pack };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { report: { folder, problems: error.problems, warnings: [], summary: null }, pack: null };
  }
}

export function inspectPack(folder: string, pack: Pack): { warnings: PackWarning[]; summary: PackSummary } {
  const warnings = [...toolWarnings(folder, pack), ...toWarnings('id', tableWarnings(folder, pack))];
  const toolUse = new Map(pack.tools.map((tool) => [toolName(tool), 0]));
  const splits = Object.entries(pack.splits).map(([split, tasks]) => {
    const where = join(folder, `tasks-${split}.json`);
    // Users with tools can have phones in different states, although the instruction is the same.
    const hasOneState = pack.userTools === undefined;
    if (hasOneState) warnings.push(...toWarnings('instruction', repeatedInstructions(where, tasks)));
    for (const { name } of tasks.flatMap((task) => task.actions)) toolUse.set(name, (toolUse.get(name) ?? 0) + 1);
    return inspectSplit(where, split, tasks, pack, warnings);
  });
  const records = Array.from(pack.tables, ([table, rows]) => [table, rows instanceof Map ? rows.size : 0] as const);
  return {
    warnings,
    summary: {
      ref: pack.ref,
      domain: pack.domain,
      source: pack.source,
      licence: pack.licence,
      records: Object.fromEntries(records),
      splits,
      toolUse: Object.fromEntries(toolUse),
    },
  };
}

function inspectSplit(
  where: string,
  split: string,
  tasks: readonly Task[],
  pack: Pack,
  warnings: PackWarning[],
): SplitReport {
  const doNothing: number[] = [];
  const withErrors: number[] = [];
  if (domains.has(pack.domain)) {
    tasks.forEach((task, id) => {
      const { unchanged, errors } = replay(pack, task);
      if (unchanged && task.outputs.length === 0) doNothing.push(id);
      if (errors.length > 0) withErrors.push(id);
      for (const { position, name, observation } of errors) {
        const text = `${where}: ${jsonPath([id, 'actions', position])}, a call of ${name}, is answered ${observation}`;
        warnings.push({ kind: 'call', text });
      }
    });
  }
  const actions = tasks.reduce((sum, task) => sum + task.actions.length, 0);
  const withOutputs = tasks.filter((task) => task.outputs.length > 0).length;
  return { split, tasks: tasks.length, actions, withOutputs, doNothing, withErrors };
}

interface CallError {
  readonly position: number;
  readonly name: string;
  readonly observation: string;
}

/** Replays the ground truth on fresh data. It skips actions that end an episode, because they change no data. */
function replay(pack: EnvData, task: Task): { unchanged: boolean; errors: readonly CallError[] } {
  const data = taskData(pack, task);
  const overlay = openOverlay(data);
  const errors: CallError[] = [];
  task.actions.forEach((action, position) => {
    const { name } = action;
    if (name === RESPOND || pack.terminateTools.includes(name)) return;
    const step = replayStep(data, overlay, action, () => '');
    const observation = step.kind === 'raised' ? `Error: ${step.message}` : step.observation;
    if (/^(Error|Unknown action)/.test(observation)) errors.push({ position, name, observation });
  });
  return { unchanged: sameState(data, openOverlay(data), overlay), errors };
}

/** Warns of tools that only the pack describes, or that only the program implements. */
function toolWarnings(folder: string, pack: Pack): PackWarning[] {
  const domain = domains.get(pack.domain);
  if (domain === undefined) {
    const text = `${folder}: this version has no environment for ${pack.domain}, so the ground truth was not replayed.`;
    return [{ kind: 'environment', text }];
  }
  const where = join(folder, 'tools.json');
  const described = [...pack.tools, ...(pack.userTools ?? [])].map(toolName);
  return toWarnings('tool', [
    ...described
      .filter((name) => !domain.tools.has(name))
      .map(
        (name) => `${where}: the ${pack.domain} environment has no tool ${name}; an agent that calls it gets an error.`,
      ),
    ...Array.from(domain.tools.keys())
      .filter((name) => !described.includes(name))
      .map((name) => `${where}: the tool ${name} is not described; agents will not know that there is one.`),
  ]);
}

function toWarnings(kind: WarningKind, texts: readonly string[]): PackWarning[] {
  return texts.map((text) => ({ kind, text }));
}

function repeatedInstructions(where: string, tasks: readonly Task[]): string[] {
  const first = new Map<string, number>();
  return tasks.flatMap(({ instruction }, id) => {
    const earlier = first.get(instruction);
    if (earlier === undefined) first.set(instruction, id);
    return earlier === undefined ? [] : [`${where}: [${String(id)}] has the same instruction as [${String(earlier)}].`];
  });
}

/** Warns of each stray id. */
function tableWarnings(folder: string, pack: Pack): string[] {
  const strays = domains.get(pack.domain)?.strayIds?.(pack.tables) ?? [];
  return strays.map(({ table, path, id, target }) => {
    const spelt = id === undefined ? 'no text' : JSON.stringify(id);
    return `${join(folder, tableFile(table))}: ${jsonPath([...path])} is ${spelt}, which is not in ${target}.`;
  });
}
