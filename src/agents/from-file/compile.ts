/**
 * Compiles a file with an agent or a condition, and all its imports, to one piece of JavaScript that needs only the
 * modules of {@link OWN_MODULES}. The same code goes into the workflows' sandbox, to the activities and to the command
 * line.
 *
 * The compiler is esbuild: it reads TypeScript on every supported Node, reports errors with their position in one line,
 * and takes milliseconds. It does not check types; `tsc` does.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildFailure, BuildResult, Plugin } from 'esbuild';
import { UsageError } from '../../errors/index.ts';
import { findAbsentGlobal, markAbsentGlobals, removeMarks } from './globals.ts';

/** The kind of a file: its name in messages, and its flag. */
export interface FileKind {
  readonly noun: 'agent' | 'condition';
  readonly flag: string;
}

interface CompiledFile {
  /** Code of the file as CommonJS; it requires the files of {@link OWN_MODULES}. */
  readonly code: string;
  /** sha256 of the file and of all its imports, lower-case hex. */
  readonly digest: string;
}

const resolveModule = (module: string) =>
  fileURLToPath(new URL(`../${module}${extname(import.meta.url)}`, import.meta.url));

/**
 * Files of the program's modules that an agent may import: `.ts` from the sources, `.js` when compiled. They are not
 * bundled into the agent's code, because the program would not recognize another copy of its classes.
 */
export const OWN_MODULES = {
  'tauflow/agents': resolveModule('public'),
  'tauflow/agents/fastworkflow': resolveModule('fastworkflow/public'),
  'tauflow/conditions': resolveModule('../conditions/public'),
} as const;

/** Folder of the program's own code: `src`, from the sources or compiled. */
const OWN_CODE = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @throws AgentFileError for a file that cannot be read or compiled, or that imports a module that workflows cannot use
 */
export async function compileFile(path: string, kind: FileKind): Promise<CompiledFile> {
  // Most runs have no such file, so the compiler is loaded only here.
  const { build } = await import('esbuild');
  const folder = dirname(path);
  let result: BuildResult<{ write: false; metafile: true }>;
  try {
    result = await build({
      entryPoints: [path],
      absWorkingDir: folder,
      bundle: true,
      write: false,
      metafile: true,
      format: 'cjs',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'es2022',
      define: markAbsentGlobals(),
      sourcemap: 'external',
      sourcesContent: false,
      outfile: resolve(folder, 'agent.js'),
      logLevel: 'silent',
      plugins: [sandbox(kind)],
      // A project's settings are for its own build, and the digest does not include them.
      tsconfigRaw: {},
    });
  } catch (error) {
    throw new AgentFileError(path, formatBuildError(error, path, kind), { kind, cause: error });
  }
  const [map, output] = result.outputFiles;
  if (map === undefined || output === undefined) throw new AgentFileError(path, 'gives no code', { kind });
  const absent = findAbsentGlobal(output.text, map.text, folder);
  if (absent !== undefined) {
    const { name, file, line, column } = absent;
    throw new AgentFileError(path, `uses ${name}, ${explainAbsence(kind)} (${file}:${line}:${column})`, { kind });
  }
  const imported = Object.keys(result.metafile.inputs).map((input) => resolve(folder, input));
  return { code: removeMarks(output.text), digest: await digestFiles(path, imported) };
}

function explainAbsence({ noun }: FileKind): string {
  const one = noun === 'agent' ? 'an agent' : `a ${noun}`;
  return `and ${one} runs in a workflow, which has no files, network or processes, so that it gives the same whenever it is replayed`;
}

/** Rejects modules that a workflow's sandbox lacks; the program's own modules are not bundled. */
const sandbox = (ofKind: FileKind): Plugin => ({
  name: SANDBOX,
  setup(build) {
    for (const [name, path] of Object.entries(OWN_MODULES)) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }));
    }
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || !isBuiltin(path)) return undefined;
      return { errors: [{ text: `imports ${path}, ${explainAbsence(ofKind)}` }] };
    });
    build.onLoad({ filter: /./ }, ({ path }) =>
      path.startsWith(OWN_CODE)
        ? {
            errors: [
              { text: `imports ${path}; import values from 'tauflow/${ofKind.noun}s', and only types from elsewhere` },
            ],
          }
        : undefined,
    );
  },
});

const SANDBOX = 'sandbox';

/** Formats the first of the compiler's errors, with its position in the file. */
function formatBuildError(error: unknown, path: string, { flag }: FileKind): string {
  const folder = dirname(path);
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (first === undefined) return `cannot be compiled: ${error instanceof Error ? error.message : String(error)}`;
  const { text, location, pluginName } = first;
  if (location === null && /^Could not (resolve|read)/.test(text))
    return `${existsSync(path) ? 'cannot be read' : 'does not exist'}; check ${flag}`;
  const place = location === null ? '' : ` (${resolve(folder, location.file)}:${location.line}:${location.column + 1})`;
  return `${pluginName === SANDBOX ? text : `cannot be compiled: ${text}`}${place}`;
}

/** Digest of the contents of the agent's file and of its imports, independent of their paths. */
async function digestFiles(path: string, files: readonly string[]): Promise<string> {
  const others = await Promise.all(files.filter((file) => file !== path).map(sha256OfFile));
  const hash = createHash('sha256').update(await sha256OfFile(path));
  for (const other of others.sort()) hash.update(other);
  return hash.digest('hex');
}

async function sha256OfFile(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Error of an agent's file. The message is one sentence: the file, the problem, and what to do. */
export class AgentFileError extends UsageError {
  override readonly name = 'AgentFileError';

  constructor(path: string, problem: string, { kind, cause }: { kind: FileKind; cause?: unknown }) {
    super(`the ${kind.noun} in ${path} ${problem.replace(/\.$/, '')}.`, cause === undefined ? {} : { cause });
  }
}
