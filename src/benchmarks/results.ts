/** Recorded episodes of the benchmarks: results files, the steps and the grades in them, and grading them again. */

import { partsField } from './service/parts.schema.ts';
import { gradeFields as tau3Fields } from './tau3/results/parts.schema.ts';

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
export { isGradedEnding, type RegradeDeps, type RegradeResult } from './regrading.ts';
export { changedFields, sameActions } from './tau-bench/regrade.ts';
export { findEnd } from './tau3/termination.ts';

/** Fields of a recorded grade beside tau-bench's. */
export const gradeFields = { ...tau3Fields, ...partsField };
