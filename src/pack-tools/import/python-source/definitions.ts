/** What a Python file defines at its top level, and where each definition is. */

import type { SyntaxNode } from '@lezer/common';
import { childrenOf, parsePython, refuse, textOf, type PythonSource } from './source.ts';

/** `from <module> import <name> as <local>`; the module is written with its leading dots. */
export interface Imported {
  readonly module: string;
  readonly name: string;
}

export class PythonModule {
  readonly source: PythonSource;
  readonly #assigned = new Map<string, SyntaxNode>();
  readonly #attributes = new Map<string, SyntaxNode>();
  readonly #classes = new Map<string, SyntaxNode>();
  readonly #functions = new Map<string, SyntaxNode>();
  readonly #imports = new Map<string, Imported>();
  /** Statements that may change what was assigned before, by the names they mention. */
  readonly #changes = new Map<string, SyntaxNode>();

  /** @throws PackError when the text is no Python */
  constructor(path: string, text: string) {
    this.source = parsePython(path, text);
    for (const statement of statementsOf(this.source.tree.topNode)) this.#note(statement);
  }

  /**
   * The value of the last assignment to the name at the top level; undefined when there is none.
   * @throws PackError when a later statement may change it, which only running the file would tell
   */
  assigned(name: string): SyntaxNode | undefined {
    const value = this.#assigned.get(name);
    const change = this.#changes.get(name);
    if (value !== undefined && change !== undefined && change.from > value.from) {
      refuse(this.source, change, `${name} may be changed here after it was assigned`);
    }
    return value;
  }

  /** The value of `<name>.<attribute> = …` at the top level. */
  attribute(name: string, attribute: string): SyntaxNode | undefined {
    return this.#attributes.get(`${name}.${attribute}`);
  }

  /** The value of the last assignment to the attribute in the body of a class. */
  classAttribute(className: string, attribute: string): SyntaxNode | undefined {
    const body = this.#classes.get(className)?.getChild('Body');
    let found: SyntaxNode | undefined;
    for (const statement of body === null || body === undefined ? [] : statementsOf(body)) {
      if (statement.name !== 'AssignStatement') continue;
      const { targets, value } = assignmentParts(statement);
      if (targets.some((target) => textOf(this.source, target) === attribute)) found = value;
    }
    return found;
  }

  classNamed(name: string): SyntaxNode | undefined {
    return this.#classes.get(name);
  }

  functionNamed(name: string): SyntaxNode | undefined {
    return this.#functions.get(name);
  }

  imported(name: string): Imported | undefined {
    return this.#imports.get(name);
  }

  get classes(): ReadonlyMap<string, SyntaxNode> {
    return this.#classes;
  }

  get imports(): ReadonlyMap<string, Imported> {
    return this.#imports;
  }

  #note(statement: SyntaxNode): void {
    switch (statement.name) {
      case 'AssignStatement':
        this.#noteAssignment(statement);
        return;
      case 'ImportStatement':
        for (const [local, imported] of importsOf(this.source, statement)) this.#imports.set(local, imported);
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
        if (name !== null) table.set(textOf(this.source, name), statement);
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
      const text = textOf(this.source, target);
      if (target.name === 'VariableName') this.#assigned.set(text, value);
      else if (/^\w+\.\w+$/.test(text)) this.#attributes.set(text, value);
      else this.#noteMentions(target);
    }
  }

  #noteMentions(node: SyntaxNode): void {
    node.cursor().iterate((inside) => {
      if (inside.name === 'VariableName') this.#changes.set(textOf(this.source, inside.node), inside.node);
    });
  }
}

/** `a = b = value` has two targets; `a, b = value` has one, which is not taken apart. */
export function assignmentParts(statement: SyntaxNode): { targets: SyntaxNode[]; value: SyntaxNode | undefined } {
  const parts: SyntaxNode[][] = [[]];
  for (const child of childrenOf(statement)) {
    if (child.name === 'AssignOp') parts.push([]);
    else if (child.name !== 'TypeDef') parts.at(-1)?.push(child);
  }
  const [value, ...more] = parts.pop() ?? [];
  const single = parts.every((part) => part.length === 1) && more.length === 0;
  return { targets: parts.flat(), value: single ? value : undefined };
}

/** The statements of a file or of a body, those after a semicolon too. */
export function statementsOf(block: SyntaxNode): SyntaxNode[] {
  return childrenOf(block).flatMap((child) => {
    if (child.name === 'StatementGroup') return statementsOf(child);
    return child.name === ':' || child.name === ';' ? [] : [child];
  });
}

/** Local name → what is imported, for `from … import …`; a plain `import` gives no data. */
export function importsOf(source: PythonSource, statement: SyntaxNode): [string, Imported][] {
  const words = childrenOf(statement);
  const split = words.findIndex(({ name }) => name === 'import');
  if (words[0]?.name !== 'from' || split < 0) return [];
  const module = words
    .slice(1, split)
    .map((word) => textOf(source, word))
    .join('');
  const imported: [string, Imported][] = [];
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
  return node === undefined ? '' : textOf(source, node);
}

function onlyAsserts(loop: SyntaxNode): boolean {
  const body = loop.getChild('Body');
  return body !== null && statementsOf(body).every(({ name }) => name === 'AssertStatement');
}
