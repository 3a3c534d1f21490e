/** Threads for users' code. */

import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const IS_SOURCE = extname(import.meta.url) === '.ts';

/** Memory limit of a thread's objects, in MB. A thread that needs more ends, without ending the process. */
const MOST_HEAP_MB = 1_024;

/**
 * Starts a thread that does not keep the process alive and whose output is not part of a command's result.
 * @param source URL of the thread's file among the sources
 * @param bundle name of its bundle in `dist/program`
 */
export function startThread(source: string, bundle: string, workerData: unknown): Worker {
  const options = { workerData, stdout: true, resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB } };
  const built = new URL(`../../program/${bundle}.js`, import.meta.url);
  const thread = IS_SOURCE ? fromSources(source, options) : new Worker(fileURLToPath(built), options);
  thread.stdout.on('data', (chunk: Buffer) => void process.stderr.write(chunk));
  thread.unref();
  return thread;
}

/** Starts a thread from TypeScript sources, which Node 20 cannot do by itself. */
function fromSources(source: string, options: object): Worker {
  const [tsx, file] = [import.meta.resolve('tsx/esm/api'), source].map((each) => JSON.stringify(each));
  return new Worker(`import(${tsx}).then(({ tsImport }) => tsImport(${file}, ${file}))`, { ...options, eval: true });
}
