/** Models: providers, requests and replies, failures, rate limits, prices, and the response cache. */

export { AdaptiveLimits, NoTurnError, limitedCallModel, type AdaptiveLimit, type Pace } from './adaptive-limit.ts';
export { CallAttempt, callDeadlines, idempotencyKey, readCount, type CallBounds } from './attempts.ts';
export { cachedCallModel, cachedForwardCall } from './cache/cached-call.ts';
export { listContents, removeShelves, type ModelContents, type RemovalCount, type Shelf } from './cache/folder.ts';
export { FAMILY_RULES } from './capabilities.ts';
export { configurationDigest, toEndpoint } from './cache/key.ts';
export { CompletionStore, DEFAULT_MAX_BYTES, forwardReplySchema, replySchema } from './cache/store.ts';
export { createModelCaller } from './client.ts';
export { MAX_OUTPUT_BYTES, toResult } from './completion.ts';
export type { Exchange } from './exchange.ts';
export { loadModelDescription, handedBackOver, type ModelDescription } from './description.ts';
export { findEndpoints, endpointsOfRun, labelsByProvider, type Endpoint, type PlayedPack } from './endpoints.ts';
export { ModelCallError, refusalIn, type PaidReply } from './failures.ts';
export { createForwarder, type ForwardCall } from './forward.ts';
export { createPassThrough, writeError, type PassThrough, type RawApi } from './raw-client.ts';
export { readRawRequest, writeRawRequest, type RequestHeaders } from './raw-request.ts';
export { MODEL_LICENCE, readModelList, toModelList } from './model-list.ts';
export { outlineRequest, type RequestOutline } from './outline.ts';
export { createPricer, priceReply, usualPrice, type PriceCall } from './prices.ts';
export { keepPricesIn, priceListOrigin, type PriceListOrigin } from './price-list.ts';
export { refreshLists, type ListChanges, type RefreshResult } from './refresh.ts';
export { findRetirement, retirementWarnings, type Retirement } from './retirement.ts';
export { listModels } from './served-models.ts';
export { withRemedy } from './remedies.ts';
export type { ModelReply } from './reply.ts';
export { TranscriptStore } from './transcripts.ts';
export type { CallModel, CallOptions, ExpandedMessage, ModelRequest, ReplySchema } from './types.ts';
export {
  SERVED_WIRES,
  UnreadableRequest,
  anthropicError,
  openaiError,
  type OfferedTool,
  type ServedReply,
  type ServedRequest,
} from './wires/served/index.ts';
