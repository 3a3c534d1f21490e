/** Recorded episodes of the benchmarks: results files, the steps and the grades in them, and grading them again. */

export {
  resultsEntrySchema,
  rewardInfoSchema,
  type ResultsFileEntry,
  type ResultsFileMessage,
} from './tau-bench/results/entry.schema.ts';
export {
  LOG_NOTE,
  detectForm,
  detectTrajectoryForm,
  isStoppedByUser,
  recordedSteps,
  type RecordedStep,
  type Recording,
  type RecordingForm,
} from './recording.ts';
export { isGradedEnding, type RegradeDeps, type Regraded } from './regrading.ts';
export { changedFields, sameActions } from './tau-bench/regrade.ts';
export { gradeFields } from './tau3/results/parts.schema.ts';
export { findEnd } from './tau3/termination.ts';
