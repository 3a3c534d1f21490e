/**
 * An episode's row: the part that figures need, small enough that a run of thousands fits in memory.
 *
 * `rows.jsonl` caches the rows of a run, one per line, so that reading a long run does not need every record. A line is
 * valid while its record has the size and the time that the line names; other rows are computed from their records.
 */

import { statSync } from 'node:fs';
import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { UserFaultKind, DataDifference, EpisodeAnalysis, FaultKind, FaultType } from '../analysis/index.ts';
import { RESPOND, isSpellingOnly } from '../benchmarks/index.ts';
import {
  findEnd,
  isStoppedByUser,
  recordedSteps,
  type RecordingForm,
  type ResultsFileEntry,
} from '../benchmarks/results.ts';
import type { EpisodeKey, OutcomeKind } from '../evaluation/index.ts';
import { countTurns, gradeOfRecord, type EpisodeRecord } from './record.ts';
import { readAppended, type AppendedLines } from './appended-lines.ts';
import { episodeFileName, type RunPaths } from './paths.ts';
import { differenceSchema } from './record.schema.ts';
import { systemErrorCode, instead } from '../errors/index.ts';
import { parsedJson } from '../io/index.ts';

/**
 * Outcome of a row. Results files also have `error`, an error of unknown cause, and `unknown`, if the file does not
 * show how the episode ended.
 */
export type RowOutcome = OutcomeKind | 'error' | 'unknown';

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

const roleFiguresSchema = z
  .object({
    role: z.string(),
    calls: z.number(),
    /** Number of calls that a response cache answered. */
    cachedCalls: z.number(),
    extraAttempts: z.number(),
    /** Number of completions that reached a token limit. */
    truncatedReplies: z.number(),
    /** Fields that were left out of requests because the model refuses them; absent: none. */
    leftOut: z.array(z.string()).readonly().optional(),
    /** Repairs of unreadable replies; absent: none. */
    repairs: z
      .array(z.object({ what: z.string(), replies: z.number() }))
      .readonly()
      .optional(),
    /** Models that answered the calls of an agent service; absent: unknown. */
    models: z.array(z.string()).readonly().optional(),
    promptTokens: z.number(),
    completionTokens: z.number(),
    cachedTokens: z.number(),
    /** Tokens of the prompt that the provider wrote to its cache; absent: none. */
    cacheWriteTokens: z.number().optional(),
    reasoningTokens: z.number(),
    /** Cost in USD; null if a price is unknown. */
    costUsd: z.number().nullable(),
    /** Cost of the calls with a known price in USD; absent if every price is known. */
    knownCostUsd: z.number().optional(),
    /** Sum of the calls' durations, in milliseconds; null if unknown. */
    latencyMs: z.number().nullable(),
  })
  .readonly();

export type RoleFigures = z.infer<typeof roleFiguresSchema>;

/** The part of an episode's analysis that figures, tables and exports need. */
const rowAnalysisSchema = z
  .object({
    faults: z
      .array(
        z
          .object({
            kind: z.custom<FaultKind>(isText),
            faultType: z.custom<FaultType | null>(isTextOrNull),
            step: z.number().nullable(),
            sentence: z.string(),
          })
          .readonly(),
      )
      .readonly(),
    differences: z.array(differenceSchema as z.ZodType<DataDifference>).readonly(),
    user: z
      .array(
        z
          .object({
            kind: z.custom<UserFaultKind>(isText),
            severity: z.enum(['suspect', 'remark']),
            step: z.number().nullable(),
            sentence: z.string(),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

export type RowAnalysis = z.infer<typeof rowAnalysisSchema>;

const rowSchema = z
  .object({
    taskId: z.number(),
    /** Name of the task from an environment service or another tool's file. @default its number */
    taskName: z.string().optional(),
    trial: z.number(),
    /** Condition of the episode. @default `base` */
    condition: z.string().optional(),
    /** Number of earlier attempts with a suspect user; absent: 0. */
    repeat: z.number().optional(),
    reward: z.number(),
    outcome: z.custom<RowOutcome>(isText),
    /** Number of environment steps; null if unknown. */
    steps: z.number().nullable(),
    /** Number of the agent's messages to the user; null if unknown. */
    turns: z.number().nullable(),
    /** Cost in USD; null if a price is unknown. */
    costUsd: z.number().nullable(),
    roles: z.array(roleFiguresSchema).readonly(),
    /** Counters of the strategy, by name. */
    counts: z.record(z.string(), z.number()).readonly(),
    /** Duration in milliseconds; null if unknown. */
    durationMs: z.number().nullable(),
    /** Message of the error; null for other outcomes. */
    error: z.string().nullable(),
    /** True if the data differ from the ground truth only in the spelling of numbers. */
    numberSpellingOnly: z.boolean(),
    /** True if the episode ran out of steps, but would otherwise have been graded 1. */
    wouldHavePassed: z.boolean(),
    /** Models that the providers reported, with their fingerprints; absent: the source has none. */
    servedModels: z.array(z.string()).readonly().optional(),
    /** The episode's workflow id. @default unknown */
    workflowId: z.string().optional(),
    /** Id of the task's user. @default unknown */
    userId: z.string().optional(),
    /** Names of the tools that the agent called, each once. */
    tools: z.array(z.string()).readonly(),
    /** End of the episode, ISO 8601, UTC. @default unknown */
    endedAt: z.string().optional(),
    /** Analysis of the episode. @default not analyzed */
    analysis: rowAnalysisSchema.optional(),
    /** The benchmark whose metrics include the episode, for files of its tools. @default tau-bench */
    countedAs: z.string().optional(),
  })
  .readonly();

export type EpisodeRow = z.infer<typeof rowSchema>;

/**
 * Returns the row of a record. Its texts are copies: rows stay in memory, and V8 would keep a record's whole text as
 * long as a part of it is used.
 */
export function rowOfRecord(record: EpisodeRecord): EpisodeRow {
  const { outcome, wouldBeGrade: wouldBe, analysis } = record;
  return structuredClone({
    taskId: record.taskId,
    taskName: record.task.name,
    trial: record.trial,
    condition: record.condition,
    repeat: record.repeat,
    reward: record.reward,
    outcome: outcome.kind,
    steps: record.steps.length,
    turns: countTurns(record),
    costUsd: record.totalCostUsd,
    roles: record.usage.map(({ lastCallCostUsd: _, ...usage }) => usage),
    counts: record.counts,
    durationMs: record.durationMs,
    error: 'message' in outcome ? outcome.message : null,
    numberSpellingOnly: isSpellingOnly(gradeOfRecord(record)),
    wouldHavePassed: wouldBe !== null && 'reward' in wouldBe && wouldBe.reward === 1,
    servedModels: record.servedModels,
    userId: record.task.userId,
    workflowId: record.workflowId,
    tools: listTools(record.steps.map(({ name }) => name)),
    endedAt: record.endedAt,
    ...(analysis === undefined ? {} : { analysis: rowAnalysis(analysis) }),
  });
}

function listTools(actions: readonly string[]): string[] {
  return [...new Set(actions.filter((name) => name !== RESPOND))];
}

export function rowAnalysis({ faults, differences, user }: EpisodeAnalysis): RowAnalysis {
  return {
    faults: faults.map(({ kind, faultType, step, sentence }) => ({ kind, faultType, step, sentence })),
    differences,
    user: user.map(({ kind, severity, step, sentence }) => ({ kind, severity, step, sentence })),
  };
}

const TRANSFER = 'transfer_to_human_agents';

/** An entry of another tool's file, with that file's own facts about the episode. */
export type RecordedEntry = ResultsFileEntry & { readonly recorded?: Partial<EpisodeRow> };

/**
 * Returns the row of a results file's entry. Costs are unknown, because the file has only the cost of the simulated
 * user's last call. Steps and turns are unknown without a trajectory, which entries of tau-bench's errors do not have.
 * @param form form of the whole file, see {@link detectForm}
 */
export function rowOfEntry(entry: RecordedEntry, form: RecordingForm): EpisodeRow {
  const info = entry.info ?? {};
  const { steps } = recordedSteps(entry, form);
  const names = steps.map(({ action }) => action.name);
  const hasSteps = (entry.traj ?? []).length > 0;
  return {
    taskId: entry.task_id,
    trial: entry.trial ?? 0,
    reward: entry.reward,
    outcome: readOutcome(entry, names, form),
    steps: hasSteps ? names.length : null,
    turns: hasSteps ? names.filter((name) => name === RESPOND).length : null,
    costUsd: null,
    roles: [],
    counts: {},
    durationMs: null,
    error: info.error ?? null,
    numberSpellingOnly: false,
    wouldHavePassed: false,
    tools: listTools(names),
    ...(info.task?.user_id === undefined ? {} : { userId: info.task.user_id }),
    ...(entry.origin === undefined ? {} : { countedAs: entry.origin.benchmark }),
    ...(entry.origin === undefined || entry.origin.taskId === String(entry.task_id)
      ? {}
      : { taskName: entry.origin.taskId }),
    ...entry.recorded,
  };
}

/** @param names names of the episode's actions */
function readOutcome(entry: ResultsFileEntry, names: readonly string[], form: RecordingForm): RowOutcome {
  const info = entry.info ?? {};
  if (typeof info.termination_reason === 'string') return findEnd(info.termination_reason) ?? 'unknown';
  if (typeof info.error === 'string') return 'error';
  // tau-bench writes an episode like this if it did not grade it because it was not done.
  if (info.reward_info === null) return 'max_steps';
  if (typeof info.source === 'string') return info.source === TRANSFER ? 'transferred' : 'user_stop';
  if (isStoppedByUser(entry)) return 'user_stop';
  // In a log, a call also has its place if the conversation continued after it.
  const hasTransferred = form === 'log' ? names.includes(TRANSFER) : names.at(-1) === TRANSFER;
  return hasTransferred ? 'transferred' : 'unknown';
}

const lineSchema = z.object({
  /** Name of the record, and its size and time when the line was written. */
  file: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  row: rowSchema,
});
type Line = z.infer<typeof lineSchema>;

/** Adds the row of a newly written record. */
export async function appendRow(paths: RunPaths, file: string, row: EpisodeRow): Promise<void> {
  try {
    const { size, mtimeMs } = await stat(file);
    const line = JSON.stringify({ file: path.basename(file), size, mtimeMs, row });
    // A leading line end, because a row appended to a line that a full disk has cut short would be lost too.
    const isFirst = (await stat(paths.rows).catch(() => null)) === null;
    await appendFile(paths.rows, isFirst ? line : `\n${line}`);
  } catch (error) {
    // The record is written, and is read if its row is missing.
    if (systemErrorCode(error) === null) throw error;
  }
}

/** Finds the rows of records that have not changed since their line was written. */
export class RowIndex {
  readonly #folder: string;
  readonly #lines: ReadonlyMap<string, Line>;

  private constructor(folder: string, lines: ReadonlyMap<string, Line>) {
    this.#folder = folder;
    this.#lines = lines;
  }

  /** Reads an index; an unreadable one is empty. */
  static async read(paths: RunPaths): Promise<RowIndex> {
    const lines = new Map<string, Line>();
    const text = await readFile(paths.rows, 'utf8').catch(instead(''));
    for (const written of text.split('\n')) {
      const line = parseLine(written);
      // Of the rows of a rerun episode the last one counts.
      if (line !== undefined) lines.set(line.file, line);
    }
    return new RowIndex(paths.episodes, lines);
  }

  /** @returns undefined if the record must be read */
  find(key: EpisodeKey): EpisodeRow | undefined {
    const line = this.#lines.get(episodeFileName(key));
    return line !== undefined && isCurrent(this.#folder, line) ? line.row : undefined;
  }
}

/** Rows added since an earlier reading, whose records have not changed. */
interface AddedRows extends Omit<AppendedLines<unknown>, 'lines'> {
  readonly rows: readonly EpisodeRow[];
}

/** @param from `next` of the earlier reading; 0: all rows of the index */
export async function readAddedRows(paths: RunPaths, from: number): Promise<AddedRows> {
  const { lines, ...rest } = await readAppended(paths.rows, from, parseLine);
  const last = new Map(lines.map((line) => [line.file, line]));
  return { ...rest, rows: [...last.values()].flatMap((line) => (isCurrent(paths.episodes, line) ? [line.row] : [])) };
}

function isCurrent(folder: string, line: Line): boolean {
  // Synchronous, because thousands of promises take longer than the reads.
  const now = statSync(path.join(folder, path.basename(line.file)), { throwIfNoEntry: false });
  return now?.size === line.size && now.mtimeMs === line.mtimeMs;
}

/** Parses a line; undefined for an invalid one, such as a line cut short by a full disk or a killed writer. */
function parseLine(text: string): Line | undefined {
  return lineSchema.safeParse(parsedJson(text)).data;
}
