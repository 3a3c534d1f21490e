/**
 * The source of a worker's workflow code: the build's bundle, or the compiled sources. A worker that encrypts, traces
 * or has agents from files bundles the sources when it starts (3.5 s), because they become part of the bundle.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  type BundleOptions,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { OwnAgent, OwnCondition } from '../../agents/from-file/index.ts';

/** File of the build's bundle, `dist/workflows/bundle.cjs`; it does not exist when running from the sources. */
export const bundlePath = fileURLToPath(new URL('../../../workflows/bundle.cjs', import.meta.url));

/** Interceptors for workers with traces; workers without traces do not load them. */
export const tracingModule = fileURLToPath(
  new URL(`../telemetry/workflow-interceptors${extname(import.meta.url)}`, import.meta.url),
);

/** The workflows' entry file: `.ts` from the sources, `.js` when compiled. */
const workflowsPath = fileURLToPath(new URL(`../../../workflows/index${extname(import.meta.url)}`, import.meta.url));

/**
 * Modules that all workflows of a worker share instead of evaluating their own, which saves a quarter of a worker's
 * memory. They are pure, and store only values derived from constants (eslint refuses a `let` there). A bundle with
 * agents from files shares none of them, because such agents are registered in one of these modules and belong to one
 * workflow.
 */
const sharedModules = ['agents/index', 'benchmarks/pure', 'episode/index', 'evaluation/index'].map((module) =>
  fileURLToPath(new URL(`../../${module}${extname(import.meta.url)}`, import.meta.url)),
);

/** Modules with data only, which workflows share in every bundle, even with agents from files. */
const sharedData = [
  fileURLToPath(new URL(`../../benchmarks/fastworkflow${extname(import.meta.url)}`, import.meta.url)),
];

interface BundleNeeds {
  /** The worker's data converter, because the bundle includes the converter of failures. */
  readonly dataConverter?: WorkerOptions['dataConverter'];
  readonly isTraced: boolean;
  readonly agents: readonly OwnAgent[];
  readonly conditions: readonly OwnCondition[];
  /** File with a prebuilt bundle, used without agents from files. @default the build's */
  readonly codePath?: string;
}

/** Finds the fitting prebuilt bundle, or makes one from the sources. All Workers of the process share it. */
export async function workflowBundle(needs: BundleNeeds): Promise<WorkflowBundleOption> {
  if (hasFiles(needs)) {
    const { source, remove } = await writeAgentsEntry(needs);
    return await buildBundle(source, needs).finally(remove);
  }
  const codePath = needs.codePath ?? findPrebuilt(needs);
  return codePath === undefined ? await buildBundle({ workflowsPath }, needs) : { codePath };
}

function hasFiles({ agents, conditions }: BundleNeeds): boolean {
  return agents.length + conditions.length > 0;
}

/** @returns undefined when running from the sources, and for a worker that encrypts or traces */
function findPrebuilt({ dataConverter, isTraced }: BundleNeeds): string | undefined {
  const isPlain = dataConverter?.failureConverterPath === undefined && !isTraced;
  return isPlain && existsSync(bundlePath) ? bundlePath : undefined;
}

type WorkflowSource = Required<Pick<WorkerOptions, 'workflowsPath'>> & Pick<WorkerOptions, 'bundlerOptions'>;

async function buildBundle(
  { workflowsPath: entry, bundlerOptions }: WorkflowSource,
  needs: BundleNeeds,
): Promise<{ code: string }> {
  const { payloadConverterPath, failureConverterPath } = needs.dataConverter ?? {};
  const { code } = await bundleWorkflowCode({
    ...bundlerOptions,
    workflowsPath: entry,
    logger: Runtime.instance().logger,
    payloadConverterPath,
    failureConverterPath,
    ...(needs.isTraced ? { workflowInterceptorModules: [tracingModule] } : {}),
    preloadModules: hasFiles(needs) ? sharedData : [...sharedData, ...sharedModules],
  });
  return { code };
}

/** Bundles the workflows into a file, so that workers start in a third of a second without webpack. */
export async function writeBundle(
  path: string,
  options: Pick<BundleOptions, 'workflowInterceptorModules'> = {},
): Promise<void> {
  const { code } = await bundleWorkflowCode({
    ...options,
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    preloadModules: [...sharedData, ...sharedModules],
  });
  await writeFile(path, withShortMap(code));
}

/**
 * Returns the bundle with a source map whose file names are relative to the package's root, and without the files'
 * texts. Stack traces need neither the build's folder nor the texts, which would be a third of the bundle.
 */
function withShortMap(code: string): string {
  const start = code.lastIndexOf(MAP_COMMENT);
  const encoded = code.slice(start).split('base64,')[1] ?? '';
  const { sourcesContent: _, ...map } = JSON.parse(Buffer.from(encoded, 'base64').toString()) as SourceMap;
  const short = { ...map, sources: map.sources.map((source) => source.replace(packageRoot, '')) };
  const text = Buffer.from(JSON.stringify(short)).toString('base64');
  return `${code.slice(0, start)}${MAP_COMMENT}application/json;base64,${text}`;
}

/** Comment that contains the source map. The SDK's worker loads no bundle without one. */
const MAP_COMMENT = '//# sourceMappingURL=data:';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: unknown;
}

const packageRoot = fileURLToPath(
  new URL(extname(import.meta.url) === '.ts' ? '../../../' : '../../../../', import.meta.url),
);

/** Modules that look up the definitions of files in the workflows' sandbox. */
const [ownStrategies, ownConditions] = ['agents', 'conditions'].map((module) =>
  fileURLToPath(new URL(`../../${module}/index${extname(import.meta.url)}`, import.meta.url)),
);

/** Folder of the SDK's packages, for an entry file in another folder. */
const packages = join(createRequire(import.meta.url).resolve('@temporalio/workflow'), '../../../..');

interface AgentsEntry {
  /** An entry file that registers the agents before it exports the workflows. */
  readonly source: Required<Pick<WorkerOptions, 'workflowsPath' | 'bundlerOptions'>>;
  /** Deletes the entry's files; call it after bundling. */
  readonly remove: () => Promise<void>;
}

/** Writes the entry file for workers with agents and conditions from files. */
async function writeAgentsEntry({ agents, conditions }: BundleNeeds): Promise<AgentsEntry> {
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-agents-'));
  const entry = [
    `const { addOwnStrategy, exportedStrategy } = require(${JSON.stringify(ownStrategies)});`,
    `const { addOwnCondition } = require(${JSON.stringify(ownConditions)});`,
  ];
  const write = async ({ code, file }: Pick<OwnAgent, 'code' | 'file'>, add: (exported: string) => string) => {
    await writeFile(join(folder, `${file.digest}.cjs`), code);
    entry.push(add(`require(${JSON.stringify(`./${file.digest}.cjs`)})`));
  };
  for (const agent of agents) {
    const digest = JSON.stringify(agent.file.digest);
    await write(agent, (exported) => `addOwnStrategy(${digest}, exportedStrategy(${exported}));`);
  }
  for (const condition of conditions) {
    const digest = JSON.stringify(condition.file.digest);
    await write(condition, (exported) => `addOwnCondition(${digest}, ${exported}.default);`);
  }
  entry.push(`module.exports = require(${JSON.stringify(workflowsPath)});`, '');
  const path = join(folder, 'workflows.cjs');
  await writeFile(path, entry.join('\n'));
  const webpackConfigHook: NonNullable<BundleOptions['webpackConfigHook']> = ({ resolve, ...config }) => ({
    ...config,
    resolve: { ...resolve, modules: [...(resolve?.modules ?? []), packages] },
  });
  return {
    source: { workflowsPath: path, bundlerOptions: { webpackConfigHook } },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
