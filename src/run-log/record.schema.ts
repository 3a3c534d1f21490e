/**
 * Schema of an episode's record and its codec. Costs are in USD, durations in milliseconds. Fields are in the file's
 * order.
 */

import * as z from 'zod';
import { conditions as conditionsSchema } from '../evaluation/kinds.schema.ts';
import { continuationSchema, modelPriceSchema, modelSettingsSchema } from '../evaluation/model-settings.schema.ts';

import type { AgentErrorKind, CallRole } from '../agents/index.ts';
import { gradeFields } from '../benchmarks/results.ts';
import { USER_FAULT_KINDS, FAULT_KINDS, FAULT_TYPES, type UserFaultKind, type FaultKind } from '../analysis/index.ts';
import { formatVersion, losslessCodec } from './codec.ts';
import { dictSchema, floatSchema, withOwnKeys } from '../benchmarks/python/values.schema.ts';

const count = z.number().int().nonnegative();
const cost = floatSchema.nullable();

const actionSchema = z.object({
  name: z.string(),
  kwargs: dictSchema,
  /** `user` for a call of the user's own tools. */
  requestor: z.literal('user').optional(),
});

const taskSchema = z.object({
  userId: z.string(),
  actions: z.array(actionSchema),
  instruction: z.string(),
  outputs: z.array(z.string()),
  /** Name that an environment service gives the task. */
  name: z.string().optional(),
});

/** Schema of tau-bench's `RewardResult`. */
const rewardInfoSchema = withOwnKeys(
  z.object({
    reward: floatSchema,
    info: z.union([
      z.object({ r_actions: floatSchema, gt_data_hash: z.string() }),
      z.object({ r_outputs: floatSchema, outputs: dictSchema }),
    ]),
    actions: z.array(actionSchema),
  }),
);

const diagnosticsSchema = z.object({
  dataMatches: z.boolean(),
  numberSpellingOnly: z.boolean(),
  strictOutputs: z.boolean(),
  ...gradeFields,
});

const gradeSchema = z.union([
  z.object({ reward: floatSchema, rewardInfo: rewardInfoSchema, diagnostics: diagnosticsSchema }),
  z.object({ raised: z.string() }),
]);

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user_stop') }),
  z.object({ kind: z.literal('transferred') }),
  z.object({ kind: z.literal('max_steps') }),
  z.object({ kind: z.literal('agent_stop') }),
  z.object({ kind: z.literal('agent_error'), error: z.custom<AgentErrorKind>(isText), message: z.string() }),
  z.object({ kind: z.literal('infrastructure_error'), error: z.string(), message: z.string() }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('decision_only') }),
]);

const toolCallSchema = z.object({
  function: z.object({ arguments: z.string(), name: z.string() }),
  id: z.string(),
  type: z.literal('function'),
});

/** A message of the conversation, with the texts of all prompts. */
const trajectoryMessageSchema = withOwnKeys(
  z.discriminatedUnion('role', [
    z.object({ role: z.literal('system'), content: z.string() }),
    z.object({
      role: z.literal('user'),
      content: z.string(),
      /** Calls of the simulated user's own tools. */
      tool_calls: z.array(toolCallSchema).optional(),
    }),
    z.object({
      content: z.string().nullable(),
      role: z.literal('assistant'),
      /** Reasoning that the model wrote into its content; `content` no longer contains it. */
      reasoning_content: z.string().optional(),
      continuation: continuationSchema.optional(),
      tool_calls: z.array(toolCallSchema).optional(),
    }),
    z.object({
      role: z.literal('tool'),
      tool_call_id: z.string(),
      name: z.string(),
      content: z.string(),
      requestor: z.literal('user').optional(),
    }),
  ]),
);

const longReplySchema = z.object({
  part: z.enum(['content', 'tool arguments', 'tool calls', 'bytes']),
  size: count,
  limit: count,
  role: z.custom<CallRole>(isText),
  excerpt: z.string(),
});

const modelSchema = withOwnKeys(modelSettingsSchema.extend({ temperature: floatSchema.nullable() }));

const roleUsageSchema = z.object({
  role: z.custom<CallRole>(isText),
  calls: count,
  /** Number of calls that a response cache answered at no cost. */
  cachedCalls: count,
  extraAttempts: count,
  /** Number of completions that reached a token limit. */
  truncatedReplies: count,
  /** Fields that were left out of requests because the model refuses them; absent: none. */
  leftOut: z.array(z.string()).optional(),
  /** Repairs of unreadable replies; absent: none. */
  repairs: z.array(z.object({ what: z.string(), replies: count })).optional(),
  /** Models that answered the calls of an agent service; absent: unknown. */
  models: z.array(z.string()).optional(),
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  /** Tokens of the prompt that the provider wrote to its cache; absent: none. */
  cacheWriteTokens: count.optional(),
  reasoningTokens: count,
  costUsd: cost,
  /** Cost of the calls with a known price in USD; absent if every price is known. */
  knownCostUsd: z.number().optional(),
  lastCallCostUsd: cost,
  latencyMs: z.number(),
});

/** Options of strategies. Absent options had their defaults; the strategy's own options are stored unchanged. */
const strategyOptionsSchema = z.looseObject({
  omitPolicy: z.boolean(),
  useReasoning: z.boolean(),
  compat: z.array(z.string()).optional(),
  decisionOnly: z.boolean().optional(),
  agentFile: z.object({ digest: z.string() }).optional(),
});

/** Facts about a fork: its origin, and its differences from it. */
const forkSchema = z.object({
  /** Name of the fork: `fork-2`. */
  name: z.string(),
  origin: z.object({ workflowId: z.string(), workflowRunId: z.string() }),
  /** First new step, from 1. The metrics of the steps before it are the origin's. */
  atStep: count,
  /** Number of first steps that another strategy chose. */
  takenOver: count,
  corrections: z.array(z.object({ step: count, observation: z.string() })),
  changes: z.array(z.string()),
  /** Number of calls that got the origin's replies, which the usage excludes. */
  replayedCalls: count,
});

/** A difference of data. Values are JSON text, to preserve the spelling of numbers. */
export const differenceSchema = z.object({
  table: z.string(),
  id: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  step: count.nullable(),
  agent: z.string().nullable(),
  wanted: z.string().nullable(),
});

/** See `EpisodeAnalysis`. */
export const analysisSchema = z.object({
  faults: z.array(
    z.object({
      tool: z.string().nullable(),
      argument: z.string().nullable(),
      expected: z.string().nullable(),
      given: z.string().nullable(),
      kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind]),
      step: count.nullable(),
      sentence: z.string(),
      faultType: z.enum(FAULT_TYPES).nullable(),
    }),
  ),
  differences: z.array(differenceSchema),
  user: z.array(
    z.object({
      kind: z.enum(Object.keys(USER_FAULT_KINDS) as [UserFaultKind]),
      severity: z.enum(['suspect', 'remark']),
      step: count.nullable(),
      quote: z.string(),
      sentence: z.string(),
    }),
  ),
});

export const episodeRecordSchema = z.object({
  formatVersion: formatVersion(1),
  runId: z.string(),
  taskId: count,
  trial: count,
  /** Condition of the episode. @default `base` */
  condition: z.string().optional(),
  /** Number of earlier attempts with a suspect user, which are archived; absent: 0. */
  repeat: count.optional(),
  outcome: outcomeSchema,
  reward: floatSchema,
  /** Grade of the episode; null if it was not done, or if its grading threw. */
  rewardInfo: rewardInfoSchema.nullable(),
  /** Exception that the reference's grading raises for these actions. */
  gradeError: z.string().nullable(),
  /** Diagnostics beyond the benchmark's grade; null without a grade. */
  diagnostics: diagnosticsSchema.nullable(),
  /** Grade of an episode that ran out of steps, as if it had ended. */
  wouldBeGrade: gradeSchema.nullable(),
  config: z.object({
    env: z.string(),
    split: z.string(),
    pack: z.object({ name: z.string(), digest: z.string() }),
    strategy: z.string(),
    strategyOptions: strategyOptionsSchema,
    /** The agent's model; null if the agent called its own models. */
    agentModel: modelSchema.nullable(),
    /** Models by role; absent: the agent's model made all of the agent's calls. */
    roleModels: z.partialRecord(z.custom<CallRole>(isText), modelSchema).optional(),
    userStrategy: z.string(),
    userModel: modelSchema,
    judgeModel: modelSchema.optional(),
    /** Condition of the episode. @default `base` */
    conditions: conditionsSchema.optional(),
    /** Caps by role; absent: none was sent. */
    maxCompletionTokens: z.partialRecord(z.custom<CallRole>(isText), z.number().nullable()).optional(),
    maxSteps: count,
    seed: z.number().int(),
    /** Settings of a fork that may differ from its run's. */
    maxRetries: count.optional(),
    prices: z.array(modelPriceSchema).optional(),
  }),
  startedAt: z.string(),
  endedAt: z.string(),
  durationMs: z.number(),
  usage: z.array(roleUsageSchema),
  /** Cost of the episode in USD; null if any call's price is unknown. */
  totalCostUsd: cost,
  servedModels: z.array(z.string()),
  workflowId: z.string(),
  workflowRunId: z.string(),
  task: taskSchema,
  actions: z.array(actionSchema),
  steps: z.array(
    z.object({
      index: count,
      name: z.string(),
      changed: z.boolean(),
      /** Set if the episode's condition changed the call. */
      interference: z.enum(['refused', 'answer lost', 'delayed']).optional(),
      durationMs: z.number(),
      /** Time of the agent's model calls: from the end of the previous step to the start of this step. */
      thinkMs: z.number(),
      /** Number of the agent's model calls since the previous step. */
      calls: count,
      promptTokens: count,
      completionTokens: count,
      costUsd: cost,
    }),
  ),
  /** Counters of the strategy, by name. */
  counts: z.record(z.string(), z.number()),
  trajectory: z.array(trajectoryMessageSchema),
  /** Beginnings and ends of the first few replies that were too long. They are not in the trajectory. */
  longReplies: z.array(longReplySchema).optional(),
  /** Facts about a fork; absent for any other episode. */
  fork: forkSchema.optional(),
  /** The first few discarded attempts of an agent service: messages that are not in the trajectory. */
  abandoned: z
    .array(
      z.object({
        request: count,
        attempt: count,
        messages: z.array(trajectoryMessageSchema),
        diverged: z.string().optional(),
      }),
    )
    .optional(),
  /** Analysis of the episode; absent if the worker could not make one. */
  analysis: analysisSchema.optional(),
});

export const recordCodec = losslessCodec(episodeRecordSchema);

export type EpisodeRecord = z.infer<typeof episodeRecordSchema>;
export type TrajectoryMessage = z.infer<typeof trajectoryMessageSchema>;

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
