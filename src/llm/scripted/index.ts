/**
 * The scripted model: plays user and agent from the ground truth of domain packs, so that a harness can be proven
 * without a key. Its figures say nothing about any model.
 */

export { CARELESS_KINDS, type CarelessKind } from './careless.ts';
export { findCaseCode, formatCaseCode, packKeyOf, taskKeyOf, type CaseCode } from './case-code.ts';
export type { LoggedCall } from './call-log.ts';
export { FINGERPRINT } from './envelope.ts';
export { FAULT_KINDS, type CountedFault, type FaultKind, type FaultRates } from './faults.ts';
export type { Flaw, FlawKind, Script } from './flaws.ts';
export { judgeTask } from './judge.ts';
export { MODELS, readModelName, type ScriptedVariant, type Wording } from './model-name.ts';
export { ScriptedPlayer } from './player.ts';
export { startScriptedModel, ScriptedModelError, type ScriptedModel, type ScriptedModelOptions } from './server.ts';
export type { ScriptedStats } from './stats.ts';
