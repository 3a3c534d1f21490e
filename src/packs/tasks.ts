/** A split's tasks, and whether they fit the pack's tools and users. */

import { isDict, isList, type PyDict, type PyList, type PyValue } from '../benchmark/python/index.ts';
import { RESPOND, jsonPath, type Action, type Task } from '../benchmark/index.ts';
import { PackError, listWords, type PackProblem } from './problem.ts';
import type { Pack } from './types.ts';

/** The tools' names; a name that comes twice is a problem. */
export function toolNames(where: string, tools: PyList, problems: PackProblem[]): ReadonlySet<string> {
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

/** The name in a tool's schema; empty when it has none, which no pack that was read has. */
export function toolName(tool: PyValue): string {
  const described = isDict(tool) ? tool.get('function') : undefined;
  const name = isDict(described) ? described.get('name') : undefined;
  return typeof name === 'string' ? name : '';
}

/** @param list what the task file holds, of the right shape already */
export function readTasks(
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
      problems.push(`${where}: ${path} is ${JSON.stringify(action.name)}, which is no tool of tools.json.`);
    });
    return task;
  });
}

/** @throws PackError that tells which splits there are */
export function tasksOfSplit(pack: Pack, split: string): readonly Task[] {
  const tasks = Object.hasOwn(pack.splits, split) ? pack.splits[split] : undefined;
  if (tasks !== undefined) return tasks;
  const names = Object.keys(pack.splits);
  throw new PackError(
    `the pack ${pack.ref.name} has no task split ${JSON.stringify(split)}; it has ${listWords(names)}.`,
  );
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
