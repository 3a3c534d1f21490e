/** The HTML report: one file with the overview and every conversation. The page itself is `src/viewer`. */

export { htmlReport, type HtmlSubject } from './html.ts';
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
