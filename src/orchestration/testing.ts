/** Parts of this module that its tests use beyond its entry point. */

export { toSeenFailure, sweepDetails } from './display.ts';
export { judgeEpisode, type JudgePorts } from './judge-episode.ts';
export type { GivenVerdict } from './judge-monitor.ts';
export { PlanWalk } from './plan-walk.ts';
export { HOLD_MS, PROVIDER_STATES, holdMs, refusalsToHalt } from './provider-state.ts';
export { withoutEpisodes } from './sweep-monitor.ts';
export { splitWindow } from './split-window.ts';
export { timeToNextLook, type Look } from './stuck-watch.ts';
