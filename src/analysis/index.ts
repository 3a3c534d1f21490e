export { analyzeEpisode, analyzeOrWarn } from './analyze.ts';
export { agreementOf, type Agreement } from './judge/agreement.ts';
export { ANSWER_FIELDS, readAnswer } from './judge/answer.ts';
export { conversationLines, renderLines } from './judge/conversation.ts';
export { JUDGE_MARKER, judgePrompt, type JudgedEpisode } from './judge/prompt.ts';
export {
  PROMPT_VERSION,
  QUESTIONS,
  letterAt,
  type Choice,
  type JudgedAuthor,
  type QuestionName,
} from './judge/questions.ts';
export {
  CUSTOMER_KINDS,
  FAULT_KINDS,
  FAULT_TYPES,
  isSuspect,
  type AnalyzedEpisode,
  type CustomerFinding,
  type CustomerKind,
  type DataDifference,
  type EpisodeAnalysis,
  type Fault,
  type FaultKind,
  type FaultType,
} from './types.ts';
