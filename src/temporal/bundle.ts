/** Where a worker gets its workflow code: the bundle made by the build, or the sources, which it then bundles. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type BundleOptions, type WorkerOptions } from '@temporalio/worker';

/** Beside the compiled workflows, `dist/workflows/bundle.cjs`; never made when running from the sources. */
export const bundlePath = fileURLToPath(new URL('../../workflows/bundle.cjs', import.meta.url));

/** The same with failures whose texts are payloads, for workers that encrypt these. */
export const encryptedBundlePath = bundlePath.replace(/\.cjs$/, '-encrypted.cjs');

/** The same with Temporal's tracing interceptors, for workers whose traces are on: others hold nothing of it. */
export const tracedBundlePath = bundlePath.replace(/\.cjs$/, '-traced.cjs');

/** Interceptors that a bundle for traces has, and a worker that bundles one. */
export const tracingModule = fileURLToPath(
  new URL(`./telemetry/workflow-interceptors${extname(import.meta.url)}`, import.meta.url),
);

/** The workflows' entry file: `.ts` from the sources, `.js` when compiled. */
export const workflowsPath = fileURLToPath(
  new URL(`../../workflows/index${extname(import.meta.url)}`, import.meta.url),
);

/**
 * @param dataConverter the worker's: how failures are written is a part of the bundle
 * @param isTraced whether traces are on; a worker that encrypts as well bundles for itself
 */
export function workflowSource(
  dataConverter: WorkerOptions['dataConverter'],
  isTraced = false,
): Pick<WorkerOptions, 'workflowBundle'> | Pick<WorkerOptions, 'workflowsPath'> {
  const isEncrypted = dataConverter?.failureConverterPath !== undefined;
  const codePath = isEncrypted ? encryptedBundlePath : isTraced ? tracedBundlePath : bundlePath;
  if (!(isEncrypted && isTraced) && existsSync(codePath)) return { workflowBundle: { codePath } };
  return { workflowsPath };
}

/** Bundles the workflows into a file, so that workers start in a third of a second and without webpack. */
export async function writeBundle(
  path: string,
  options: Pick<BundleOptions, 'failureConverterPath' | 'workflowInterceptorModules'> = {},
): Promise<void> {
  const { code } = await bundleWorkflowCode({ ...options, workflowsPath, logger: new DefaultLogger('WARN') });
  await writeFile(path, code);
}
