/** Loads a file of TypeScript or JavaScript whose default export is an agent as a function. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure } from 'esbuild';
import type { AgentFunction } from '../../agents/index.ts';
import { UsageError, firstLine } from '../../errors/index.ts';

export interface FunctionFile {
  readonly name: string;
  /** First characters of the code's sha256, without its packages. */
  readonly version: string;
  readonly answer: AgentFunction;
}

/** @param path absolute @throws UsageError with one sentence */
export async function loadFunction(path: string): Promise<FunctionFile> {
  const code = await compile(path);
  const version = createHash('sha256').update(code).digest('hex').slice(0, 12);
  const name = basename(path, extname(path));
  // The compiled file is placed beside the source, so that its packages are found.
  const compiled = join(dirname(path), `.${name}.${version}.${process.pid}.mjs`);
  let module: { readonly default?: unknown };
  try {
    await writeFile(compiled, code);
    module = (await import(pathToFileURL(compiled).href)) as typeof module;
  } catch (error) {
    throw new UsageError(`the agent in ${path} cannot be loaded: ${firstLine(error)}.`, { cause: error });
  } finally {
    await rm(compiled, { force: true });
  }
  if (typeof module.default !== 'function') {
    throw new UsageError(`the agent in ${path} exports no function; export one as default: async (turn) => answer.`);
  }
  return { name, version, answer: module.default as AgentFunction };
}

async function compile(path: string): Promise<string> {
  if (!existsSync(path)) {
    throw new UsageError(
      `the agent's file ${path} is not on this machine; put it there on each machine with a worker, or start ` +
        '`npx tauflow agent serve FILE` and give its URL as --agent-url.',
    );
  }
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      // Relative names keep the folder's place out of the version.
      absWorkingDir: dirname(path),
      bundle: true,
      write: false,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? [];
    const place = first?.location ? ` (line ${first.location.line})` : '';
    throw new UsageError(`the agent in ${path} cannot be compiled: ${first?.text ?? firstLine(error)}${place}.`, {
      cause: error,
    });
  }
}
