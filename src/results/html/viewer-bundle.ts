/**
 * The page's script and style: what the build made or, when running from the sources, bundled now. A published package
 * has no sources of the viewer and needs none of its libraries.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ViewerBundle {
  readonly script: string;
  readonly style: string;
}

const isCompiled = extname(import.meta.url) === '.js';

/** Beside the compiled program; never made when running from the sources. */
const BUILT = {
  script: fileURLToPath(new URL('../../viewer.js', import.meta.url)),
  style: fileURLToPath(new URL('../../viewer.css', import.meta.url)),
};

let bundle: Promise<ViewerBundle> | undefined;

export function viewerBundle(): Promise<ViewerBundle> {
  bundle ??= isCompiled ? readBuilt() : bundleViewer(new URL('../../viewer/main.tsx', import.meta.url));
  return bundle;
}

/** Of the build: writes what {@link viewerBundle} will read. */
export async function buildViewer(): Promise<void> {
  const { script, style } = await bundleViewer(new URL('../../../../src/viewer/main.tsx', import.meta.url));
  await Promise.all([writeFile(BUILT.script, script), writeFile(BUILT.style, style)]);
}

async function readBuilt(): Promise<ViewerBundle> {
  const [script, style] = await Promise.all([readFile(BUILT.script, 'utf8'), readFile(BUILT.style, 'utf8')]);
  return { script, style };
}

async function bundleViewer(entry: URL): Promise<ViewerBundle> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
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
  return { script: textOf('.js'), style: textOf('.css') };
}
