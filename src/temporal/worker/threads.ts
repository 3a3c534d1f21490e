/** Threads that run workflow code. Light: the first of them is started before the SDK is loaded. */

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Worker as Thread, WorkerOptions as ThreadOptions } from 'node:worker_threads';

/** The SDK starts its threads with this file, by name. */
const SDK_THREAD = /[\\/]workflow-worker-thread\.js$/;
const REPAIRED_THREAD = fileURLToPath(new URL('./workflow-thread.cjs', import.meta.url));

const require = createRequire(import.meta.url);

let isRepaired = false;

/** A thread that the SDK has not asked for yet. */
let spare: Thread | null = null;

/**
 * Starts a thread for workflow code before the SDK asks for one: it loads for 0.3 s or more, in which a server can come
 * up. It does not keep the process alive.
 */
export function prepareWorkflowThread(): void {
  if (spare !== null) return;
  repairWorkflowThreads();
  const { Worker: Threads } = require('node:worker_threads') as { Worker: typeof Thread };
  const thread = new Threads(require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread.js'));
  // One that fails is not handed out; the next one says why, to the SDK.
  thread.on('error', () => undefined);
  thread.once('exit', () => {
    if (spare === thread) spare = null;
  });
  thread.unref();
  spare = thread;
}

/**
 * Has the SDK's threads start with {@link REPAIRED_THREAD}, and hands out the one that {@link prepareWorkflowThread} has
 * started. The SDK has no option for the thread's file, but it looks its constructor up in `node:worker_threads` each time.
 */
export function repairWorkflowThreads(): void {
  if (isRepaired) return;
  isRepaired = true;
  const threads = require('node:worker_threads') as { Worker: typeof Thread };
  threads.Worker = new Proxy(threads.Worker, {
    construct(target, given: [file: string | URL, options?: ThreadOptions], caller) {
      const [file, options] = given;
      if (typeof file !== 'string' || !SDK_THREAD.test(file)) return Reflect.construct(target, given, caller) as Thread;
      const prepared = spare;
      spare = null;
      prepared?.ref();
      return prepared ?? new target(REPAIRED_THREAD, { ...options, workerData: { sdkThread: file } });
    },
  });
}
