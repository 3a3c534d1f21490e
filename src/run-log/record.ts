/**
 * An episode's full record: all facts about it in one file, which can be read without Temporal or the pack. It is pure:
 * the same input gives the same text, so that a retried write changes nothing.
 */

import type * as z from 'zod';

import type { AgentFile, Message, StrategyOptions } from '../agents/index.ts';
import type { EpisodeAnalysis } from '../analysis/index.ts';
import {
  RESPOND,
  getBenchmark,
  fromReferenceInfo,
  reportedActions,
  toReferenceInfo,
  type Action,
  type Grade,
  type GradeOutput,
  type RewardInfo,
  type Task,
} from '../benchmarks/index.ts';
import { readKnownCost, sumCosts, type RecordInput, type UsageLedger } from '../episode/index.ts';
import { FailureType, type EpisodeSummary, type EvaluationConfig } from '../evaluation/index.ts';
import { analysisSchema, episodeRecordSchema, type EpisodeRecord } from './record.schema.ts';

export type { EpisodeRecord, TrajectoryMessage } from './record.schema.ts';

/** Fields that the recording worker adds to the workflow's. */
export interface RecordContext {
  readonly task: Task;
  /** The trajectory with every prompt reference expanded. */
  readonly messages: readonly Message[];
  /** The executed actions in order, derived from the trajectory as for grading. */
  readonly actions: readonly Action[];
  /** Analyzes the record. @default no analysis */
  readonly analyze?: (record: EpisodeRecord) => EpisodeAnalysis | undefined;
}

export function buildEpisodeRecord(input: RecordInput, context: RecordContext): EpisodeRecord {
  const { config, episode, run, grade, wouldBeGrade, served, trajectory: _, abandoned, ...rest } = input;
  const graded = grade?.kind === 'graded' ? grade.info : null;
  const { task, actions, messages } = context;
  const made: RecordFields = {
    ...rest,
    ...episode,
    runId: run.runId,
    formatVersion: 1,
    rewardInfo: graded === null ? null : toRecordedReward(graded, task),
    gradeError: grade?.kind === 'raised' ? grade.message : null,
    diagnostics: graded,
    wouldBeGrade: wouldBeGrade === null ? null : toWouldBeGrade(wouldBeGrade, task),
    config: { ...toRecordedConfig(config, input.fork !== undefined), conditions: ownCondition(input) },
    durationMs: Math.max(0, Date.parse(input.endedAt) - Date.parse(input.startedAt)),
    totalCostUsd: sumCosts(input.usage.map((usage) => usage.costUsd)),
    servedModels: served,
    task,
    actions,
    trajectory: messages.map(toTrajectoryMessage),
    ...(abandoned === undefined
      ? {}
      : { abandoned: abandoned.map((each) => ({ ...each, messages: each.messages.map(toTrajectoryMessage) })) }),
  };
  // Leaves out fields that a record does not have, and sets the order of fields.
  const record = episodeRecordSchema.parse(made);
  const analysis = context.analyze?.(record);
  return analysis === undefined ? record : { ...record, analysis: analysisSchema.parse(analysis) };
}

interface LostEpisode {
  /** Reason given at termination; null if the episode ended in another way. */
  readonly reason: string | null;
  readonly ledger: UsageLedger;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/**
 * Builds the record of an episode that ended without a record of its own: an infrastructure error, with the cost of its
 * model calls and without its conversation.
 */
export function buildLostRecord(
  input: Pick<RecordInput, 'run' | 'episode' | 'config' | 'workflowId' | 'workflowRunId' | 'repeat'> & {
    readonly message: string;
  },
  { reason, ledger, startedAt, endedAt }: LostEpisode,
  task: Task,
): EpisodeRecord {
  const { message, ...episode } = input;
  const record: RecordInput = {
    ...episode,
    trajectory: { thread: 'trajectory', keep: 0, digest: '', items: [] },
    outcome: { kind: 'infrastructure_error', error: FailureType.EpisodeLost, message: reason ?? message },
    reward: 0,
    grade: null,
    wouldBeGrade: null,
    steps: [],
    counts: {},
    usage: ledger.roles(),
    served: ledger.served(),
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
  };
  return buildEpisodeRecord(record, { task, messages: [], actions: [] });
}

/** The input of a record: it allows other fields, and its lists are read-only. */
type RecordFields = DeepReadonly<z.input<typeof episodeRecordSchema>>;
type DeepReadonly<T> =
  T extends Map<string, unknown> ? T : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

function toRecordedReward(info: RewardInfo, task: Task) {
  return { ...toReferenceInfo(info), actions: reportedActions(task) };
}

/** Returns the recorded grade; null for an episode without a grade. */
export function gradeOfRecord({ config, rewardInfo, diagnostics }: EpisodeRecord): Grade | null {
  if (rewardInfo === null || diagnostics === null) return null;
  return getBenchmark(config.env).grading.fromInfo({ ...diagnostics, ...fromReferenceInfo(rewardInfo) });
}

function toWouldBeGrade(grade: GradeOutput, task: Task) {
  if (grade.kind === 'raised') return { raised: grade.message };
  const { info } = grade;
  return { reward: info.reward, rewardInfo: toRecordedReward(info, task), diagnostics: info };
}

/**
 * Returns the configuration for a record, without retries and prices, which the run's manifest has; a fork's record has
 * its own.
 */
function toRecordedConfig({ maxRetries, prices = [], ...config }: EvaluationConfig, isFork: boolean) {
  const strategyOptions = withoutPaths(config.strategyOptions) as StrategyOptions;
  return { ...config, strategyOptions, ...(isFork ? { maxRetries, prices } : {}) };
}

/** Returns the condition of this episode only, with its file's name but not the folder; undefined for `base`. */
function ownCondition({ config, episode }: Pick<RecordInput, 'config' | 'episode'>): EvaluationConfig['conditions'] {
  if (episode.condition === undefined) return undefined;
  return config.conditions
    ?.filter(({ name }) => name === episode.condition)
    .map(({ file, ...ref }) =>
      file === undefined ? ref : { ...ref, file: { ...file, path: file.path.split(/[\\/]/).at(-1) ?? '' } },
    );
}

/**
 * Replaces files in options by their digests, because paths differ between machines. An object with a `file` gets the
 * file's digest: `fewShots: { digest }`.
 */
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

/** Converts a message, with the texts of all prompts. */
function toTrajectoryMessage(message: Message) {
  return message.role === 'system' || message.role === 'user'
    ? { ...message, content: expandedText(message.content) }
    : message;
}

function expandedText(content: (Message & { role: 'system' | 'user' })['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (typeof part !== 'string') throw new Error(`the prompt reference ${part.ref} has not been expanded`);
      return part;
    })
    .join('');
}

/** Returns the part of a record that a sweep needs when it finds the episode already done. */
export function summarizeRecord(record: EpisodeRecord): EpisodeSummary {
  const sumRoleCosts = (isRole: (role: string) => boolean) =>
    sumCosts(record.usage.filter((usage) => isRole(usage.role)).map((usage) => usage.costUsd));
  const total = (field: 'calls' | 'extraAttempts' | 'promptTokens' | 'completionTokens') =>
    record.usage.reduce((sum, usage) => sum + usage[field], 0);
  return {
    episode: { taskId: record.taskId, trial: record.trial, condition: record.condition },
    reward: record.reward,
    outcome: record.outcome.kind,
    error: 'message' in record.outcome ? record.outcome.message.slice(0, 200) : null,
    steps: record.steps.length,
    turns: countTurns(record),
    calls: total('calls'),
    extraAttempts: total('extraAttempts'),
    promptTokens: total('promptTokens'),
    completionTokens: total('completionTokens'),
    agentCostUsd: sumRoleCosts((role) => role === 'agent' || role.startsWith('agent/')),
    userCostUsd: sumRoleCosts((role) => role === 'user' || role.startsWith('user/')),
    ...(record.usage.some(({ role }) => role === 'judge')
      ? { judgeCostUsd: sumRoleCosts((role) => role === 'judge') }
      : {}),
    ...(record.totalCostUsd === null
      ? { knownCostUsd: record.usage.reduce((sum, usage) => sum + readKnownCost(usage), 0) }
      : {}),
    durationMs: record.durationMs,
  };
}

/** Returns the number of times that the agent spoke to the user. */
export function countTurns(record: EpisodeRecord): number {
  return record.steps.filter((step) => step.name === RESPOND).length;
}
