/** The modules: docs/architecture.md lists each of them with all that it imports, and there is no circle among them. */

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const ROW = /^\| `([\w/-]+)\/` +\|.*\| ([^|]*)\|$/gm;
const IMPORT = /(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g;

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
/** Folder of a module to the last cell of its row. */
const rows = new Map(Array.from(page.matchAll(ROW), ([, folder = '', allowed = '']) => [folder, allowed.trim()]));
const modules = [...rows.keys()];

/** The innermost module that a file is in. */
function findModule(file: string): string | undefined {
  return modules.filter((folder) => file.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
}

/** Imports from one module to another, each as `module file`. */
const imports = modules.flatMap((module) =>
  readdirSync(join(root, module), { recursive: true, encoding: 'utf8' })
    .map((name) => `${module}/${name}`)
    .filter((file) => /(?<!testing)\.tsx?$/.test(file) && findModule(file) === module)
    .flatMap((file) =>
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(IMPORT), ([, path = '']) => {
        const imported = join(dirname(file), path);
        return { from: module, file, to: findModule(imported), imported };
      }),
    )
    .filter(({ to }) => to !== undefined && to !== module),
);

/** `agents` of `src/agents/users`: what a table's cell names covers what is nested in it. */
function isNamed(cell: string, module: string): boolean {
  const names = Array.from(cell.matchAll(/`([\w/.-]+)`/g), ([, name = '']) => name);
  const short = module.replace(/^src\//, '');
  return names.some((name) => short === name || short.startsWith(`${name}/`) || short.endsWith(`/${name}`));
}

describe('the table of modules in docs/architecture.md', () => {
  it('has a row for each module', () => {
    const folders = readdirSync(join(root, 'src')).map((name) => `src/${name}`);
    const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
    expect([...folders, ...packages, 'workflows', 'activities', 'perf'].filter((folder) => !rows.has(folder))).toEqual(
      [],
    );
  });

  it('names all that a module imports', () => {
    const missing = imports
      .filter(({ from, to = '', imported }) => {
        const cell = rows.get(from) ?? '';
        return cell !== 'everything' && !isNamed(cell, to) && !cell.includes(`\`${imported}\``);
      })
      .map(({ file, imported }) => `${file} → ${imported}`);
    expect(missing).toEqual([]);
  });
});

describe('modules', () => {
  it('import each other in one direction only', () => {
    // A module and what is nested in it are one thing to others.
    const isNested = (a: string, b: string) => a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
    const next = new Map<string, Set<string>>(modules.map((module) => [module, new Set()]));
    for (const { from, to = '' } of imports) if (!isNested(from, to)) next.get(from)?.add(to);
    const reached = (from: string, seen = new Set<string>()): Set<string> => {
      for (const each of next.get(from) ?? []) if (!seen.has(each)) reached(each, seen.add(each));
      return seen;
    };
    expect(modules.filter((module) => reached(module).has(module))).toEqual([]);
  });
});
