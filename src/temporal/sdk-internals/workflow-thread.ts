/** Starts the SDK's thread of workflow code from a file that repairs Node first: see `workflow-thread.cjs`. */

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Worker as Thread, WorkerOptions as ThreadOptions } from 'node:worker_threads';

/** Matches the name of the file with which the SDK starts its threads. */
const SDK_THREAD = /[\\/]workflow-worker-thread\.js$/;
const REPAIRED_THREAD = fileURLToPath(new URL('./workflow-thread.cjs', import.meta.url));

/** First version of Node whose async context stack does not keep entries of ended workflow code. */
const FIXED_NODE = 24;

/** Last call of {@link withRepairedThread}. Calls replace the same constructor, so they run one after the other. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Calls a function that creates an SDK Worker with workflows. The thread that the SDK starts during the call gets the
 * repair. The SDK has no option for the thread's file, but looks up its constructor in `node:worker_threads` each time.
 * @param warn called with the reason if the repair is needed but does not work
 */
export function withRepairedThread<T>(create: () => Promise<T>, warn: (message: string) => void): Promise<T> {
  // For finding out whether a fault comes from this repair.
  const isPlain = process.env['TAUFLOW_PLAIN_SDK'] === '1';
  if (isPlain || Number.parseInt(process.versions.node, 10) >= FIXED_NODE) return create();
  const made = turn.then(() => createRepaired(create, warn));
  turn = made.catch(() => undefined);
  return made;
}

async function createRepaired<T>(create: () => Promise<T>, warn: (message: string) => void): Promise<T> {
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Thread };
  const { Worker } = threads;
  /** State of each started thread; 1: its repair has been tried and works. */
  const states: Int32Array[] = [];
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: ThreadOptions) {
      if (typeof file !== 'string' || !SDK_THREAD.test(file)) super(file, options);
      else {
        const inForce = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
        super(REPAIRED_THREAD, { ...options, workerData: { sdkThread: file, inForce } });
        states.push(inForce);
      }
    }
  };
  try {
    const created = await create();
    if (states.length === 0 || states.some((inForce) => inForce[0] !== 1)) {
      warn(
        `the repair of Node ${process.versions.node} is not in force with this version of @temporalio/worker: workflow ` +
          'code that runs for 5 s without end may abort this process; run it on Node 24',
      );
    }
    return created;
  } finally {
    threads.Worker = Worker;
  }
}
