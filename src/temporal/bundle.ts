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

/** The workflows' entry file: `.ts` from the sources, `.js` when compiled. */
export const workflowsPath = fileURLToPath(
  new URL(`../../workflows/index${extname(import.meta.url)}`, import.meta.url),
);

/** @param dataConverter the worker's: how failures are written is a part of the bundle */
export function workflowSource(
  dataConverter: WorkerOptions['dataConverter'],
): Pick<WorkerOptions, 'workflowBundle'> | Pick<WorkerOptions, 'workflowsPath'> {
  const codePath = dataConverter?.failureConverterPath === undefined ? bundlePath : encryptedBundlePath;
  return existsSync(codePath) ? { workflowBundle: { codePath } } : { workflowsPath };
}

/** Bundles the workflows into a file, so that workers start in a third of a second and without webpack. */
export async function writeBundle(
  path: string,
  options: Pick<BundleOptions, 'failureConverterPath'> = {},
): Promise<void> {
  const { code } = await bundleWorkflowCode({ ...options, workflowsPath, logger: new DefaultLogger('WARN') });
  await writeFile(path, code);
}
