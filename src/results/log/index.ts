export { episodeOfEntry, episodeOfRecord } from './analyzed-episode.ts';
export { METHOD, comparisonToJson, type WrittenComparison } from './comparison-json.ts';
export { readDocument, writeDocument } from './document.ts';
export { ResultsError, ResultsProblem, describeSystemError, systemErrorCode } from './errors.ts';
export { buildFork, repliesInRecord } from './fork-input.ts';
export { LogFiles, orTell, unlessDamaged } from './log-files.ts';
export { endedManifest, missingEpisodes, openRun, planOrder, type RunEnding, type RunFacts } from './open-run.ts';
export { byTrialThenTask, episodeFileName, resolveLogDir, runPaths } from './paths.ts';
export { snakeKeys, toPlain, withFloats } from './plain.ts';
export { summarizeRecord } from './record-summary.ts';
export { taskSchema } from './record.schema.ts';
export { buildEpisodeRecord, describeMismatch, recordedAnalysis, type EpisodeRecord } from './record.ts';
export {
  rowAnalysis,
  rowOfEntry,
  rowOfRecord,
  type EpisodeRow,
  type RoleFigures,
  type RowAnalysis,
  type RowOutcome,
} from './rows.ts';
export { MAX_RUN_ID_BYTES, checkRunId, makeRunId } from './run-id.ts';
export { RunLog } from './run-log.ts';
export type { RunStatus } from './run-manifest.schema.ts';
export { runDifferences, settingsOf, type RunIdentity, type RunManifest } from './run-manifest.ts';
export {
  LOG_NOTE,
  detectForm,
  detectTrajectoryForm,
  recordedSteps,
  type RecordedStep,
  type RecordedSteps,
  type RecordingForm,
} from './steps.ts';
export type { TaskDefect, TaskNotes } from './task-notes.schema.ts';
export { variantsOf } from './variants.ts';
