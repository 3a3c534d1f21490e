/** The shape of an episode's record on disk. Field names are the file's own; costs are USD, durations milliseconds. */

import { z } from 'zod';

import type { AgentErrorKind, CallRole } from '../../agents/index.ts';
import { CUSTOMER_KINDS, FAULT_KINDS, FAULT_TYPES, type CustomerKind, type FaultKind } from '../../analysis/index.ts';
import type { PyDict } from '../../benchmark/python/index.ts';

/** Raised when a record's shape changes in a way that older readers would misread. */
export const RECORD_FORMAT_VERSION = 1;

const dict = z.custom<PyDict>((value) => value instanceof Map, 'must be an object');
const count = z.number().int().nonnegative();
const cost = z.number().nullable();

export const actionSchema = z.object({ name: z.string(), kwargs: dict });

export const taskSchema = z.object({
  user_id: z.string(),
  actions: z.array(actionSchema),
  instruction: z.string(),
  outputs: z.array(z.string()),
});

/** tau-bench's `RewardResult`. */
export const rewardInfoSchema = z.object({
  reward: z.number(),
  info: z.union([
    z.object({ r_actions: z.number(), gt_data_hash: z.string() }),
    z.object({ r_outputs: z.number(), outputs: dict }),
  ]),
  actions: z.array(actionSchema),
});

const diagnosticsSchema = z.object({
  data_matches: z.boolean(),
  number_spelling_only: z.boolean(),
  strict_outputs: z.boolean(),
});

const gradeSchema = z.union([
  z.object({ reward: z.number(), reward_info: rewardInfoSchema, diagnostics: diagnosticsSchema }),
  z.object({ raised: z.string() }),
]);

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user_stop') }),
  z.object({ kind: z.literal('transferred') }),
  z.object({ kind: z.literal('max_steps') }),
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

/** A message as the results file shows it: every prompt written out. */
export const trajectoryMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    content: z.string().nullable(),
    role: z.literal('assistant'),
    tool_calls: z.array(toolCallSchema).exactOptional(),
    /** Reasoning that the model wrote into its content; `content` is without it. */
    reasoning_content: z.string().exactOptional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), name: z.string(), content: z.string() }),
]);

const longReplySchema = z.object({
  role: z.custom<CallRole>(isText),
  part: z.enum(['content', 'tool arguments', 'tool calls', 'bytes']),
  size: count,
  limit: count,
  excerpt: z.string(),
});

const modelSchema = z.object({ provider: z.string(), model: z.string(), temperature: z.number().nullable() });

const roleUsageSchema = z.object({
  role: z.custom<CallRole>(isText),
  calls: count,
  /** Of these, answered by a response cache at no cost. */
  cached_calls: count.default(0),
  extra_attempts: count,
  /** Completions that reached a limit on tokens. */
  truncated_replies: count.default(0),
  prompt_tokens: count,
  completion_tokens: count,
  cached_tokens: count,
  reasoning_tokens: count,
  cost_usd: cost,
  last_call_cost_usd: cost,
  latency_ms: z.number(),
});

/** What is absent was at its default. Options of the strategy's own are kept as they are. */
const strategyOptionsSchema = z.looseObject({
  omit_policy: z.boolean(),
  use_reasoning: z.boolean(),
  compat: z.array(z.string()).exactOptional(),
  decision_only: z.boolean().exactOptional(),
  agent_file: z.object({ digest: z.string() }).exactOptional(),
});

/** What a fork kept of its origin, and what is another. */
const forkSchema = z.object({
  /** `fork-2` */
  name: z.string(),
  origin: z.object({ workflow_id: z.string(), workflow_run_id: z.string() }),
  /** The first step that was taken anew, 1-based. The metrics of the steps before it are the origin's. */
  at_step: count,
  /** How many of the first steps another strategy had chosen. */
  taken_over: count,
  corrections: z.array(z.object({ step: count, observation: z.string() })),
  changes: z.array(z.string()),
  /** Calls that were answered with the origin's replies: not in the usage. */
  replayed_calls: count,
});

/** Values are JSON as text, so that numbers keep their spelling. */
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
      kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind]),
      fault_type: z.enum(FAULT_TYPES).nullable(),
      step: count.nullable(),
      tool: z.string().nullable(),
      argument: z.string().nullable(),
      expected: z.string().nullable(),
      given: z.string().nullable(),
      sentence: z.string(),
    }),
  ),
  differences: z.array(differenceSchema),
  customer: z.array(
    z.object({
      kind: z.enum(Object.keys(CUSTOMER_KINDS) as [CustomerKind]),
      severity: z.enum(['suspect', 'remark']),
      step: count.nullable(),
      quote: z.string(),
      sentence: z.string(),
    }),
  ),
});

export const episodeRecordSchema = z.object({
  format_version: z.literal(RECORD_FORMAT_VERSION),
  run_id: z.string(),
  task_id: count,
  trial: count,
  outcome: outcomeSchema,
  reward: z.number(),
  /** null when the episode was not done, or its grading raised. */
  reward_info: rewardInfoSchema.nullable(),
  /** The reference's grading raises for these actions. */
  grade_error: z.string().nullable(),
  /** Beside the benchmark's verdict; null where there is no verdict. */
  diagnostics: diagnosticsSchema.nullable(),
  /** What an episode that was out of steps would have been graded. */
  would_be_grade: gradeSchema.nullable(),
  config: z.object({
    env: z.string(),
    split: z.string(),
    pack: z.object({ name: z.string(), digest: z.string() }),
    strategy: z.string(),
    strategy_options: strategyOptionsSchema,
    agent_model: modelSchema,
    /** By role; absent: the agent's model made all of the agent's calls. */
    role_models: z.record(z.string(), modelSchema).exactOptional(),
    user_strategy: z.string(),
    user_model: modelSchema,
    /** By role; absent: no cap was sent. */
    max_completion_tokens: z.record(z.string(), z.number().nullable()).exactOptional(),
    max_steps: count,
    seed: z.number().int(),
    /** Of forks, whose run has its own: what may be another than the run's. */
    max_retries: count.exactOptional(),
    prices: z
      .array(
        z.object({
          provider: z.string(),
          model: z.string(),
          input: z.number(),
          cached_input: z.number().exactOptional(),
          output: z.number(),
        }),
      )
      .exactOptional(),
  }),
  started_at: z.string(),
  ended_at: z.string(),
  duration_ms: z.number(),
  usage: z.array(roleUsageSchema),
  /** null as soon as one call's price is unknown. */
  total_cost_usd: cost,
  served_models: z.array(z.string()),
  workflow_id: z.string(),
  workflow_run_id: z.string(),
  task: taskSchema,
  actions: z.array(actionSchema),
  steps: z.array(
    z.object({
      index: count,
      name: z.string(),
      changed: z.boolean(),
      duration_ms: z.number(),
      /** From the end of the step before until the step began: the agent's model calls. Absent in older records. */
      think_ms: z.number().exactOptional(),
      /** The agent's model calls since the step before. */
      calls: count,
      prompt_tokens: count,
      completion_tokens: count,
      cost_usd: cost,
    }),
  ),
  /** What the strategy counted. */
  counts: z.record(z.string(), z.number()),
  trajectory: z.array(trajectoryMessageSchema),
  /** Replies that were too long to be used, the first few: beginning and end. No part of the trajectory. */
  long_replies: z.array(longReplySchema).exactOptional(),
  /** Absent in an episode that began at its beginning. */
  fork: forkSchema.exactOptional(),
  /** Absent in records of before there was any, and where the worker could not make one. */
  analysis: analysisSchema.exactOptional(),
});

export type EpisodeRecord = z.infer<typeof episodeRecordSchema>;
export type RecordedAnalysis = z.infer<typeof analysisSchema>;
export type RecordedFork = z.infer<typeof forkSchema>;
export type RecordedTask = z.infer<typeof taskSchema>;
export type RecordedRewardInfo = z.infer<typeof rewardInfoSchema>;
export type RecordedGrade = z.infer<typeof gradeSchema>;
export type TrajectoryMessage = z.infer<typeof trajectoryMessageSchema>;

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
