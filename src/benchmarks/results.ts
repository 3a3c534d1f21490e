/** Recorded grades and results files of the benchmarks, read and written. */

import { tau3PartsSchema } from './tau3/results/parts.schema.ts';

export {
  resultsEntrySchema,
  rewardInfoSchema,
  type ResultsFileEntry,
  type ResultsFileMessage,
} from './tau-bench/results/entry.schema.ts';

/** Fields that a single benchmark adds to a recorded grade. */
export const gradeFields = { tau3: tau3PartsSchema.optional() };
