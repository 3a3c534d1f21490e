/** Stacks of a workflow's promises, read in a thread of their own: the SDK's, and those that are written when they are read. */

import { Worker } from 'node:worker_threads';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const sdkThread = createRequire(import.meta.url).resolve('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
export const hooks = fileURLToPath(new URL('../../src/temporal/sdk-internals/promise-stacks.cjs', import.meta.url));

/** Workflow code with promises that are open, settled, rejected and put together. */
const WORKFLOW = `
  const never = () => new Promise(() => undefined);
  async function inner() { await never(); }
  async function outer() { await inner(); }
  class Session { async complete() { return await never(); } }
  async function settled() { await null; return 1; }
  async function allOf() { await Promise.all([outer(), settled(), never()]); }
  async function raceOf() { await Promise.race([new Session().complete(), never()]); }
  async function anyOf() { await Promise.any([Promise.reject(new Error('x')), never()]); }
  async function settledOf() { await Promise.allSettled([never(), settled()]).then(() => 2); }
  outer(); new Session().complete(); settled(); allOf(); raceOf(); anyOf(); settledOf();
  Promise.resolve(1).then(() => never()).finally(() => 3);
`;

/** Code of a worker’s thread: it runs the workflow, and asks it for its stacks. */
const THREAD = `
  const { createRequire } = require('node:module');
  const vm = require('node:vm');
  const { parentPort, workerData } = require('node:worker_threads');
  const { sdkThread, hooks, workflow } = workerData;
  if (hooks !== null) require(hooks).writeStacksWhenRead(sdkThread);
  const sdk = createRequire(sdkThread);
  const { Activator } = createRequire(sdk.resolve('@temporalio/workflow'))('./internals');
  const { globalHandlers } = sdk('./vm-shared');
  const { SourceMapGenerator } = sdk('source-map');
  const map = new SourceMapGenerator();
  workflow.split('\\n').forEach((line, at) => {
    for (let column = 0; column < line.length; column++) {
      const position = { line: at + 1, column };
      map.addMapping({ generated: position, original: { line: at + 101, column }, source: 'workflow.ts' });
    }
  });
  (async () => {
    await globalHandlers.addWorkflowBundle({ filename: 'bundle.js', sourceMap: map.toJSON() });
    globalHandlers.install();
    const context = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
    const promiseStackStore = { promiseToStack: new Map(), childToParent: new Map() };
    context.__TEMPORAL_ACTIVATOR__ = { info: { runId: 'r' }, promiseStackStore };
    let written = 0;
    const consumer = globalHandlers.bundleFilenameToSourceMapConsumer.get('bundle.js');
    const { originalPositionFor } = consumer;
    consumer.originalPositionFor = (position) => (written++, originalPositionFor.call(consumer, position));
    vm.runInContext(workflow, context, { filename: 'bundle.js' });
    const writtenUnasked = written;
    const stacks = Activator.prototype.getStackTraces.call({ stackTracesEnabled: true, promiseStackStore });
    const read = stacks.map(({ formatted, structured }) => ({ formatted, structured: [...structured] }));
    parentPort.postMessage({ stacks: read, writtenUnasked });
  })();
`;

interface Answer {
  readonly stacks: readonly { readonly formatted: string; readonly structured: readonly unknown[] }[];
  /** Frames that were looked up in the source map before anybody asked. */
  readonly writtenUnasked: number;
}

/** @param hooksFile null for the SDK's own stacks */
export function stacksOf(hooksFile: string | null): Promise<Answer> {
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { sdkThread, hooks: hooksFile, workflow: WORKFLOW },
  });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}
