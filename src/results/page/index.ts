/** The HTML report: one file with the overview and every conversation. The page itself is `src/viewer`. */

export { readEntry, readRecord, type Conversation, type ReadEpisode } from './episodes.ts';
export { contentSecurityPolicy, htmlReport, htmlText, type HtmlSubject } from './html.ts';
export { type ViewerBundle } from './viewer-bundle.ts';
export { hasWords, wordsOf } from './words.ts';
export { overviewOfRun, type EpisodeOverview, type RunOverview } from './overview.ts';
export type {
  Payload,
  PayloadChunk,
  PayloadConversation,
  PayloadDifference,
  PayloadEpisode,
  PayloadRun,
  PayloadStep,
  PayloadVerdict,
} from './payload.ts';
