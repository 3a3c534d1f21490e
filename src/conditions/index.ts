/** Conditions of episodes: failing tools, other names, other behavior of users. */

export { EpisodeCondition, runPlace, type Interference } from './episode.ts';
export { rename, renameInText, renameTool } from './names.ts';
export { alteredBy, restoreConversation, type ConversationChanges } from './original.ts';
export type { Condition, ConditionRef, NameFacts, RunCondition, ToolSchema } from './port.ts';
export {
  CONDITIONS,
  MissingCondition,
  addOwnCondition,
  conditionSentence,
  findCondition,
  formatConditionName,
  isConditionFile,
  isConditionName,
  parseCondition,
  requireCondition,
} from './registry.ts';
export { toolChanges } from './tool-changes.ts';
