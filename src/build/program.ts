/**
 * Build step: bundles the compiled command into `dist/program`, which is what `tauflow` runs. To find and read the
 * thousand files of a command one by one takes Node 0.2 s of CPU time more, a quarter of all until it begins its work.
 */

import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundledPackages, licensesOf } from './bundled-packages.ts';

/** The compiled program's root, `dist`. */
const dist = fileURLToPath(new URL('../..', import.meta.url));
const target = `${dist}program`;

/** Packages that are not bundled: the SDK, those whose state it shares, and those that few commands load. */
const EXTERNAL = [
  '@temporalio/*',
  '@grpc/*',
  'protobufjs',
  '@opentelemetry/*',
  '@anthropic-ai/*',
  '@aws-sdk/*',
  '@pydantic/genai-prices',
  'esbuild',
];

/** Keeps the address that each module was compiled to, so that it finds the files beside it. */
const WITH_OWN_ADDRESS: Plugin = {
  name: 'with-own-address',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]dist[\\/](src|activities|workflows)[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const own = relative(target, path).replaceAll('\\', '/');
      const address = `new URL(${JSON.stringify(own)}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', address), loader: 'js' };
    });
  },
};

export async function bundleProgram(): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { tauflow: `${dist}src/cli/main.js` },
    absWorkingDir: dirname(dist),
    outdir: target,
    bundle: true,
    // What a command loads when it needs it stays in files of its own, beside the first: addresses are relative to them all.
    splitting: true,
    format: 'esm',
    platform: 'node',
    // The least that package.json names.
    target: 'node20.19',
    external: [...EXTERNAL, '#data/*'],
    // Packages in CommonJS ask for Node's modules with it.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [WITH_OWN_ADDRESS],
  });
  await chmod(`${target}/tauflow.js`, 0o755);
  await writeFile(`${target}/licenses.txt`, licensesOf(await bundledPackages(metafile, dirname(dist))));
}
