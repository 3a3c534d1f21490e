export {
  connect,
  readConfiguration,
  watchLocalServer,
  type ConnectOptions,
  type TemporalConnection,
} from './connection.ts';
export {
  endOfEpisode,
  fetchConversation,
  listHumanRuns,
  openEpisodeNames,
  readHumanRun,
  type HumanRun,
} from './conversations.ts';
export { currentBuild, makeCurrent } from './deployments.ts';
export { openForks, readReplies, startFork, type ForkHandle } from './forks.ts';
export { fetchErrorsProgress, judgeText, judgeUnderWay, startErrors, type ErrorsHandle } from './judging.ts';
export { findNewerSweep } from './newer-sweeps.ts';
export { alertOf, listSeenNights, type SeenNight } from './nights.ts';
export { requireKeysOfOpenSweeps } from './open-sweeps.ts';
export { describePace, findPaces, limitHint, shortPace, type ProviderPace } from './paces.ts';
export {
  findPollers,
  isListenedTo,
  silenceReason,
  startWorkerCommand,
  waitingReason,
  type QueuePollers,
} from './pollers.ts';
export { readRateLimit, setRateLimits, type LimitChange, type RateLimits } from './rate-limits.ts';
export { reclaimFromDeadWorkers, workUnderWay } from './reclaim.ts';
export {
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  putSchedule,
  readSchedule,
  triggerSchedule,
  unpauseSchedule,
  type NightlySchedule,
  type ScheduleState,
} from './schedules.ts';
export { ensureSearchAttributes } from './search-attributes.ts';
export { readSteering } from './steering-history.ts';
export { requestUpdate } from './steering.ts';
export { CANCELLED_PATIENCE, PATIENCE, blamedFor, endIfStuck, readLostEpisode } from './stuck-episodes.ts';
export { readQueues, readSweepInput } from './sweep-input.ts';
export {
  fetchProgress,
  isCancelRequested,
  startSweep,
  stuckReason,
  workflowStatus,
  type StartedSweep,
  type SweepHandle,
} from './sweeps.ts';
export { findUiUrl } from './ui-url.ts';
export {
  countExecutions,
  listEpisodes,
  listSweeps,
  openEpisodes,
  seeSweep,
  type ExecutionCounts,
  type SeenEpisode,
  type SeenSweep,
  type SweepFilter,
} from './visibility.ts';
