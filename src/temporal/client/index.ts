/** The client side of Temporal: the connection, and operations on sweeps, episodes, schedules and queues. */

export { askEpisode, passCall } from './agent-calls.ts';
export {
  connect,
  findUiUrl,
  readConfiguration,
  watchLocalServer,
  type ConnectOptions,
  type TemporalConnection,
} from './connection.ts';
export {
  endOfEpisode,
  fetchConversation,
  fetchOpenAction,
  listHumanRuns,
  openEpisodeNames,
  readHumanRun,
  readSteering,
  requestUpdate,
  type HumanRun,
} from './steering.ts';
export {
  currentBuild,
  findPollers,
  isListenedTo,
  makeCurrent,
  reclaimFromDeadWorkers,
  silenceReason,
  waitingReason,
  workUnderWay,
  type QueuePollers,
} from './workers.ts';
export { openForks, readReplies, startFork, type ForkHandle } from './forks.ts';
export { fetchErrorsProgress, judgeText, judgeUnderWay, startErrors, type ErrorsHandle } from './sweeps.ts';
export {
  findNewerSweep,
  readRateLimit,
  requireKeysOfOpenSweeps,
  setRateLimits,
  type LimitChange,
  type RateLimits,
} from './task-queues.ts';
export {
  readAlert,
  deleteSchedule,
  listSchedules,
  listSeenScheduledRuns,
  pauseSchedule,
  putSchedule,
  readSchedule,
  triggerSchedule,
  unpauseSchedule,
  type RunSchedule,
  type ScheduleState,
  type SeenScheduledRun,
} from './schedules.ts';
export { describePace, findPaces, limitHint, shortPace, type ProviderPace } from './paces.ts';
export { endIfStuck, endStuckChildren, readLostEpisode } from './stuck-episodes.ts';
export { findEarlier, readEarlierCalls, type EarlierCalls } from './earlier-calls.ts';
export {
  countExecutions,
  ensureSearchAttributes,
  listEpisodes,
  listSweeps,
  openEpisodes,
  seeSweep,
  type ExecutionCounts,
  type SeenEpisode,
  type SeenSweep,
  type SweepFilter,
} from './visibility.ts';
export {
  attachSweep,
  fetchProgress,
  isCancelRequested,
  readQueues,
  readSweepInput,
  startSweep,
  leftWorkReason,
  stuckReason,
  workflowStatus,
  type StartedSweep,
  type SweepHandle,
} from './sweeps.ts';
