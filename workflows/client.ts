export { answer, conversation } from './chat.ts';
export type { episode } from './episode.ts';
export type { errors } from './errors.ts';
export { HeldCalls } from './held-calls.ts';
export {
  callAnswered,
  callHeld,
  errorsProgress,
  extend,
  halted,
  pause,
  progress,
  resume,
  retry,
  setConcurrency,
  setLimits,
} from './messages.ts';
export type { nightly } from './nightly.ts';
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
  forkAttributes,
  searchAttributeKeys,
} from './search-attributes.ts';
export { sweepOptions } from './sweep-options.ts';
export type { sweep } from './sweep.ts';
