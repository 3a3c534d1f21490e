/** The Python files of a checkout, and what a name in one of them stands for, imports followed. */

import type { SyntaxNode } from '@lezer/common';
import type { PyValue } from '../../../benchmark/python/index.ts';
import { PackError } from '../../../packs/index.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { PythonModule, type Imported } from './definitions.ts';
import { refuse } from './source.ts';

/** Gives a file's text by its path in the checkout (with slashes); undefined when there is no such file. What a file
 * imports is asked for even where no value of it is needed, so that it counts among the files an import rests on. */
export type ReadText = (path: string) => string | undefined;

export interface EvaluateOptions extends Pick<Scope, 'given' | 'records'> {
  /** Names that a function has assigned so far. They come before those of the file. */
  readonly locals?: ReadonlyMap<string, PyValue>;
}

/** A definition: the file it is in, and the name it has there. */
export interface Definition {
  readonly module: PythonModule;
  readonly name: string;
}

export class PythonModules {
  readonly #read: ReadText;
  readonly #modules = new Map<string, PythonModule>();
  /** Values under way: a name that needs itself has none. */
  readonly #pending = new Set<SyntaxNode>();

  constructor(read: ReadText) {
    this.#read = read;
  }

  has(path: string): boolean {
    return this.#read(path) !== undefined;
  }

  /** @throws PackError when the file is missing or no Python */
  module(path: string): PythonModule {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const text = this.#read(path);
    if (text === undefined) throw new PackError(`${path}: the file is missing; give a whole tau-bench checkout.`);
    const module = new PythonModule(path, text);
    this.#modules.set(path, module);
    return module;
  }

  /** What a node of a file stands for. @throws PackError for what is no literal */
  evaluate(module: PythonModule, node: SyntaxNode, options: EvaluateOptions = {}): PyValue {
    const { locals, ...given } = options;
    return evaluate(node, {
      source: module.source,
      lookup: (name, at) => {
        const local = locals?.get(name);
        return local === undefined ? this.#lookup(module, name, at, given.records) : local;
      },
      attribute: (name, attribute, at) => this.#attribute(module, name, attribute, at, given.records),
      ...given,
    });
  }

  /** The value of a name at a file's top level. @throws PackError when it has none that can be read */
  value(module: PythonModule, name: string, options: Pick<EvaluateOptions, 'records'> = {}): PyValue {
    return this.#lookup(module, name, module.source.tree.topNode, options.records);
  }

  /** Where a name is defined, imports followed. @param at where it is asked for */
  definition(module: PythonModule, name: string, at: SyntaxNode): Definition {
    return this.#follow(module, { module, name }, at, new Set());
  }

  /** Where an import of a file leads, further imports followed. */
  origin(module: PythonModule, imported: Imported, at: SyntaxNode): Definition {
    const path = this.#pathOf(module, imported);
    if (path === undefined) refuse(module.source, at, `${imported.module} is not in the checkout`);
    return this.definition(this.module(path), imported.name, at);
  }

  /** The file that an import needs and that is not there; empty when it is. */
  missing({ source }: PythonModule, imported: Imported): string[] {
    const paths = candidates(source.path, imported.module);
    return paths.some((path) => this.has(path)) ? [] : paths.slice(0, 1);
  }

  #follow(asking: PythonModule, from: Definition, at: SyntaxNode, seen: Set<PythonModule>): Definition {
    const imported = from.module.imported(from.name);
    if (imported === undefined || seen.has(from.module)) return from;
    const path = this.#pathOf(from.module, imported);
    if (path === undefined) {
      refuse(asking.source, at, `${from.name} comes from ${imported.module}, which is not in the checkout`);
    }
    return this.#follow(asking, { module: this.module(path), name: imported.name }, at, seen.add(from.module));
  }

  #lookup(module: PythonModule, name: string, at: SyntaxNode, records: Scope['records']): PyValue {
    const definition = this.definition(module, name, at);
    const node = definition.module.assigned(definition.name);
    if (node === undefined) refuse(module.source, at, `${name} is given no value at the top level of a file`);
    return this.#once(module, name, at, definition.module, node, records);
  }

  #attribute(
    module: PythonModule,
    name: string,
    attribute: string,
    at: SyntaxNode,
    records: Scope['records'],
  ): PyValue {
    const definition = this.definition(module, name, at);
    const node = definition.module.classAttribute(definition.name, attribute);
    if (node === undefined) refuse(module.source, at, `${name} is no class with a value for ${attribute}`);
    return this.#once(module, `${name}.${attribute}`, at, definition.module, node, records);
  }

  #once(
    asking: PythonModule,
    name: string,
    at: SyntaxNode,
    module: PythonModule,
    node: SyntaxNode,
    records: Scope['records'],
  ): PyValue {
    if (this.#pending.has(node)) refuse(asking.source, at, `${name} is defined by itself`);
    this.#pending.add(node);
    try {
      return this.evaluate(module, node, records === undefined ? {} : { records });
    } finally {
      this.#pending.delete(node);
    }
  }

  #pathOf({ source }: PythonModule, { module }: Imported): string | undefined {
    return candidates(source.path, module).find((path) => this.has(path));
  }
}

/** The files that a module's name can mean in a file. */
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
