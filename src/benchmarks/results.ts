/** Recorded grades and results files of the benchmarks, read and written. */

import { tau3PartsSchema } from './tau3/results/parts.schema.ts';

export {
  resultsEntrySchema,
  rewardInfoSchema,
  type ResultsFileEntry,
  type ResultsFileMessage,
} from './tau-bench/results/entry.schema.ts';

/** Fields of recorded grades that one benchmark has, beside those that all have. */
export const gradeFields = { tau3: tau3PartsSchema.exactOptional() };
