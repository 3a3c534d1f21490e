/** Reads one domain of a checkout: its tasks by split, its tools, its rules, and the tools that end an episode. */

import type { SyntaxNode } from '@lezer/common';
import { isDict, isList, type PyDict, type PyValue } from '../../benchmarks/python/index.ts';
import { PackError, listWords, tableFile, listTables, type DomainName } from '../../benchmarks/packs/index.ts';
import type { Checkout } from './checkout.ts';
import { assignmentsIn, findMethod, nodesIn, returnValue } from './python-source/functions.ts';
import {
  readImports,
  type PythonDefinition,
  type ImportedName,
  type PythonModule,
  type PythonModules,
} from './python-source/modules.ts';
import { listChildren, refuseSource, getNodeText } from './python-source/source.ts';

interface DomainSource {
  /** Name of the environment's class, after which the few-shot file is named. */
  readonly className: string;
  /** Tasks of each split, in the order of the environment's `match`. */
  readonly splits: ReadonlyMap<string, readonly PyDict[]>;
  readonly tools: readonly PyValue[];
  readonly rules: PyValue;
  readonly terminateTools: PyValue;
}

export function domainFolder(domain: DomainName): string {
  return `tau_bench/envs/${domain}`;
}

/** @throws PackError listing all missing files in one sentence */
export function requireFiles(checkout: Checkout, modules: PythonModules, domain: DomainName): void {
  const folder = domainFolder(domain);
  const fixed = [
    ...listTables(domain).map((table) => `${folder}/data/${tableFile(table)}`),
    `${folder}/wiki.md`,
    'tau_bench/envs/user.py',
    'tau_bench/agents/chat_react_agent.py',
    'LICENSE',
  ];
  const envPath = envFile(modules, domain);
  const missing = [...fixed, envPath].filter((path) => !checkout.has(path));
  if (checkout.has(envPath)) {
    const env = modules.module(envPath);
    const own = importedBy(env).filter(({ module }) => module.startsWith(`tau_bench.envs.${domain}.`));
    missing.push(...own.flatMap((imported) => modules.missing(env, imported)));
    const tools = `${folder}/tools/__init__.py`;
    if (checkout.has(tools)) {
      const list = modules.module(tools);
      missing.push(...importedBy(list).flatMap((imported) => modules.missing(list, imported)));
    }
  }
  if (missing.length === 0) return;
  const files = listWords(Array.from(new Set(missing)).sort());
  throw new PackError(`${checkout.shown}: the checkout has no ${files}; restore what is missing (git checkout does).`);
}

/** @throws PackError with file and line for anything but a literal */
export function readDomainSource(modules: PythonModules, domain: DomainName): DomainSource {
  const env = modules.module(envFile(modules, domain));
  const [className, definition] = environmentClass(env);
  const termination = assignmentsIn(env, definition, 'self.terminate_tools').at(-1);
  if (termination === undefined) refuseSource(env.source, definition, 'self.terminate_tools is given no value here');
  return {
    className,
    splits: readSplits(modules, env, definition),
    tools: readTools(modules, env, definition),
    rules: modules.value(env, nameFrom(env, definition, '.rules')),
    terminateTools: modules.evaluate(env, termination),
  };
}

/** Finds the file of the class, which has been a separate file since September 2024. */
function envFile(modules: PythonModules, domain: DomainName): string {
  const own = `${domainFolder(domain)}/env.py`;
  return modules.has(own) ? own : `${domainFolder(domain)}/__init__.py`;
}

function importedBy({ source }: PythonModule): ImportedName[] {
  return nodesIn(source.tree.topNode, 'ImportStatement').flatMap((statement) =>
    readImports(source, statement).map(([, imported]) => imported),
  );
}

function environmentClass(env: PythonModule): [string, SyntaxNode] {
  const found = Array.from(env.classes).find(([, node]) => nodesIn(node, 'MatchStatement').length > 0);
  return found ?? refuseSource(env.source, 0, 'no class here chooses tasks by match');
}

/** Returns the local name of an import from a module whose name has the ending. */
function nameFrom(env: PythonModule, at: SyntaxNode, ending: string): string {
  const found = Array.from(env.imports).find(([, { module }]) => module.endsWith(ending));
  return found?.[0] ?? refuseSource(env.source, at, `nothing is imported from a module ${ending}`);
}

function readSplits(modules: PythonModules, env: PythonModule, definition: SyntaxNode): Map<string, PyDict[]> {
  const splits = new Map<string, PyDict[]>();
  for (const clause of nodesIn(definition, 'MatchClause')) {
    const pattern = clause.getChild('LiteralPattern')?.firstChild;
    const statement = clause.getChild('Body')?.getChild('ImportStatement');
    if (pattern === null || pattern === undefined || statement === null || statement === undefined) continue;
    const split = modules.evaluate(env, pattern);
    const [imported] = readImports(env.source, statement);
    if (typeof split !== 'string' || imported === undefined)
      refuseSource(env.source, clause, 'this case cannot be followed');
    splits.set(split, readTasks(modules, modules.origin(env, imported[1], statement)));
  }
  if (splits.size === 0) refuseSource(env.source, definition, 'no case here imports the tasks of a split');
  return splits;
}

/** Returns the tools' descriptions in the order of the list. */
function readTools(modules: PythonModules, env: PythonModule, definition: SyntaxNode): PyValue[] {
  const list = modules.definition(env, nameFrom(env, definition, '.tools'), definition);
  const node = list.module.assigned(list.name);
  if (node?.name !== 'ArrayExpression')
    refuseSource(list.module.source, node ?? 0, `${list.name} is not a list of tools`);
  return listChildren(node)
    .filter(({ name }) => name !== '[' && name !== ']' && name !== ',')
    .map((item) => {
      if (item.name !== 'VariableName') refuseSource(list.module.source, item, 'a tool must be given by its name');
      return describeTool(modules, list.module, item);
    });
}

function describeTool(modules: PythonModules, list: PythonModule, item: SyntaxNode): PyValue {
  const { module, name } = modules.definition(list, getNodeText(list.source, item), item);
  const method = findMethod(module, name, 'get_info');
  if (method !== undefined) return returnValue(modules, module, method);
  // Before September 2024 a tool was a function with an attribute.
  const info = module.attribute(name, '__info__');
  if (info !== undefined) return modules.evaluate(module, info);
  return refuseSource(list.source, item, `${name} has neither get_info nor __info__`);
}

const RECORDS: ReadonlySet<string> = new Set(['Task', 'Action']);

/** Order of a task's fields in a pack; other fields follow. */
const FIELDS = ['user_id', 'instruction', 'actions', 'outputs', 'annotator'];

/** @throws PackError with file and line for anything but a literal, and with the task's position for an invalid task */
function readTasks(modules: PythonModules, { module, name }: PythonDefinition): PyDict[] {
  const value = modules.value(module, name, { records: RECORDS });
  const where = `${module.source.path}: ${name}`;
  if (!isList(value)) throw new PackError(`${where} is not a list of tasks.`);
  return value.map((item, at) => toTask(`${where}[${String(at)}]`, item));
}

function toTask(where: string, value: PyValue): PyDict {
  if (!isDict(value)) throw new PackError(`${where} is not a task.`);
  const actions = value.get('actions');
  if (!isList(actions)) throw new PackError(`${where} has no list of actions.`);
  const fields = new Map<string, PyValue>(value);
  fields.set(
    'actions',
    actions.map((action, at) => checkAction(`${where}.actions[${String(at)}]`, action)),
  );
  // Tasks that are dicts have no field for outputs if they ask for none.
  if (!fields.has('outputs')) fields.set('outputs', []);
  const known = FIELDS.filter((field) => fields.has(field));
  const names = [...known, ...Array.from(fields.keys()).filter((field) => !FIELDS.includes(field))];
  return new Map(names.map((field) => [field, fields.get(field) ?? null]));
}

function checkAction(where: string, value: PyValue): PyDict {
  const name = isDict(value) ? value.get('name') : undefined;
  const kwargs = isDict(value) ? (value.get('kwargs') ?? value.get('arguments')) : undefined;
  if (typeof name !== 'string' || !isDict(kwargs)) throw new PackError(`${where} has no name with arguments.`);
  return new Map<string, PyValue>([
    ['name', name],
    ['kwargs', kwargs],
  ]);
}
