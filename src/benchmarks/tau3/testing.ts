/** Parts of τ³-bench that tests use beyond its entry point. */

export { makeCall, type Tau3Call } from './call.ts';
export { readToml } from './content/toml.ts';
export { findTool, toolMap, type Tau3Domain } from './domain.ts';
export { domains } from './domains.ts';
export { fromTau3Info, toGrade, toTau3Info } from './grade-parts.ts';
export {
  boolean,
  create,
  enumeration,
  float,
  integer,
  readEach,
  literal,
  model,
  readFirst,
  optional,
  withDefault,
  type Read,
} from './models.ts';
export { nlJudgePrompt, readNlVerdicts } from './nl-assertions.ts';
export { FIRST_AGENT_MESSAGE, agentSystemPrompt, scenarioText, telecomPolicy, userSystemPrompt } from './prompts.ts';
export type { SubmittedRun } from '../results-format.ts';
export { checkSubmission } from './results/preflight.ts';
export { createSubmission } from './results/submission.ts';
export { tau2Tasks } from './results/tasks.ts';
export { tau2Results } from './results/write.ts';
export { databaseText } from './state.ts';
export { readTool, userWriteTool, writeTool } from './tool.ts';
export { FIRST_TURN, afterMessage, afterToolResults, isUserStop, type TurnState } from './turns.ts';
