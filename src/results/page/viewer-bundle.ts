/**
 * Scripts and styles of the pages: what the build made or, when running from the sources, bundled now. A published package
 * has no sources of the viewer and needs none of its libraries.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { bundledPackages, licensesOf } from '../../build/index.ts';

export interface ViewerBundle {
  readonly script: string;
  readonly style: string;
}

/** A bundle as it is made. */
interface MadeBundle extends ViewerBundle {
  /** The licences of all packages that are in it, in full. */
  readonly licenses: string;
}

const isCompiled = extname(import.meta.url) === '.js';

/** The report page's, whose data is in the same file. */
export function viewerBundle(): Promise<ViewerBundle> {
  return bundles.viewer();
}

/** Of the app that `tauflow view` serves, whose data is the server's. */
export function viewBundle(): Promise<ViewerBundle> {
  return bundles.view();
}

const ENTRIES = { viewer: 'main.tsx', view: 'app/main.tsx' } as const;

type BundleName = keyof typeof ENTRIES;

const bundles = { viewer: once(() => bundleOf('viewer')), view: once(() => bundleOf('view')) } as const;

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function bundleOf(name: BundleName): Promise<ViewerBundle> {
  return isCompiled ? readBuilt(name) : bundle(name, new URL('../../viewer/', import.meta.url));
}

/** Build step: writes what {@link viewerBundle} and {@link viewBundle} will read. */
export async function buildViewer(): Promise<void> {
  const sources = new URL('../../../../src/viewer/', import.meta.url);
  for (const name of Object.keys(ENTRIES) as BundleName[]) {
    const made = await bundle(name, sources);
    await Promise.all([
      writeFile(builtFile(name, 'js'), made.script),
      writeFile(builtFile(name, 'css'), made.style),
      writeFile(builtFile(name, 'licenses.txt'), made.licenses),
    ]);
  }
}

/** Beside the compiled program; never made when running from the sources. */
function builtFile(name: BundleName, ending: string): string {
  return fileURLToPath(new URL(`../../${name}.${ending}`, import.meta.url));
}

async function readBuilt(name: BundleName): Promise<ViewerBundle> {
  const [script, style] = await Promise.all([
    readFile(builtFile(name, 'js'), 'utf8'),
    readFile(builtFile(name, 'css'), 'utf8'),
  ]);
  return { script, style };
}

/** @param sources folder of the viewer's */
async function bundle(name: BundleName, sources: URL): Promise<MadeBundle> {
  const { build } = await import('esbuild');
  const folder = fileURLToPath(sources);
  const { outputFiles, metafile } = await build({
    entryPoints: [join(folder, ENTRIES[name])],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    outdir: name,
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
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const packages = await bundledPackages(metafile, folder);
  const names = packages.map(({ name, license }) => `${name} (${license})`).join(', ');
  return {
    script: `/*! With code of ${names}: licences in tauflow's dist/src/${name}.licenses.txt */\n${textOf('.js')}`,
    style: textOf('.css'),
    licenses: licensesOf(packages),
  };
}

/**
 * Modules of this program change nothing when they are loaded: one of which nothing is used stays out, with its
 * constants. Entry points of modules would otherwise bring 50 kB that no page runs.
 */
const UNUSED_SOURCES_LEFT_OUT: Plugin = {
  name: 'unused-sources-left-out',
  setup: (build) => {
    build.onResolve({ filter: /\.tsx?$/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || pluginData === UNUSED_SOURCES_LEFT_OUT) return undefined;
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: UNUSED_SOURCES_LEFT_OUT });
      return found.errors.length > 0 ? { errors: found.errors } : { path: found.path, sideEffects: false };
    });
  },
};
