/**
 * All uses and changes of internals of Temporal's SDK; docs/internals/sdk-internals.md has the reasons. Workflow code
 * imports `workflow-tracing.ts`; `download-child.ts` is a separate program; `testing.ts` is for tests.
 */

export {
  decodeArrayFromPayloads,
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
export { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
export { withRepairedThread } from './workflow-thread.ts';
