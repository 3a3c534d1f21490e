/** Schemas of τ³-bench's parts of a grade in records. */

import * as z from 'zod';
import type { Tau3Parts } from '../grade-parts.ts';

const checksSchema = z.object({ reward: z.literal([0, 1]), met: z.array(z.boolean()).readonly() });

const partsSchema = z.object({
  checks: z
    .object({
      basis: z.array(z.enum(['DB', 'ENV_ASSERTION', 'COMMUNICATE', 'ACTION', 'NL_ASSERTION'])).readonly(),
      db: z.boolean(),
      envAssertions: checksSchema,
      actions: checksSchema,
      communicate: checksSchema,
      nlAssertions: checksSchema.optional(),
    })
    .nullable(),
  unjudged: z.array(z.string()).readonly().optional(),
  verdicts: z
    .array(z.object({ assertion: z.string(), met: z.boolean(), reason: z.string() }))
    .readonly()
    .optional(),
  judgeProblem: z.string().optional(),
}) satisfies z.ZodType<Tau3Parts>;

/** Fields of a recorded grade beside tau-bench's. */
export const gradeFields = { tau3: partsSchema.optional() };
