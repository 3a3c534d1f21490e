/** The HTML report: one file with the overview and every conversation. The page itself is `src/viewer`. */

export { readEntry, readRecord, type Conversation, type ReadEpisode } from './episodes.ts';
export { contentSecurityPolicy, htmlReport, htmlText, type HtmlSubject } from './html.ts';
export { hasWords, wordsOf } from './words.ts';
export { overviewOfEpisodes, overviewOfRun } from './overview.ts';
export type {
  EmbeddedRun,
  Payload,
  PayloadChunk,
  PayloadConversation,
  PayloadDifference,
  PayloadEpisode,
  PayloadRun,
  PayloadStep,
  PayloadVerdict,
} from './payload.ts';
export { viewBundle, type ViewerBundle } from './viewer-bundle.ts';
