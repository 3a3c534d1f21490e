/** Runs in its own thread: loads the file, serves its function on loopback, and reports the address. */

import { parentPort, workerData } from 'node:worker_threads';
import { UsageError } from '../../errors/index.ts';
import { loadFunction } from './load.ts';
import { serveFunction } from './serve.ts';
import type { LoadedFunction } from './service.ts';

async function load(path: string): Promise<LoadedFunction> {
  try {
    const file = await loadFunction(path);
    const { url } = await serveFunction(file, 0);
    return { url, name: file.name, version: file.version };
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message };
    throw error;
  }
}

parentPort?.postMessage(await load(workerData as string));
