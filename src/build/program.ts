/**
 * Build step: bundles the compiled command into `dist/program`, which `tauflow` runs. Reading the thousand files of a
 * command one by one would take Node 0.2 s more CPU time, a quarter of its start-up time.
 */

import { chmod, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { bundledPackages, formatLicenses } from '../io/index.ts';

/** Root of the compiled program, `dist`. */
const dist = fileURLToPath(new URL('../..', import.meta.url));
const target = `${dist}program`;

/**
 * Packages that users install although they are bundled: the sources read the version of one, and agents' files may use
 * the other. The other `dependencies` of `package.json` are not bundled: the SDK and packages that share its state,
 * native code, and imports of agents and workflows. Every `devDependency` is bundled.
 */
const INSTALLED_TOO = ['openai', 'zod'];

async function externals(): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(dirname(dist), 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return installed.filter((name) => !INSTALLED_TOO.includes(name));
}

/** Gives each module in the bundle its compiled address, so that it finds the files beside it. */
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

const FOR_NODE = {
  absWorkingDir: dirname(dist),
  bundle: true,
  // Parts that are loaded on demand are in files of their own beside the first one, because addresses are relative to
  // all of them.
  splitting: true,
  format: 'esm',
  platform: 'node',
  // The lowest version that package.json allows.
  target: 'node20.19',
  // Packages in CommonJS load Node's modules with it.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export async function bundleProgram(): Promise<void> {
  const { metafile } = await build({
    ...FOR_NODE,
    entryPoints: {
      tauflow: `${dist}src/cli/main.js`,
      // A function's thread, which `functionService` starts by its path.
      'function-thread': `${dist}src/agent-service/function/thread.js`,
      // A benchmark's thread, which `openFolder` starts.
      'benchmark-thread': `${dist}src/benchmarks/own/thread.js`,
      // `tauflow/benchmark/testing`, which needs packages that users need not install.
      'benchmark-testing': `${dist}src/benchmarks/own/public-testing.js`,
      // `tauflow/stats`, which needs packages that users need not install.
      stats: `${dist}src/stats/public.js`,
    },
    outdir: target,
    external: [...(await externals()), '#data/*'],
    plugins: [WITH_OWN_ADDRESS],
  });
  await chmod(`${target}/tauflow.js`, 0o755);
  await writeLicenses(target, metafile);
  const built = Object.keys(metafile.outputs).map((output) => basename(output));
  await removeOldChunks(target, [...built, LICENSES], new Date());
}

/** Time for which files of an earlier build stay, in milliseconds. */
const KEPT_MS = 30 * 86_400_000;

/**
 * Removes old files that the last build does not have. Running programs load parts on demand, and a worker without its
 * parts fails, so newer files stay. Names of parts contain digests, so the parts of two builds can be in one folder.
 */
export async function removeOldChunks(folder: string, built: readonly string[], now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (built.includes(name) || now.getTime() - (await stat(file)).mtimeMs < KEPT_MS) continue;
    await rm(file, { recursive: true });
  }
}

/** Bundles the workspace package, with the parts of the program's sources that it uses. */
export async function bundleGenerator(): Promise<void> {
  const folder = join(dirname(dist), 'packages/task-generator');
  await rm(`${folder}/dist`, { recursive: true, force: true });
  const { metafile } = await build({
    ...FOR_NODE,
    entryPoints: ['command', 'main'].map((name) => `${folder}/src/${name}.ts`),
    outdir: `${folder}/dist`,
    // Packs are written to folders.
    external: ['@aws-sdk/*'],
  });
  await chmod(`${folder}/dist/main.js`, 0o755);
  await writeLicenses(`${folder}/dist`, metafile);
}

const LICENSES = 'licenses.txt';

async function writeLicenses(folder: string, metafile: Metafile): Promise<void> {
  await writeFile(join(folder, LICENSES), formatLicenses(await bundledPackages(metafile, dirname(dist))));
}
