/** The tasks of a split, from a file of literals: `Task(...)` and `Action(...)`, or dicts as they were at first. */

import { isDict, isList, type PyDict, type PyValue } from '../../benchmark/python/index.ts';
import { PackError } from '../../packs/index.ts';
import type { Definition, PythonModules } from './python-source/modules.ts';

const RECORDS: ReadonlySet<string> = new Set(['Task', 'Action']);

/** The order in which a pack writes a task's fields; others follow. */
const FIELDS = ['user_id', 'instruction', 'actions', 'outputs', 'annotator'];

/** @throws PackError with file and line for what is no literal, with the task's position for what is no task */
export function readTasks(modules: PythonModules, { module, name }: Definition): PyDict[] {
  const value = modules.value(module, name, { records: RECORDS });
  const where = `${module.source.path}: ${name}`;
  if (!isList(value)) throw new PackError(`${where} is no list of tasks.`);
  return value.map((item, at) => toTask(`${where}[${String(at)}]`, item));
}

function toTask(where: string, value: PyValue): PyDict {
  if (!isDict(value)) throw new PackError(`${where} is no task.`);
  const actions = value.get('actions');
  if (!isList(actions)) throw new PackError(`${where} has no list of actions.`);
  const fields = new Map<string, PyValue>(value);
  fields.set(
    'actions',
    actions.map((action, at) => toAction(`${where}.actions[${String(at)}]`, action)),
  );
  // As dicts, tasks that ask for no answer had no field for it.
  if (!fields.has('outputs')) fields.set('outputs', []);
  const known = FIELDS.filter((field) => fields.has(field));
  const names = [...known, ...Array.from(fields.keys()).filter((field) => !FIELDS.includes(field))];
  return new Map(names.map((field) => [field, fields.get(field) ?? null]));
}

function toAction(where: string, value: PyValue): PyDict {
  const name = isDict(value) ? value.get('name') : undefined;
  const kwargs = isDict(value) ? (value.get('kwargs') ?? value.get('arguments')) : undefined;
  if (typeof name !== 'string' || !isDict(kwargs)) throw new PackError(`${where} has no name with arguments.`);
  return new Map<string, PyValue>([
    ['name', name],
    ['kwargs', kwargs],
  ]);
}
