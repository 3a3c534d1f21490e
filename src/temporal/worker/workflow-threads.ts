/** The thread that runs workflow code: its start, and its restart after it dies. */

import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker as Thread, WorkerOptions as ThreadOptions } from 'node:worker_threads';
import { Runtime, UnexpectedError, type Worker } from '@temporalio/worker';

/** The SDK starts its threads with this file, by name. */
const SDK_THREAD = /[\\/]workflow-worker-thread\.js$/;
const REPAIRED_THREAD = fileURLToPath(new URL('./workflow-thread.cjs', import.meta.url));

/** A thread that dies at once, again and again, is started again at this pace, in ms. */
const RESTART_MS = 1_000;

let isRepaired = false;

/**
 * Has the SDK's threads start with {@link REPAIRED_THREAD}. The SDK has no option for the thread's file, but it looks
 * its constructor up in `node:worker_threads` each time.
 */
export function repairWorkflowThreads(): void {
  if (isRepaired) return;
  isRepaired = true;
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Thread };
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options?: ThreadOptions) {
      if (typeof file === 'string' && SDK_THREAD.test(file)) {
        super(REPAIRED_THREAD, { ...options, workerData: { sdkThread: file } });
      } else super(file, options);
    }
  };
}

export interface RestartedWorker {
  /** Settles when the Worker has ended; rejects when it has failed for another reason than its thread. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Time that a Worker whose thread has died takes one workflow task at a time, in ms. */
const CAUTIOUS_MS = 300_000;

/**
 * Options of a Worker that takes one workflow task at a time, and replays the workflow for each: when its thread dies,
 * the task that fails is that of the workflow whose code did it, and no other's.
 */
export const CAUTIOUS = { maxCachedWorkflows: 0, maxConcurrentWorkflowTaskExecutions: 1 } as const;

/**
 * Runs a Worker with workflows. Its thread dies of code that uses up the heap, and takes the Worker with it; a cautious
 * Worker then takes its place, and replays the workflows that were open. When no thread has died for a while it makes
 * room for an ordinary one.
 * @param create makes a Worker, with {@link CAUTIOUS} if it is asked to
 */
export function runRestarting(first: Worker, create: (isCautious: boolean) => Promise<Worker>): RestartedWorker {
  let worker = first;
  let isCautious = false;
  let isStopping = false;
  const run = async (): Promise<void> => {
    for (;;) {
      const relax = () => worker.getState() === 'RUNNING' && worker.shutdown();
      const calm = isCautious ? setTimeout(relax, CAUTIOUS_MS) : undefined;
      try {
        const ended = worker.run();
        if (isStopping) worker.shutdown();
        await ended;
        if (isStopping || !isCautious) return;
        isCautious = false;
      } catch (error) {
        if (isStopping || !isThreadLost(error)) throw error;
        Runtime.instance().logger.error(
          'the thread of the workflow code has died and is started again; the episode whose code did it is ended when ' +
            'its workflow task has failed several times',
          { error },
        );
        isCautious = true;
        await delay(RESTART_MS);
      } finally {
        clearTimeout(calm);
      }
      if (isStopping) return;
      worker = await create(isCautious);
    }
  };
  return {
    ended: run(),
    stop() {
      isStopping = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

/** Its message is all that the SDK gives to tell it by. */
function isThreadLost(error: unknown): boolean {
  return error instanceof UnexpectedError && error.message.startsWith('Workflow Worker Thread exited');
}
