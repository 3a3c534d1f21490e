/** Parts of this module that its tests use beyond its entry point. */

export type { ComparedInWords, EpisodeNote, KeptRequests, ListedRun, LiveEpisode, LiveRun, OpenConversation, OpenEpisode, RunList, ScheduleTrend, ScheduleTrends, SearchLine, TrendPoint, ViewedEpisode, ViewedRun } from './api.ts';
export { toConversation, conversationOfRecord } from './episodes.ts';
export { buildPayload, type HtmlOptions } from './pack.ts';
export type { EmbeddedEpisode, Payload, PayloadChunk, PayloadConversation, PayloadEpisode, PayloadRun } from './payload.ts';
export { conversationHasWords } from './words.ts';
