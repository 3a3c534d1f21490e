/** Functions of the SDK's converters, which decode what events of a history carry; public API has none for it. */

export {
  decodeArrayFromPayloads,
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
export { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
export { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
