/** Loads a user's file of TypeScript or JavaScript, with the packages of its own project. */

import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, Plugin } from 'esbuild';
import { UsageError, firstLine } from '../errors/index.ts';

interface LoadedModule {
  readonly default?: unknown;
  /** sha256 of the code without its packages, lower-case hex. */
  readonly digest: string;
}

/**
 * @param path absolute
 * @param what subject of error messages: `the agent in /home/me/agent.ts`
 * @param modules URLs of the program's own packages, by name
 * @throws UsageError with one sentence
 */
export async function loadModule(
  path: string,
  what: string,
  modules: Readonly<Record<string, string>> = {},
): Promise<LoadedModule> {
  const code = await compile(path, what, Object.keys(modules));
  const digest = createHash('sha256').update(code).digest('hex');
  const linked = Object.entries(modules).reduce((text, [name, url]) => text.replaceAll(OWN + name, url), code);
  // The compiled file is placed beside the source, so that its packages are found.
  const compiled = join(dirname(path), `.${basename(path, extname(path))}.${digest.slice(0, 12)}.${process.pid}.mjs`);
  try {
    await writeFile(compiled, linked);
    const module = (await import(pathToFileURL(compiled).href)) as { readonly default?: unknown };
    return { default: module.default, digest };
  } catch (error) {
    const why = firstLine(error).replaceAll(compiled, path);
    throw new UsageError(`${what} cannot be loaded: ${why}.`, { cause: error });
  } finally {
    await rm(compiled, { force: true });
  }
}

/** Prefix of the address of one of the program's own packages, until the digest is known. */
const OWN = 'tauflow-own:';

async function compile(path: string, what: string, modules: readonly string[]): Promise<string> {
  const { build } = await import('esbuild');
  const ownModules: Plugin = {
    name: 'own-modules',
    setup(builder) {
      builder.onResolve({ filter: /^[^.]/ }, ({ path: name }) =>
        modules.includes(name) ? { path: OWN + name, external: true } : undefined,
      );
    },
  };
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      // Relative names keep the folder's place out of the digest.
      absWorkingDir: dirname(path),
      bundle: true,
      write: false,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'silent',
      plugins: [ownModules],
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? [];
    const place = first?.location ? ` (line ${first.location.line})` : '';
    throw new UsageError(`${what} cannot be compiled: ${first?.text ?? firstLine(error)}${place}.`, { cause: error });
  }
}
