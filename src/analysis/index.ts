/** Analysis of recorded episodes without a model, and the prompts and answers of the LLM judge. */

export { analyzeEpisode, analyzeOrWarn } from './analyze.ts';
export {
  ANSWER_FIELDS,
  JUDGE_MARKER,
  PROMPT_VERSION,
  QUESTIONS,
  conversationLines,
  judgePrompt,
  letterAt,
  measureJudgeAgreement,
  readJudgeAnswer,
  renderLines,
  type JudgeAgreement,
  type JudgeChoice,
  type JudgeAnswer,
  type JudgedAuthor,
  type JudgedEpisode,
  type QuestionName,
} from './judge.ts';
export {
  USER_FAULT_KINDS,
  FAULT_KINDS,
  FAULT_TYPES,
  FAULT_TYPE_OF,
  isSuspect,
  type AnalyzedEpisode,
  type UserFault,
  type UserFaultKind,
  type DataDifference,
  type EpisodeAnalysis,
  type Fault,
  type FaultKind,
  type FaultType,
} from './types.ts';
