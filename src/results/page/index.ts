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
