/** The shape of a judge's verdict on one failed episode, as `errors/task-<id>.trial-<n>.json` has it. */

import { z } from 'zod';

import { FAULT_TYPES } from '../../analysis/types.ts';

/** Whose fault; `infrastructure` where no model was asked, because the episode ended in an error. */
export const AUTHORS = ['user', 'agent', 'environment', 'infrastructure'] as const;

export const verdictSchema = z.object({
  formatVersion: z.literal(1),
  runId: z.string(),
  taskId: z.number().int().nonnegative(),
  trial: z.number().int().nonnegative(),
  /** Position in the results file, where it was read from one. */
  index: z.number().int().nonnegative().nullable(),
  author: z.enum(AUTHORS),
  /** Why, in the judge's words. */
  description: z.string(),
  /** Words of the conversation that the verdict rests on, each found in it to the letter. */
  quotes: z.array(z.string()),
  /** null unless the agent is the author. */
  faultType: z.enum(FAULT_TYPES).nullable(),
  faultDescription: z.string().nullable(),
  faultQuotes: z.array(z.string()),
  /** What the analysis without a model says; null where there is none. */
  deterministic: z
    .object({ kind: z.string(), faultType: z.enum(FAULT_TYPES).nullable(), step: z.number().int().nullable() })
    .nullable(),
  model: z.object({ provider: z.string(), model: z.string(), temperature: z.number().nullable() }).nullable(),
  calls: z.number().int().nonnegative(),
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  /** USD; null when the price is unknown. */
  costUsd: z.number().nullable(),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type Author = Verdict['author'];
