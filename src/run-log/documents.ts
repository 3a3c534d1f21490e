/** Small documents beside a run's records, `comparison.json` and `tasks.json`. */

import * as z from 'zod';
import type { UnfinishedWork, RegressionVerdict } from '../evaluation/index.ts';
import { formatVersion, jsonCodec, snakeKeys } from './codec.ts';

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

const comparisonSchema = z.object({
  formatVersion: formatVersion(1),
  verdict: verdict satisfies z.ZodType<RegressionVerdict>,
  sentence: z.string(),
  run: side,
  baseline: side.nullable(),
  errorsLeftOut: z.object({
    tasks: z.number(),
    delta: z.number().nullable(),
    interval: z.object({ low: z.number(), high: z.number(), level: z.number() }).nullable(),
  }),
  gates: z
    .array(
      z
        .object({ gate: z.string(), isPassed: z.boolean(), value: z.number().nullable(), sentence: z.string() })
        .readonly(),
    )
    .readonly()
    .optional(),
});

export type WrittenComparison = z.infer<typeof comparisonSchema>;

/** A comparison to write; the file has more fields than the program reads back. */
export type ComparisonToWrite = Omit<WrittenComparison, 'formatVersion'> & { readonly study?: object | null };

/** Method of the decision and the interval, for readers of the file alone. */
export const METHOD =
  'decided by a paired permutation test over tasks (signs of the differences) at 0.05; interval: paired bootstrap over ' +
  'tasks, 10000 resamples, bias-corrected and accelerated';

export function comparisonToJson(comparison: ComparisonToWrite): object {
  const gates = comparison.gates?.length === 0 ? undefined : comparison.gates;
  const study = comparison.study ?? undefined;
  return snakeKeys({ formatVersion: 1, method: METHOD, ...comparison, gates, study }) as object;
}

export const comparisonCodec = {
  read: jsonCodec(comparisonSchema).read,
  write: (comparison: ComparisonToWrite) => `${JSON.stringify(comparisonToJson(comparison), null, 2)}\n`,
};

const taskNotesSchema = z.object({
  formatVersion: formatVersion(1),
  env: z.string(),
  split: z.string(),
  pack: z.object({ name: z.string(), digest: z.string() }),
  /** Ids of the planned tasks that an agent solves without any action or message. */
  doNothing: z.array(z.number().int()),
  /** Share of `doNothing` among the planned tasks, in [0, 1]. */
  floor: z.number(),
  /** Share of the planned tasks for which the audit found no wrong ground truth, in [0, 1]. */
  ceiling: z.number(),
  /** Defects of the planned tasks, in the order of tasks; remarks are left out. */
  defects: z.array(
    z.object({
      taskId: z.number().int(),
      kind: z.string(),
      severity: z.enum(['wrong', 'suspicious']),
      sentence: z.string(),
    }),
  ),
  /** Displays of a few-shot agent, if known. */
  displays: z
    .object({
      total: z.number().int(),
      /** Tasks with displays about their own user or records, and the number of such displays. */
      own: z.array(z.object({ taskId: z.number().int(), count: z.number().int() })),
      /** True if these displays were left out. */
      leftOut: z.boolean(),
    })
    .optional(),
});

export type TaskNotes = z.infer<typeof taskNotesSchema>;
export type TaskDefect = TaskNotes['defects'][number];

export const taskNotesCodec = jsonCodec(taskNotesSchema);
