/**
 * Entry point of the thread that runs workflow code: the SDK's own, with one repair made before it.
 *
 * The SDK ends workflow code that runs for 5 s with `vm`'s timeout. On Node 20 and 22, code that is ended inside a
 * promise's continuation while async hooks are on (any cancellation scope turns them on) leaves its entry on the stack
 * of async contexts, and Node aborts the whole process when the thread returns to its event loop: "async hook stack has
 * become corrupted" (nodejs/node#38503). docs/durability.md has the details.
 *
 * Here the stack is cleared as Node itself clears it after an uncaught exception. The timeout then arrives where the SDK
 * expects it, and fails one workflow task.
 */

'use strict';

const { AsyncResource, executionAsyncId } = require('node:async_hooks');
const { Script } = require('node:vm');
const { workerData } = require('node:worker_threads');
const { writeStacksWhenRead } = require('./promise-stacks.cjs');

const { runInContext } = Script.prototype;

Script.prototype.runInContext = function (...args) {
  if (runsNoWorkflowCode(args[0])) return runInContext.call(this, args[0], { ...args[1], timeout: undefined });
  // A resource of the call's own: what the ended code had entered there must not be found by the next workflow.
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
 * True for an entry of the SDK's in which no code of a workflow can run: it collects the commands; or looks for
 * conditions to unblock where there are none. Node starts a thread for each timeout, which costs more than what such an
 * entry does, and of the three entries of an activation two are of this kind.
 */
function runsNoWorkflowCode(context) {
  const entry = context?.__temporal_args?.[1];
  if (entry === 'concludeActivation') return true;
  return entry === 'tryUnblockConditions' && context.__TEMPORAL_ACTIVATOR__?.blockedConditions?.size === 0;
}

/** Node has no public call for this. Without `_fatalException` the process aborts, as it does without this file. */
function clearAsyncStack(error) {
  process.setUncaughtExceptionCaptureCallback(() => undefined);
  try {
    process._fatalException?.(error);
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}

writeStacksWhenRead(workerData.sdkThread);
require(workerData.sdkThread);
