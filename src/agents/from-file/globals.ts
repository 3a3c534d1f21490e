/**
 * Finds globals of Node and of browsers that a workflow's sandbox lacks. The compiler marks their uses, because it
 * knows which names are global; this module looks the marks up in its source map, and removes them.
 */

import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';

/** Globals that Temporal adds to those of the language. */
const ADDED = new Set(
  'AbortController assert AsyncLocalStorage clearTimeout console setTimeout TextDecoder TextEncoder URL URLSearchParams'.split(
    ' ',
  ),
);
const NOT_OF_NODE = ['__dirname', '__filename', 'document', 'localStorage', 'window', 'XMLHttpRequest'];
const MARK = '__tauflow_absent_';
const MARKED = /(typeof )?__tauflow_absent_(of_)?(\w+)/g;

/** Returns replacements of absent globals by marks, for the compiler. */
export function markAbsentGlobals(): Record<string, string> {
  const ofLanguage = runInContext('Object.getOwnPropertyNames(globalThis)', createContext()) as string[];
  const present = new Set([...ofLanguage, ...ADDED]);
  const absent = [...Object.getOwnPropertyNames(globalThis), ...NOT_OF_NODE].filter(
    (name) => !present.has(name) && /^\w+$/.test(name),
  );
  return Object.fromEntries(
    absent.flatMap((name) => [
      [name, MARK + name],
      [`globalThis.${name}`, `${MARK}of_${name}`],
    ]),
  );
}

/** Use of a global that workflows do not have, with line and column from 1. */
interface AbsentGlobal {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the first absent global that the agent's own files use. A file that checks `typeof` does not need the global,
 * and packages are ignored, because the agent may not reach such code.
 * @param map the compiler's source map, with sources relative to the folder
 */
export function findAbsentGlobal(code: string, map: string, folder: string): AbsentGlobal | undefined {
  const sources = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]);
  const asked = new Set<string>();
  const uses: AbsentGlobal[] = [];
  let [line, lineStart] = [0, 0];
  for (const { 0: text, 1: question, 3: name = '', index } of code.matchAll(MARKED)) {
    for (let end = code.indexOf('\n', lineStart); end !== -1 && end < index; end = code.indexOf('\n', lineStart)) {
      [line, lineStart] = [line + 1, end + 1];
    }
    const entry = sources.findEntry(line, index + text.indexOf(MARK) - lineStart);
    if (!('originalSource' in entry)) continue;
    const file = resolve(folder, entry.originalSource);
    if (question !== undefined) asked.add(`${name} ${file}`);
    else uses.push({ name, file, line: entry.originalLine + 1, column: entry.originalColumn + 1 });
  }
  return uses.find(({ name, file }) => !asked.has(`${name} ${file}`) && !/[\\/]node_modules[\\/]/.test(file));
}

/** Returns the code without marks. */
export function removeMarks(code: string): string {
  return code.replace(MARKED, (_, question = '', of: string | undefined, name: string) => {
    return `${String(question)}${of === undefined ? '' : 'globalThis.'}${name}`;
  });
}
