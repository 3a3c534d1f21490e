/** Parts of this module that its tests use beyond its entry point. */

export { AdaptiveLimit } from './adaptive-limit.ts';
export { backoffMs } from './attempts.ts';
export { findCapabilities, takesSchema } from './capabilities.ts';
export { answerOpenCalls } from './client.ts';
export { FAILURE_GROUPS, fits, judgeAnswer } from './failure-table.ts';
export { UnusableReplyError, classifyModelError, type ModelFailure } from './failures.ts';
export { excerptReply, withShortReasoning } from './completion.ts';
export { createModelFetch } from './fetch.ts';
export type { ForwardReply, ForwardRequest } from './forward.ts';
export { findRefused } from './left-out.ts';
export { keepModelList } from './model-list.ts';
export { readAnnounced } from './refresh.ts';
export { pricePerMillion, type PricedCall } from './prices.ts';
export type { CacheScope } from './types.ts';
export { withoutHalves } from './well-formed.ts';
