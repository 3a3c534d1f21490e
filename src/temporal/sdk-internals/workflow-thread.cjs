/**
 * Entry point of the thread that runs workflow code: the SDK's own, with a repair made before it.
 *
 * The SDK ends workflow code that runs for 5 s with `vm`'s timeout. On Node 20 and 22, code that is ended inside a
 * promise's continuation while async hooks are on (any cancellation scope turns them on) leaves its entry on the stack
 * of async contexts. Node then aborts the whole process when the thread returns to its event loop: "async hook stack
 * has become corrupted" (nodejs/node#38503). docs/internals/sdk-internals.md has the details.
 *
 * The repair clears the stack as Node itself does after an uncaught exception. The timeout then arrives where the SDK
 * expects it, and fails one workflow task.
 */

'use strict';

const { AsyncLocalStorage, AsyncResource, executionAsyncId } = require('node:async_hooks');
const { writeSync } = require('node:fs');
const { Script, createContext } = require('node:vm');
const { workerData } = require('node:worker_threads');

const { runInContext } = Script.prototype;

Script.prototype.runInContext = function (...args) {
  // Each call has a resource of its own, so that the next workflow does not find values of the ended code.
  return new AsyncResource('WorkflowCode').runInAsyncScope(() => {
    const entered = executionAsyncId();
    try {
      return runInContext.apply(this, args);
    } catch (error) {
      if (executionAsyncId() !== entered) clearAsyncStack(error);
      throw error;
    }
  });
};

/**
 * Clears the stack, for which Node has no public function. Without `_fatalException` the process aborts, as it does
 * without this file.
 */
function clearAsyncStack(error) {
  process.setUncaughtExceptionCaptureCallback(() => undefined);
  try {
    process._fatalException?.(error);
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}

/**
 * Ends code by a timeout, as the SDK does.
 * @returns true if the stack of async contexts is then empty; otherwise Node is about to abort
 */
function isInForce() {
  if (typeof process._fatalException !== 'function') return false;
  const context = createContext({ hasBegun: false }, { microtaskMode: 'afterEvaluate' });
  const endless = new Script('Promise.resolve().then(() => { hasBegun = true; for (;;); })');
  // On a busy machine, a short time can be over before the continuation begins.
  for (let timeout = 2; !context.hasBegun; timeout *= 2) {
    try {
      new AsyncLocalStorage().run({}, () => endless.runInContext(context, { timeout }));
    } catch (error) {
      if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
  }
  if (executionAsyncId() === 0) return true;
  const advice = 'run Node 24, or set TAUFLOW_PLAIN_SDK=1';
  writeSync(2, `error: the repair of the workflow thread fails on Node ${process.versions.node}; ${advice}\n`);
  return false;
}

const { sdkThread, inForce } = workerData;
inForce[0] = Number(isInForce());
require(sdkThread);
