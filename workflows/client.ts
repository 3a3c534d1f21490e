/** Interface of the workflows for clients: messages, search attributes and options; only types of the functions. */

export type { episode } from './episode.ts';
export type { errors } from './judge.ts';
export {
  answer,
  callAnswered,
  callHeld,
  conversation,
  errorsProgress,
  extend,
  halted,
  observe,
  openAction,
  pause,
  progress,
  resume,
  retry,
  setLimits,
} from './messages.ts';
export type { scheduledRun } from './scheduled-run.ts';
export {
  TauCostUsd,
  TauDelta,
  TauEnv,
  TauModel,
  TauOrigin,
  TauOutcome,
  TauReward,
  TauStrategy,
  TauVerdict,
  TemporalScheduledStartTime,
  attributeKeysOf,
  forkAttributes,
  searchAttributeKeys,
  sweepOptions,
} from './visibility.ts';
export type { sweep } from './sweep.ts';
