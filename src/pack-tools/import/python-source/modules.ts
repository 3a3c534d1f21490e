/** The Python files of a checkout: finds their top-level definitions, and evaluates names, following imports. */

import type { SyntaxNode } from '@lezer/common';
import type { PyValue } from '../../../benchmarks/python/index.ts';
import { PackError } from '../../../benchmarks/packs/index.ts';
import { evaluateNode, type PythonScope } from './evaluate.ts';
import { listChildren, parsePython, refuseSource, getNodeText, type PythonSource } from './source.ts';

/**
 * Reads a file by its path in the checkout; undefined if there is none. It reads all imports of a file, too, so that
 * they are among the used files.
 */
type ReadText = (path: string) => string | undefined;

export interface EvaluateOptions extends Pick<PythonScope, 'given' | 'records'> {
  /** Local names that a function has assigned so far, which hide the file's names. */
  readonly locals?: ReadonlyMap<string, PyValue>;
}

/** A definition: its file, and its name in that file. */
export interface PythonDefinition {
  readonly module: PythonModule;
  readonly name: string;
}

export class PythonModules {
  readonly #read: ReadText;
  readonly #modules = new Map<string, PythonModule>();
  /** Nodes that are being evaluated, to detect names that depend on themselves. */
  readonly #pending = new Set<SyntaxNode>();

  constructor(read: ReadText) {
    this.#read = read;
  }

  has(path: string): boolean {
    return this.#read(path) !== undefined;
  }

  /** @throws PackError for a missing file or one that is not Python */
  module(path: string): PythonModule {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const text = this.#read(path);
    if (text === undefined) throw new PackError(`${path}: the file is missing; give a whole tau-bench checkout.`);
    const module = new PythonModule(path, text);
    this.#modules.set(path, module);
    return module;
  }

  /** Evaluates a node of a file. @throws PackError for anything but a literal */
  evaluate(module: PythonModule, node: SyntaxNode, options: EvaluateOptions = {}): PyValue {
    const { locals, ...given } = options;
    return evaluateNode(node, {
      source: module.source,
      lookup: (name, at) => {
        const local = locals?.get(name);
        return local === undefined ? this.#lookup(module, name, at, given.records) : local;
      },
      attribute: (name, attribute, at) => this.#attribute(module, name, attribute, at, given.records),
      ...given,
    });
  }

  /** Evaluates a name at a file's top level. @throws PackError if it has no readable value */
  value(module: PythonModule, name: string, options: Pick<EvaluateOptions, 'records'> = {}): PyValue {
    return this.#lookup(module, name, module.source.tree.topNode, options.records);
  }

  /** Finds the definition of a name, following imports. @param at node with the name */
  definition(module: PythonModule, name: string, at: SyntaxNode): PythonDefinition {
    return this.#follow(module, { module, name }, at, new Set());
  }

  /** Finds the definition that an import leads to, following further imports. */
  origin(module: PythonModule, imported: ImportedName, at: SyntaxNode): PythonDefinition {
    const path = this.#findPath(module, imported);
    if (path === undefined) refuseSource(module.source, at, `${imported.module} is not in the checkout`);
    return this.definition(this.module(path), imported.name, at);
  }

  /** Lists the missing file that an import needs; empty if it exists. */
  missing({ source }: PythonModule, imported: ImportedName): string[] {
    const paths = candidates(source.path, imported.module);
    return paths.some((path) => this.has(path)) ? [] : paths.slice(0, 1);
  }

  #follow(asking: PythonModule, from: PythonDefinition, at: SyntaxNode, seen: Set<PythonModule>): PythonDefinition {
    const imported = from.module.imported(from.name);
    if (imported === undefined || seen.has(from.module)) return from;
    const path = this.#findPath(from.module, imported);
    if (path === undefined) {
      refuseSource(asking.source, at, `${from.name} comes from ${imported.module}, which is not in the checkout`);
    }
    return this.#follow(asking, { module: this.module(path), name: imported.name }, at, seen.add(from.module));
  }

  #lookup(module: PythonModule, name: string, at: SyntaxNode, records: PythonScope['records']): PyValue {
    const definition = this.definition(module, name, at);
    const node = definition.module.assigned(definition.name);
    if (node === undefined) refuseSource(module.source, at, `${name} is given no value at the top level of a file`);
    return this.#once(module, name, at, definition.module, node, records);
  }

  #attribute(
    module: PythonModule,
    name: string,
    attribute: string,
    at: SyntaxNode,
    records: PythonScope['records'],
  ): PyValue {
    const definition = this.definition(module, name, at);
    const node = definition.module.classAttribute(definition.name, attribute);
    if (node === undefined) refuseSource(module.source, at, `${name} is not a class with a value for ${attribute}`);
    return this.#once(module, `${name}.${attribute}`, at, definition.module, node, records);
  }

  #once(
    asking: PythonModule,
    name: string,
    at: SyntaxNode,
    module: PythonModule,
    node: SyntaxNode,
    records: PythonScope['records'],
  ): PyValue {
    if (this.#pending.has(node)) refuseSource(asking.source, at, `${name} is defined by itself`);
    this.#pending.add(node);
    try {
      return this.evaluate(module, node, records === undefined ? {} : { records });
    } finally {
      this.#pending.delete(node);
    }
  }

  #findPath({ source }: PythonModule, { module }: ImportedName): string | undefined {
    return candidates(source.path, module).find((path) => this.has(path));
  }
}

/** Returns the paths that a module's name can mean in a file. */
function candidates(importing: string, module: string): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const base = dots === 0 ? [] : importing.split('/').slice(0, -dots);
  const path = [...base, ...parts].join('/');
  return [`${path}.py`, `${path}/__init__.py`];
}

/** An import, `from <module> import <name> as <local>`; the module has its leading dots. */
export interface ImportedName {
  readonly module: string;
  readonly name: string;
}

export class PythonModule {
  readonly source: PythonSource;
  readonly #assigned = new Map<string, SyntaxNode>();
  readonly #attributes = new Map<string, SyntaxNode>();
  readonly #classes = new Map<string, SyntaxNode>();
  readonly #functions = new Map<string, SyntaxNode>();
  readonly #imports = new Map<string, ImportedName>();
  /** Later statements that may change an assigned name, by the names in them. */
  readonly #changes = new Map<string, SyntaxNode>();

  /** @throws PackError if the text is not Python */
  constructor(path: string, text: string) {
    this.source = parsePython(path, text);
    for (const statement of listStatements(this.source.tree.topNode)) this.#note(statement);
  }

  /**
   * Returns the last value assigned to the name at the top level; undefined if there is none.
   * @throws PackError if a later statement may change it, because only running the file would show its value
   */
  assigned(name: string): SyntaxNode | undefined {
    const value = this.#assigned.get(name);
    const change = this.#changes.get(name);
    if (value !== undefined && change !== undefined && change.from > value.from) {
      refuseSource(this.source, change, `${name} may be changed here after it was assigned`);
    }
    return value;
  }

  /** Returns the value of `<name>.<attribute> = …` at the top level. */
  attribute(name: string, attribute: string): SyntaxNode | undefined {
    return this.#attributes.get(`${name}.${attribute}`);
  }

  /** Returns the last value assigned to the attribute in a class's body. */
  classAttribute(className: string, attribute: string): SyntaxNode | undefined {
    const body = this.#classes.get(className)?.getChild('Body');
    let found: SyntaxNode | undefined;
    for (const statement of body === null || body === undefined ? [] : listStatements(body)) {
      if (statement.name !== 'AssignStatement') continue;
      const { targets, value } = assignmentParts(statement);
      if (targets.some((target) => getNodeText(this.source, target) === attribute)) found = value;
    }
    return found;
  }

  classNamed(name: string): SyntaxNode | undefined {
    return this.#classes.get(name);
  }

  functionNamed(name: string): SyntaxNode | undefined {
    return this.#functions.get(name);
  }

  imported(name: string): ImportedName | undefined {
    return this.#imports.get(name);
  }

  get classes(): ReadonlyMap<string, SyntaxNode> {
    return this.#classes;
  }

  get imports(): ReadonlyMap<string, ImportedName> {
    return this.#imports;
  }

  #note(statement: SyntaxNode): void {
    switch (statement.name) {
      case 'AssignStatement':
        this.#noteAssignment(statement);
        return;
      case 'ImportStatement':
        for (const [local, imported] of readImports(this.source, statement)) this.#imports.set(local, imported);
        return;
      case 'DecoratedStatement': {
        const definition = statement.lastChild;
        if (definition !== null) this.#note(definition);
        return;
      }
      case 'ClassDefinition':
      case 'FunctionDefinition': {
        const name = statement.getChild('VariableName');
        const table = statement.name === 'ClassDefinition' ? this.#classes : this.#functions;
        if (name !== null) table.set(getNodeText(this.source, name), statement);
        return;
      }
      case 'ForStatement':
        if (!onlyAsserts(statement)) this.#noteMentions(statement);
        return;
      case 'AssertStatement':
      case 'PassStatement':
        return;
      default:
        this.#noteMentions(statement);
    }
  }

  #noteAssignment(statement: SyntaxNode): void {
    const { targets, value } = assignmentParts(statement);
    if (value === undefined) return;
    for (const target of targets) {
      const text = getNodeText(this.source, target);
      if (target.name === 'VariableName') this.#assigned.set(text, value);
      else if (/^\w+\.\w+$/.test(text)) this.#attributes.set(text, value);
      else this.#noteMentions(target);
    }
  }

  #noteMentions(node: SyntaxNode): void {
    node.cursor().iterate((inside) => {
      if (inside.name === 'VariableName') this.#changes.set(getNodeText(this.source, inside.node), inside.node);
    });
  }
}

/**
 * Returns the targets and the value of an assignment. `a = b = value` has two targets; `a, b = value` has one, which is
 * not split.
 */
export function assignmentParts(statement: SyntaxNode): { targets: SyntaxNode[]; value: SyntaxNode | undefined } {
  const parts: SyntaxNode[][] = [[]];
  for (const child of listChildren(statement)) {
    if (child.name === 'AssignOp') parts.push([]);
    else if (child.name !== 'TypeDef') parts.at(-1)?.push(child);
  }
  const [value, ...more] = parts.pop() ?? [];
  const single = parts.every((part) => part.length === 1) && more.length === 0;
  return { targets: parts.flat(), value: single ? value : undefined };
}

/** Returns the statements of a file or body, including those after a semicolon. */
export function listStatements(block: SyntaxNode): SyntaxNode[] {
  return listChildren(block).flatMap((child) => {
    if (child.name === 'StatementGroup') return listStatements(child);
    return child.name === ':' || child.name === ';' ? [] : [child];
  });
}

/** Returns the imported definitions by local name, for `from … import …`; a plain `import` imports no data. */
export function readImports(source: PythonSource, statement: SyntaxNode): [string, ImportedName][] {
  const words = listChildren(statement);
  const split = words.findIndex(({ name }) => name === 'import');
  if (words[0]?.name !== 'from' || split < 0) return [];
  const module = words
    .slice(1, split)
    .map((word) => getNodeText(source, word))
    .join('');
  const imported: [string, ImportedName][] = [];
  const names = words.slice(split + 1).filter(({ name }) => name === 'VariableName' || name === 'as');
  for (let at = 0; at < names.length;) {
    const name = textNode(source, names[at]);
    const renamed = names[at + 1]?.name === 'as';
    imported.push([renamed ? textNode(source, names[at + 2]) : name, { module, name }]);
    at += renamed ? 3 : 1;
  }
  return imported;
}

function textNode(source: PythonSource, node: SyntaxNode | undefined): string {
  return node === undefined ? '' : getNodeText(source, node);
}

function onlyAsserts(loop: SyntaxNode): boolean {
  const body = loop.getChild('Body');
  return body !== null && listStatements(body).every(({ name }) => name === 'AssertStatement');
}
