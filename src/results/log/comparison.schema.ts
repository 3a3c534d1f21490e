/** What is read of a `comparison.json` again; the file has more. */

import { z } from 'zod';
import type { UnfinishedWork, RegressionVerdict } from '../../wire/index.ts';

export const COMPARISON_FORMAT_VERSION = 1;

const verdict = z.enum(['first', 'regression', 'improvement', 'no_difference', 'incomparable', 'unfinished']);

const side = z.object({
  runId: z.string(),
  episodes: z.number(),
  averageReward: z.number().nullable(),
  passHat1: z.number().nullable(),
  costUsd: z.number().nullable(),
  unfinished: z.object({
    infrastructureErrors: z.number(),
    cancelled: z.number(),
    missing: z.number(),
  }) satisfies z.ZodType<UnfinishedWork>,
});

export const comparisonSchema = z.object({
  formatVersion: z.literal(COMPARISON_FORMAT_VERSION),
  verdict: verdict satisfies z.ZodType<RegressionVerdict>,
  sentence: z.string(),
  run: side,
  baseline: side.nullable(),
  errorsLeftOut: z.object({
    tasks: z.number(),
    delta: z.number().nullable(),
    interval: z.object({ low: z.number(), high: z.number(), level: z.number() }).nullable(),
  }),
});

export type WrittenComparison = z.infer<typeof comparisonSchema>;
