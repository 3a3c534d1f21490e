/**
 * The threads of a worker process: the file that those of workflow code start with, how the system schedules them, and
 * V8's flags and limits, which keep memory low. docs/performance.md has the figures.
 */

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Worker as Thread, WorkerOptions as ThreadOptions } from 'node:worker_threads';

/** The SDK starts its threads with this file, by name. */
const SDK_THREAD = /[\\/]workflow-worker-thread\.js$/;
const REPAIRED_THREAD = fileURLToPath(new URL('./workflow-thread.cjs', import.meta.url));

/** From here on memory is worth more than the 3 to 5 % of CPU time that collecting sooner costs. */
const MANY_OPEN = 200;

/**
 * V8's flags for all threads of a worker process, to be set before they allocate much. V8 lets the heap of a busy worker
 * grow to four times of what is alive, most of it messages of completed calls; here it collects the garbage at one and a
 * half times, and sooner in a worker for many episodes, where half of what is alive is much. And the V8 of Node 20
 * optimizes code so early that a sweep of a hundred episodes ends before that pays.
 * @param maxConcurrency episodes that may be open in this worker
 */
export function engineFlags(maxConcurrency: number, v8Version = process.versions.v8): readonly string[] {
  const growth = `--heap-growing-percent=${maxConcurrency > MANY_OPEN ? '30' : '50'}`;
  // Later versions do not know the other flag, and would write an error to the standard error stream.
  return Number.parseInt(v8Version, 10) < 12 ? [growth, '--interrupt-budget=400000'] : [growth];
}

/**
 * Schedules this process as a batch job on Linux: a thread that wakes up waits for its turn, and does not interrupt the
 * one that woke it, as each message between the threads of workflow code, activities and gRPC would. Node has no call
 * for it; `chrt` of util-linux does it for a process that runs.
 * @param onFailure called where there is no such program, or it fails; the process then only takes more CPU time
 */
export function scheduleAsBatch(onFailure: (error: Error) => void): void {
  if (process.platform !== 'linux') return;
  const args = ['--all-tasks', '--batch', '--pid', '0', String(process.pid)];
  execFile('chrt', args, (error) => {
    if (error !== null) onFailure(error);
  });
}

/** Read by tokio, the library that runs the SDK's Rust code. */
const GRPC_THREADS = 'TOKIO_WORKER_THREADS';

/**
 * Calls a function that makes the SDK's runtime, whose gRPC then has one thread instead of one for each core. It only
 * passes messages on, a few hundred a second; several threads wake each other twice as often. The SDK has no option for
 * their number. Where the environment names one, it holds.
 */
export function withOneGrpcThread(make: () => void): void {
  if (process.env[GRPC_THREADS] !== undefined) {
    make();
    return;
  }
  process.env[GRPC_THREADS] = '1';
  try {
    make();
  } finally {
    // Programs that this process starts have their own threads.
    delete process.env[GRPC_THREADS];
  }
}

/** Node 20 allows 48 MB for young objects, Node 24 192; workflow code is as fast with less. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 24 } as const;

let isRepaired = false;
/** A thread that has been started before the SDK asks for it. */
let ahead: Thread | undefined;

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
        if (ahead !== undefined) {
          const started = ahead;
          ahead = undefined;
          started.ref();
          return started;
        }
        super(REPAIRED_THREAD, { ...options, resourceLimits: THREAD_LIMITS, workerData: { sdkThread: file } });
      } else super(file, options);
    }
  };
}

/**
 * Starts the thread of the next Worker's workflow code, which loads the SDK for 0.3 s: to be called before
 * something else is loaded or waited for.
 */
export function startThreadAhead(): void {
  if (ahead !== undefined) return;
  repairWorkflowThreads();
  const require = createRequire(import.meta.url);
  const threads = require('node:worker_threads') as { Worker: typeof Thread };
  const started = new threads.Worker(require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread'));
  // A process that starts no Worker after all does not wait for it.
  started.unref();
  ahead = started;
  started.once('exit', () => {
    if (ahead === started) ahead = undefined;
  });
}
