/** Parts of this module that its tests use beyond its entry point. */

export { effectiveActions, isRead, judgeTask, type Flaw, type FlawKind, type Script } from './flaws.ts';
export { RequestProblem } from './problem.ts';
export { countTokens, type ScriptedReply } from './reply.ts';
export { MODELS, readModelName } from './responder.ts';
export {
  followProgress,
  noteMove,
  readCycles,
  type PromptAttempt,
  type SeenCycle,
} from './roles/fastworkflow/prompt.ts';
export { rankCommands, readStatement } from './roles/fastworkflow/statement.ts';
export { chooseManner, wordCommand, type Manner } from './roles/fastworkflow/wording.ts';
export { openingLine, userReply, type Move } from './script.ts';
