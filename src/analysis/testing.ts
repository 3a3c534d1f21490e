/** Parts of this module that its tests use beyond its entry point. */

export { findUserFaults } from './analyze.ts';
export { attributeFailure } from './attribution/attribute.ts';
export { isWrite, replayCalls, replayGroundTruth } from './attribution/calls.ts';
export { claimPattern, claimingClauses, partClaims } from './attribution/claims.ts';
export { applyEdits, findRepair, matchCalls } from './attribution/repair.ts';
export type { JudgedLine, TwoOpinions } from './judge.ts';
export type { AnalyzedStep } from './types.ts';
export { containsPhrase } from './user/conversation.ts';
