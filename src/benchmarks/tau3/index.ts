export { callTool, makeCall, type CallResult, type ToolCall } from './call.ts';
export { findTool, toolMap, type DatabaseTable, type Side, type Tau3Domain } from './domain.ts';
export {
  readTool,
  userWriteTool,
  writeTool,
  type NameOf,
  type Parameter,
  type Requestor,
  type Tau3Tool,
  type ToolKind,
} from './tool.ts';
export { databaseText } from './state.ts';
export { tau3Domains } from './domains.ts';
export { readCriteria, type Criteria, type RewardBasis } from './criteria.ts';
export { episodeMessages, type EpisodeMessage, type PlayedEpisode } from './episode.ts';
export type { Tau3Parts } from './grade-parts.ts';
export { gradeTau3, prepareTask, type PreparedTask, type Tau3Grade } from './grade.ts';
export { FIRST_AGENT_MESSAGE, agentSystemPrompt, scenarioText, telecomPolicy, userSystemPrompt } from './prompts.ts';
export {
  FIRST_TURN,
  STOP_MARKERS,
  afterMessage,
  afterToolResults,
  type Termination,
  type Turn,
  type TurnMessage,
} from './turns.ts';
