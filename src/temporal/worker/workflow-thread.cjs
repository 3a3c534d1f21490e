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
  const [context, options] = args;
  const entry = context?.__temporal_args?.[1];
  if (entry === 'tryUnblockConditions' && hasNothingToUnblock(context)) return 0;
  if (entry === 'concludeActivation') return runInContext.call(this, context, { ...options, timeout: undefined });
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
 * True where the SDK's entry would find no condition that the workflow waits for, and no error to throw. Of the three
 * entries of an activation it is one, and `concludeActivation`, which collects the commands, another: no code of a
 * workflow runs in either, so neither needs a timeout, for which Node starts a thread.
 */
function hasNothingToUnblock({ __TEMPORAL_ACTIVATOR__: activator }) {
  return activator?.blockedConditions?.size === 0 && activator.workflowTaskError === undefined;
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
