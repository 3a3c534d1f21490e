/**
 * The page's script and style: what the build made or, when running from the sources, bundled now. A published package
 * has no sources of the viewer and needs none of its libraries.
 */

import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Beside the compiled program; never made when running from the sources. */
const BUILT = {
  script: fileURLToPath(new URL('../../viewer.js', import.meta.url)),
  style: fileURLToPath(new URL('../../viewer.css', import.meta.url)),
  licenses: fileURLToPath(new URL('../../viewer.licenses.txt', import.meta.url)),
};

let bundle: Promise<ViewerBundle> | undefined;

export function viewerBundle(): Promise<ViewerBundle> {
  bundle ??= isCompiled ? readBuilt() : bundleViewer(new URL('../../viewer/main.tsx', import.meta.url));
  return bundle;
}

/** Of the build: writes what {@link viewerBundle} will read. */
export async function buildViewer(): Promise<void> {
  const made = await bundleViewer(new URL('../../../../src/viewer/main.tsx', import.meta.url));
  await Promise.all([
    writeFile(BUILT.script, made.script),
    writeFile(BUILT.style, made.style),
    writeFile(BUILT.licenses, made.licenses),
  ]);
}

async function readBuilt(): Promise<ViewerBundle> {
  const [script, style] = await Promise.all([readFile(BUILT.script, 'utf8'), readFile(BUILT.style, 'utf8')]);
  return { script, style };
}

async function bundleViewer(entry: URL): Promise<MadeBundle> {
  const { build } = await import('esbuild');
  const folder = fileURLToPath(new URL('.', entry));
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(entry)],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'viewer',
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
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const packages = await packagesOf(Object.keys(metafile.inputs), folder);
  const names = packages.map(({ name, license }) => `${name} (${license})`).join(', ');
  return {
    script: `/*! With code of ${names}: licences in tauflow's dist/src/viewer.licenses.txt */\n${textOf('.js')}`,
    style: textOf('.css'),
    licenses: packages.map(({ name, text }) => `${name}\n\n${text.trim()}\n`).join('\n\n'),
  };
}

interface BundledPackage {
  readonly name: string;
  /** As its package.json says, such as `MIT`. */
  readonly license: string;
  readonly text: string;
}

/**
 * The packages of bundled files, by name.
 * @param inputs the bundler's, relative to the folder
 * @param folder absolute
 */
async function packagesOf(inputs: readonly string[], folder: string): Promise<BundledPackage[]> {
  const roots = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []));
  const packages = await Promise.all(Array.from(roots, (root) => packageAt(join(folder, root))));
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function packageAt(root: string): Promise<BundledPackage> {
  const { name, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as BundledPackage;
  const file = (await readdir(root)).find((entry) => /^licen[cs]e/i.test(entry));
  return { name, license, text: file === undefined ? '' : await readFile(join(root, file), 'utf8') };
}
