/** The shape of a judge's verdict on one failed episode, as `errors/task-<id>.trial-<n>.json` has it. */

import { z } from 'zod';

import { FAULT_KINDS, FAULT_TYPES, type FaultKind } from '../../analysis/index.ts';

/**
 * Whose fault: `infrastructure` where no model was asked, because the episode ended in an error; `unjudged` where the
 * judge gave no answer that can be read.
 */
export const AUTHORS = ['user', 'agent', 'environment', 'infrastructure', 'unjudged'] as const;

const count = z.number().int().nonnegative();

export const verdictSchema = z.object({
  formatVersion: z.literal(1),
  runId: z.string(),
  taskId: count,
  trial: count,
  /** Position in the results file, where it was read from one. */
  index: count.nullable(),
  author: z.enum(AUTHORS),
  /** Why, in the judge's words. */
  description: z.string(),
  /** Words of the conversation that the verdict rests on, each found in it to the letter. */
  quotes: z.array(z.string()),
  /** null unless the agent is the author, and where the judge's second answer cannot be read. */
  faultType: z.enum(FAULT_TYPES).nullable(),
  faultDescription: z.string().nullable(),
  faultQuotes: z.array(z.string()),
  /** What the judge put in quotes and nobody has said: left out. */
  unfoundQuotes: count.default(0),
  /** Why something of the verdict is missing; null where nothing is. */
  problem: z.string().nullable().default(null),
  /** What the analysis without a model says; null where there is none. */
  deterministic: z
    .object({
      kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind]),
      faultType: z.enum(FAULT_TYPES).nullable(),
      step: count.nullable(),
    })
    .nullable(),
  /** Who judged; null where no model was asked. */
  model: z.object({ provider: z.string(), model: z.string(), temperature: z.number().nullable() }).nullable(),
  /** Of what the judge was shown: an episode that has run again is another one. */
  episodeDigest: z.string().default(''),
  /** Of the judge's prompts: verdicts of another wording are given anew. */
  promptVersion: count.default(0),
  calls: count,
  promptTokens: count,
  completionTokens: count,
  /** USD; null when the price is unknown. */
  costUsd: z.number().nullable(),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type Author = Verdict['author'];
