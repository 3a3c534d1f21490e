/**
 * Settings of a model as one value. Flags and config files set it per side and per role; the configuration, the
 * request, the record, the response cache's key and the comparison of runs contain the whole value.
 *
 * Settings have the names of the chat completions API, in documents too. An absent setting is not sent, so that
 * configurations from before a setting existed stay the same.
 */

import * as z from 'zod';

const word = z.string({ error: 'must be a text' }).min(1, 'must not be empty');
const tokens = z.int({ error: 'must be a whole number' }).min(1, 'must be at least 1');

/** The form of API in which a model is called. */
const wireSchema = z.enum(['chat', 'responses', 'messages'], { error: 'must be chat, responses or messages' });

/** Data that is returned unchanged to the provider: see `Continuation`. Not in results files. */
export const continuationSchema = z.object({
  provider: z.string(),
  model: z.string(),
  wire: wireSchema,
  data: z.string(),
});

export const modelSettingsSchema = z.object({
  /** A provider's name, such as `openai` or `scripted`. */
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  /** Sampling temperature; null leaves the provider's default. */
  temperature: z.number().nullable(),
  /**
   * The model's own seed, the same in every episode; absent: the episode's seed, which derives from the run's `seed`.
   */
  seed: z.int({ error: 'must be a whole number' }).optional(),
  top_p: z.number({ error: 'must be a number' }).min(0, 'must be at least 0').max(1, 'must be at most 1').optional(),
  /** Reasoning effort: `low`, `medium`, `high`, or another value that the model accepts. */
  reasoning_effort: z.string({ error: 'must be a text' }).optional(),
  /** API form of the model's calls. @default chat completions */
  wire: wireSchema.optional(),
  /** Fields that are merged into the request's body unchanged. */
  extra_body: z.record(z.string(), z.unknown(), { error: 'must be an object' }).optional(),
});

/** A model in the JSON of `--role-models`. */
export const givenModelSchema = z.strictObject(
  {
    ...modelSettingsSchema.partial().shape,
    provider: word.optional(),
    model: word.optional(),
    temperature: z.number({ error: 'must be a number' }).min(0, 'must be at least 0').nullable().optional(),
    // The cap is kept by role, not with the model: see `EvaluationConfig`.
    max_completion_tokens: tokens.nullable().optional(),
  },
  { error: 'must be an object' },
);

/** Settings in the JSON of `--model-settings` and similar flags; some also have their own flag. */
export const givenSettingsSchema = givenModelSchema.omit({ provider: true, model: true });

export type ModelSettings = Readonly<z.output<typeof modelSettingsSchema>>;
export type GivenModel = z.output<typeof givenModelSchema>;

/** Agreed price of a model, in USD per million tokens. */
export const modelPriceSchema = z.object({
  provider: z.string(),
  model: z.string(),
  input: z.number(),
  /** Price of prompt tokens that the provider read from its cache. @default as `input` */
  cachedInput: z.number().optional(),
  /** Price of prompt tokens that the provider wrote to its cache. @default as `input` */
  cacheWrite: z.number().optional(),
  /** Price of output tokens, reasoning included. */
  output: z.number(),
});

export type ModelPrice = Readonly<z.output<typeof modelPriceSchema>>;
