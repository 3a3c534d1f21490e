/**
 * Script and style of the pages: made by the build or, when running from the sources, bundled now. A published package
 * has no sources of the app and needs none of its libraries.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { bundledPackages, formatLicenses } from '../io/index.ts';

export interface WebBundle {
  readonly script: string;
  readonly style: string;
}

const isCompiled = extname(import.meta.url) === '.js';

let loaded: Promise<WebBundle> | undefined;

export function loadBundle(): Promise<WebBundle> {
  return (loaded ??= isCompiled ? readBuilt() : makeBundle(new URL('app/', import.meta.url)));
}

/** Build step: writes the files that {@link loadBundle} reads. */
export async function buildWeb(): Promise<void> {
  const { script, style, licenses } = await makeBundle(new URL('../../../src/viewer/app/', import.meta.url));
  await Promise.all([
    writeFile(builtFile('js'), script),
    writeFile(builtFile('css'), style),
    writeFile(builtFile('licenses.txt'), licenses),
  ]);
}

/** Returns a file beside the compiled program; when running from the sources there is none. */
function builtFile(ending: string): string {
  return fileURLToPath(new URL(`../viewer.${ending}`, import.meta.url));
}

async function readBuilt(): Promise<WebBundle> {
  const [script, style] = await Promise.all([readFile(builtFile('js'), 'utf8'), readFile(builtFile('css'), 'utf8')]);
  return { script, style };
}

/**
 * Bundles the app.
 * @param sources folder of the app
 * @returns the bundle, with the full licenses of all packages in it
 */
export async function makeBundle(sources: URL): Promise<WebBundle & { readonly licenses: string }> {
  const { build } = await import('esbuild');
  const folder = fileURLToPath(sources);
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, 'main.tsx')],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'web',
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'inline',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
    tsconfigRaw: {},
    plugins: [UNUSED_SOURCES_LEFT_OUT],
  });
  const findOutput = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const packages = await bundledPackages(metafile, folder);
  const names = packages.map(({ name, license }) => `${name} (${license})`).join(', ');
  return {
    script: `/*! With code of ${names}: licences in tauflow's dist/src/viewer.licenses.txt */\n${findOutput('.js')}`,
    style: findOutput('.css'),
    licenses: formatLicenses(packages),
  };
}

/**
 * Leaves unused modules of this program out of the bundle, because loading them has no effect. Otherwise entry points
 * would add 50 kB that no page runs.
 */
const UNUSED_SOURCES_LEFT_OUT: Plugin = {
  name: 'unused-sources-left-out',
  setup: (build) => {
    build.onResolve({ filter: /\.tsx?$/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || pluginData === UNUSED_SOURCES_LEFT_OUT) return undefined;
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: UNUSED_SOURCES_LEFT_OUT });
      // If the path is missing, esbuild's own error names the module.
      return { path: found.path, sideEffects: false };
    });
  },
};
