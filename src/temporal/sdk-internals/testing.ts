/**
 * Parts of the SDK for tests: histories as JSON, and the SDK's own function that starts the thread of workflow code.
 */

export { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
export { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm.js';
