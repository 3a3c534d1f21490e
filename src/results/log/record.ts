/**
 * An episode's full record: all that is known of it, in one file that needs neither Temporal nor the pack to be read.
 *
 * Pure: the same input gives the same text, so that a retried write changes nothing.
 */

import { z } from 'zod';
import type { AgentFile, Message, StrategyOptions } from '../../agents/index.ts';
import type { EpisodeAnalysis } from '../../analysis/index.ts';
import { JsonError, dumpJson, parseJson } from '../../benchmark/python/index.ts';
import { RESPOND, reportedActions, type Action, type Task } from '../../benchmark/index.ts';
import {
  cachedCallsOf,
  type EpisodeSummary,
  type EvaluationConfig,
  type ForkToRecord,
  type GradeOutput,
  type ModelConfig,
  type RecordInput,
  type RewardInfo,
  type RoleUsage,
} from '../../wire/index.ts';
import { ResultsError, ResultsProblem } from './files.ts';
import { describeMismatch, snakeKeys, toPlain, withFloats } from './codec.ts';
import {
  RECORD_FORMAT_VERSION,
  episodeRecordSchema,
  type EpisodeRecord,
  type RecordedAnalysis,
  type RecordedFork,
  type RecordedGrade,
  type RecordedRewardInfo,
  type RecordedTask,
  type TrajectoryMessage,
} from './record.schema.ts';

export type { EpisodeRecord, RecordedGrade, RecordedRewardInfo, RecordedTask, TrajectoryMessage };

/** What the workflow does not carry and the recording worker adds. */
export interface RecordContext {
  readonly task: Task;
  /** The trajectory with every prompt reference expanded. */
  readonly messages: readonly Message[];
  /** The actions that were executed, in order, derived from the trajectory as for grading. */
  readonly actions: readonly Action[];
  /** Makes the analysis of the record as it is without one; absent, or undefined: there is none. */
  readonly analyze?: (record: EpisodeRecord) => EpisodeAnalysis | undefined;
}

export function buildEpisodeRecord(input: RecordInput, context: RecordContext): EpisodeRecord {
  const { config, grade } = input;
  const graded = grade?.kind === 'graded' ? grade.info : null;
  const record: EpisodeRecord = {
    format_version: RECORD_FORMAT_VERSION,
    run_id: input.run.runId,
    task_id: input.episode.taskId,
    trial: input.episode.trial,
    outcome: { ...input.outcome },
    reward: input.reward,
    reward_info: graded === null ? null : toRewardInfo(graded, context.task),
    grade_error: grade?.kind === 'raised' ? grade.message : null,
    diagnostics: graded === null ? null : toDiagnostics(graded),
    would_be_grade: input.wouldBeGrade === null ? null : toGrade(input.wouldBeGrade, context.task),
    config: {
      env: config.env,
      split: config.split,
      pack: { name: config.pack.name, digest: config.pack.digest },
      strategy: config.strategy,
      strategy_options: toStrategyOptions(config.strategyOptions),
      agent_model: toModel(config.agentModel),
      ...toRoleModels(config.roleModels),
      user_strategy: config.userStrategy,
      user_model: toModel(config.userModel),
      ...toTokenCaps(config.maxCompletionTokens),
      max_steps: config.maxSteps,
      seed: config.seed,
      ...(input.fork === undefined ? {} : ownSettings(config)),
    },
    started_at: input.startedAt,
    ended_at: input.endedAt,
    duration_ms: durationMs(input.startedAt, input.endedAt),
    usage: input.usage.map(toRoleUsage),
    total_cost_usd: sumCosts(input.usage.map((usage) => usage.costUsd)),
    served_models: [...input.served],
    workflow_id: input.workflowId,
    workflow_run_id: input.workflowRunId,
    task: toRecordedTask(context.task),
    actions: context.actions.map(({ name, kwargs }) => ({ name, kwargs })),
    steps: input.steps.map((step) => ({
      index: step.index,
      name: step.name,
      changed: step.changed,
      duration_ms: step.durationMs,
      ...(step.thinkMs === undefined ? {} : { think_ms: step.thinkMs }),
      calls: step.calls,
      prompt_tokens: step.promptTokens,
      completion_tokens: step.completionTokens,
      cost_usd: step.costUsd,
    })),
    counts: { ...input.counts },
    trajectory: context.messages.map(toTrajectoryMessage),
    ...(input.longReplies === undefined ? {} : { long_replies: input.longReplies.map((reply) => ({ ...reply })) }),
    ...(input.fork === undefined ? {} : { fork: toFork(input.fork) }),
  };
  const analysis = context.analyze?.(record);
  return analysis === undefined ? record : { ...record, analysis: toAnalysis(analysis) };
}

/** The record as text: JSON with an indent of two, numbers and key order as they came. */
export function writeEpisodeRecord(record: EpisodeRecord): string {
  return `${dumpJson(withFloats(record, FLOAT_FIELDS) as object, { indent: 2 })}\n`;
}

/**
 * @param text the content of a record's file
 * @throws ResultsError (`malformed`) when the text is cut short or is not a record of this format
 */
export function readEpisodeRecord(text: string): EpisodeRecord {
  try {
    return episodeRecordSchema.parse(toPlain(parseJson(text)));
  } catch (error) {
    if (error instanceof JsonError) {
      throw new ResultsError(ResultsProblem.Malformed, `not complete JSON (${error.message})`, { cause: error });
    }
    if (error instanceof z.ZodError) {
      throw new ResultsError(ResultsProblem.Malformed, describeMismatch(error), { cause: error });
    }
    throw error;
  }
}

/** Sum in USD, 0 for none; null when one is unknown. */
function sumCosts(costs: readonly (number | null)[]): number | null {
  return costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** Fields that are floats to Python, and so are written `1.0` when whole. */
const FLOAT_FIELDS: ReadonlySet<string> = new Set([
  'reward',
  'r_actions',
  'r_outputs',
  'temperature',
  'cost_usd',
  'last_call_cost_usd',
  'total_cost_usd',
]);

/** The analysis that a record carries; undefined where it has none. */
export function recordedAnalysis({ analysis }: EpisodeRecord): EpisodeAnalysis | undefined {
  if (analysis === undefined) return undefined;
  const { faults, differences, customer } = analysis;
  return {
    faults: faults.map(({ fault_type: faultType, ...fault }) => ({ ...fault, faultType })),
    differences,
    customer,
  };
}

function toAnalysis({ faults, differences, customer }: EpisodeAnalysis): RecordedAnalysis {
  return {
    faults: faults.map(({ faultType, ...fault }) => ({ ...fault, fault_type: faultType })),
    differences: differences.map((difference) => ({ ...difference, path: [...difference.path] })),
    customer: customer.map((finding) => ({ ...finding })),
  };
}

function toRewardInfo({ reward, detail }: RewardInfo, task: Task): RecordedRewardInfo {
  return {
    reward,
    info:
      detail.kind === 'actions'
        ? { r_actions: detail.rActions ? 1 : 0, gt_data_hash: detail.gtDataHash }
        : { r_outputs: detail.rOutputs ? 1 : 0, outputs: new Map(detail.outputs) },
    actions: reportedActions(task).map(({ name, kwargs }) => ({ name, kwargs })),
  };
}

function toDiagnostics(info: RewardInfo) {
  return {
    data_matches: info.dataMatches,
    number_spelling_only: info.numberSpellingOnly,
    strict_outputs: info.strictOutputs,
  };
}

function toGrade(grade: GradeOutput, task: Task): RecordedGrade {
  if (grade.kind === 'raised') return { raised: grade.message };
  const { info } = grade;
  return { reward: info.reward, reward_info: toRewardInfo(info, task), diagnostics: toDiagnostics(info) };
}

function toRecordedTask(task: Task): RecordedTask {
  return {
    user_id: task.userId,
    actions: task.actions.map(({ name, kwargs }) => ({ name, kwargs })),
    instruction: task.instruction,
    outputs: [...task.outputs],
  };
}

function toFork({ name, origin, atStep, takenOver, corrections, changes, replayedCalls }: ForkToRecord): RecordedFork {
  return {
    name,
    origin: { workflow_id: origin.workflowId, workflow_run_id: origin.workflowRunId },
    at_step: atStep,
    taken_over: takenOver,
    corrections: corrections.map(({ step, observation }) => ({ step, observation })),
    changes: [...changes],
    replayed_calls: replayedCalls,
  };
}

function toModel({ provider, model, temperature }: ModelConfig) {
  return { provider, model, temperature };
}

/** Options as a record has them: a file by its digest alone, because its path is this machine's. */
function toStrategyOptions({ asOfVersion: _, ...options }: StrategyOptions) {
  const { strategy_options } = snakeKeys({ strategyOptions: withoutPaths(options) }) as Pick<
    EpisodeRecord['config'],
    'strategy_options'
  >;
  return strategy_options;
}

/** An object of options that holds a `file` has the file's digest as its own: `few_shots: { digest }`. */
function withoutPaths(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPaths);
  if (isFile(value)) return { digest: value.digest };
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
      key === 'file' && isFile(item) ? [['digest', item.digest]] : [[key, withoutPaths(item)]],
    ),
  );
}

function isFile(value: unknown): value is AgentFile {
  return typeof value === 'object' && value !== null && 'path' in value && 'digest' in value;
}

function toRoleModels(models: EvaluationConfig['roleModels']) {
  if (models === undefined) return {};
  const entries = Object.entries(models) as [string, ModelConfig][];
  return { role_models: Object.fromEntries(entries.map(([role, model]) => [role, toModel(model)])) };
}

function ownSettings({ maxRetries, prices = [] }: EvaluationConfig) {
  return {
    max_retries: maxRetries,
    prices: prices.map(({ provider, model, input, cachedInput, output }) => {
      return { provider, model, input, ...(cachedInput === undefined ? {} : { cached_input: cachedInput }), output };
    }),
  };
}

function toTokenCaps(caps: EvaluationConfig['maxCompletionTokens']) {
  if (caps === undefined) return {};
  return { max_completion_tokens: Object.fromEntries(Object.entries(caps) as [string, number | null][]) };
}

function toRoleUsage(usage: RoleUsage) {
  return {
    role: usage.role,
    calls: usage.calls,
    cached_calls: cachedCallsOf(usage),
    extra_attempts: usage.extraAttempts,
    truncated_replies: usage.truncatedReplies ?? 0,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cached_tokens: usage.cachedTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost_usd: usage.costUsd,
    last_call_cost_usd: usage.lastCallCostUsd,
    latency_ms: usage.latencyMs,
  };
}

/** Fields in the order in which the benchmark's published trajectories have them. */
function toTrajectoryMessage(message: Message): TrajectoryMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: writtenOut(message.content) };
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.tool_call_id,
        name: message.name,
        content: message.content,
      };
    case 'assistant': {
      const { content, reasoning_content: reasoning } = message;
      const base = {
        content,
        role: 'assistant' as const,
        ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
      };
      if (message.tool_calls === undefined) return base;
      const calls = message.tool_calls.map((call) => ({
        function: { arguments: call.function.arguments, name: call.function.name },
        id: call.id,
        type: call.type,
      }));
      return { ...base, tool_calls: calls };
    }
  }
}

function writtenOut(content: (Message & { role: 'system' | 'user' })['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (typeof part !== 'string') throw new Error(`the prompt reference ${part.ref} has not been expanded`);
      return part;
    })
    .join('');
}

function durationMs(startedAt: string, endedAt: string): number {
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}

/** The part of a record that a sweep needs when it finds the episode already done. */
export function summarizeRecord(record: EpisodeRecord): EpisodeSummary {
  const costOf = (isRole: (role: string) => boolean) =>
    sumCosts(record.usage.filter((usage) => isRole(usage.role)).map((usage) => usage.cost_usd));
  const total = (field: 'calls' | 'extra_attempts' | 'prompt_tokens' | 'completion_tokens') =>
    record.usage.reduce((sum, usage) => sum + usage[field], 0);
  return {
    episode: { taskId: record.task_id, trial: record.trial },
    reward: record.reward,
    outcome: record.outcome.kind,
    error: 'message' in record.outcome ? record.outcome.message.slice(0, 200) : null,
    steps: record.steps.length,
    turns: countTurns(record),
    calls: total('calls'),
    extraAttempts: total('extra_attempts'),
    promptTokens: total('prompt_tokens'),
    completionTokens: total('completion_tokens'),
    agentCostUsd: costOf((role) => role === 'agent' || role.startsWith('agent/')),
    userCostUsd: costOf((role) => role === 'user' || role.startsWith('user/')),
    durationMs: record.duration_ms,
  };
}

/** How often the agent spoke to the user. */
export function countTurns(record: EpisodeRecord): number {
  return record.steps.filter((step) => step.name === RESPOND).length;
}
