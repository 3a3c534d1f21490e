/** The shape of `run.json`, in the program's spelling; the file has the same names in snake_case. */

import { z } from 'zod';

import type { CallRole, StrategyOptions } from '../../agents/index.ts';
import { RUN_ENDS, type EvaluationConfig, type SweepPlan } from '../../wire/index.ts';

export const MANIFEST_FORMAT_VERSION = 1;

const modelSchema = z.object({ provider: z.string(), model: z.string(), temperature: z.number().nullable() });

/** What is absent is at its default, so that runs of before a setting existed have the same configuration. */
const strategyOptionsSchema = z.object({
  omitPolicy: z.boolean(),
  useReasoning: z.boolean(),
  compat: z.array(z.string()).readonly().exactOptional(),
  decisionOnly: z.boolean().exactOptional(),
  toolNames: z.record(z.string(), z.string()).readonly().exactOptional(),
  parameterTries: z.number().int().positive().exactOptional(),
  intentRanker: z.enum(['lexical', 'llm']).exactOptional(),
  fewShots: z
    .object({
      file: z.object({ path: z.string(), digest: z.string() }).exactOptional(),
      leaveOut: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  agentFile: z.object({ path: z.string(), digest: z.string() }).exactOptional(),
}) satisfies z.ZodType<StrategyOptions>;

const configSchema = z.object({
  env: z.string(),
  split: z.string(),
  pack: z.object({ name: z.string(), digest: z.string(), path: z.string() }),
  strategy: z.string(),
  strategyOptions: strategyOptionsSchema,
  agentModel: modelSchema,
  roleModels: z.partialRecord(z.custom<CallRole>(isText), modelSchema).readonly().exactOptional(),
  userStrategy: z.string(),
  userModel: modelSchema,
  maxSteps: z.number().int(),
  seed: z.number().int(),
  maxRetries: z.number().int(),
  callTimeoutMs: z.number().exactOptional(),
  outageTimeoutMs: z.number().exactOptional(),
  heartbeatTimeoutMs: z.number().exactOptional(),
  episodeTimeoutMs: z.number(),
  maxCompletionTokens: z
    .partialRecord(z.custom<CallRole>(isText), z.number().int().nullable())
    .readonly()
    .exactOptional(),
  replyLimits: z.object({ contentChars: z.number().int(), toolArgumentChars: z.number().int() }).exactOptional(),
  prices: z
    .array(
      z.object({
        provider: z.string(),
        model: z.string(),
        input: z.number(),
        cachedInput: z.number().exactOptional(),
        output: z.number(),
      }),
    )
    .readonly()
    .exactOptional(),
  responseCache: z.string().exactOptional(),
}) satisfies z.ZodType<EvaluationConfig>;

const planSchema = z.object({
  taskIds: z.array(z.number().int().nonnegative()),
  numTrials: z.number().int().positive(),
  shuffle: z.boolean(),
}) satisfies z.ZodType<SweepPlan>;

/** Where a provider's calls went: a base URL without a query, or the pack that the scripted model played. */
const endpointSchema = z.object({ provider: z.string(), address: z.string() });
export type RunEndpoint = z.infer<typeof endpointSchema>;

export const runManifestSchema = z.object({
  formatVersion: z.literal(MANIFEST_FORMAT_VERSION),
  runId: z.string(),
  status: z.enum(['running', ...RUN_ENDS]),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  /** null while the run goes on. */
  endedAt: z.string().nullable(),
  /** The strategy's name on a leaderboard, such as `TC`. */
  label: z.string(),
  config: configSchema,
  plan: planSchema,
  maxConcurrency: z.number().int(),
  /** USD. */
  maxCostUsd: z.number().nullable(),
  /** Versions of the program, of Node and of the Temporal SDK, by name. */
  versions: z.record(z.string(), z.string()),
  /** Where the run is to be found in Temporal; null when that is not known. */
  temporal: z.object({ address: z.string(), namespace: z.string(), workflowId: z.string() }).nullable(),
  /** What a reader of the figures has to know, one sentence each. */
  notes: z.array(z.string()),
  /** More than one of a provider where the run was resumed with another address. Absent: not known. */
  endpoints: z.array(endpointSchema).exactOptional(),
});

export type RunManifest = z.infer<typeof runManifestSchema>;
export type RunStatus = RunManifest['status'];

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
