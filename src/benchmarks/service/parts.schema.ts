/** Schema of the parts of a grade in records. */

import * as z from 'zod';
import type { GradePart } from '../grade.ts';

const check = z.object({ wanted: z.string().nullable(), isMet: z.boolean().nullable(), reason: z.string().optional() });
const part = { counts: z.boolean(), checks: z.array(check).readonly() };

/** Fields of a recorded grade of an environment service beside tau-bench's. */
export const partsField = {
  parts: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('data'), ...part, numberSpellingOnly: z.boolean() }),
        z.object({ kind: z.literal('outputs'), ...part, areWords: z.boolean() }),
        z.object({ kind: z.literal('sentences'), ...part, problem: z.string().optional() }),
        z.object({ kind: z.literal(['calls', 'assertions']), ...part }),
      ]) satisfies z.ZodType<GradePart>,
    )
    .readonly()
    .optional(),
};
