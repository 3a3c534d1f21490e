/** Parts of this module that its tests use beyond its entry point. */

export { replay, type AppliedStep } from './environment.ts';
export { Overlay, type Tables } from './overlay.ts';
export { plainOf } from './packs/contents.schema.ts';
export { nameFewShotFile } from './packs/few-shots.ts';
export { findPackByRef, listPacks, resolvePack, shippedPackFolder } from './packs/find.ts';
export { sha256 } from './packs/manifest.ts';
export { renderUserSystemPrompt, toolsJson } from './packs/prompts.ts';
export { assemblePack, readPack, tasksOfSplit } from './packs/read.ts';
export { PackError, packKeyOf, type Pack } from './packs/types.ts';
export { inspectPack, verifyPack, type PackReport } from './packs/verify.ts';
export { manifestText, writePack } from './packs/write.ts';
export { fromRewardInfo, toRewardInfo } from './tau-bench/reward-info.ts';
export { readToml } from './tau3/content/toml.ts';
export { domains } from './tau3/domains.ts';
export { fromTau3Info, toGrade, toTau3Info } from './tau3/grade-parts.ts';
export {
  boolean,
  create,
  enumeration,
  float,
  integer,
  listOf,
  literal,
  model,
  oneOf,
  optional,
  withDefault,
  type Read,
} from './tau3/models.ts';
export { nlJudgePrompt, readNlVerdicts } from './tau3/nl-assertions.ts';
export {
  FIRST_AGENT_MESSAGE,
  agentSystemPrompt,
  scenarioText,
  telecomPolicy,
  userSystemPrompt,
} from './tau3/prompts.ts';
export { submissionOf } from './tau3/results/submission.ts';
export { tau2Tasks } from './tau3/results/tasks.ts';
export { tau2Results } from './tau3/results/write.ts';
export { FIRST_TURN, afterMessage, afterToolResults, isUserStop, type Turn } from './tau3/turns.ts';
