/**
 * `rows.jsonl`: a run's episodes as the figures need them, a line each, so that a look at a long run does not read every
 * record. It is a cache beside the records: a line counts as long as the record has the size and the time that the line
 * names, and whatever the file lacks is read from the record.
 */

import { statSync } from 'node:fs';
import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

import type { CustomerKind, FaultKind, FaultType } from '../../analysis/index.ts';
import type { EpisodeKey } from '../../wire/index.ts';
import { systemErrorCode } from './errors.ts';
import { episodeFileName, type RunPaths } from './paths.ts';
import { differenceSchema } from './record.schema.ts';
import type { EpisodeRow, RowOutcome } from './rows.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

const rowSchema = z.object({
  taskId: z.number(),
  trial: z.number(),
  reward: z.number(),
  outcome: z.custom<RowOutcome>(isText),
  steps: z.number().nullable(),
  turns: z.number().nullable(),
  costUsd: z.number().nullable(),
  roles: z.array(
    z.object({
      role: z.string(),
      calls: z.number(),
      cachedCalls: z.number(),
      extraAttempts: z.number(),
      truncatedReplies: z.number(),
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number(),
      reasoningTokens: z.number(),
      costUsd: z.number().nullable(),
      latencyMs: z.number(),
    }),
  ),
  counts: z.record(z.string(), z.number()),
  durationMs: z.number().nullable(),
  error: z.string().nullable(),
  numberSpellingOnly: z.boolean(),
  wouldHavePassed: z.boolean(),
  servedModels: z.array(z.string()).exactOptional(),
  workflowId: z.string().exactOptional(),
  userId: z.string().exactOptional(),
  analysis: z
    .object({
      faults: z.array(
        z.object({
          kind: z.custom<FaultKind>(isText),
          faultType: z.custom<FaultType | null>(isTextOrNull),
          step: z.number().nullable(),
          sentence: z.string(),
        }),
      ),
      differences: z.array(differenceSchema),
      customer: z.array(
        z.object({
          kind: z.custom<CustomerKind>(isText),
          severity: z.enum(['suspect', 'remark']),
          step: z.number().nullable(),
          sentence: z.string(),
        }),
      ),
    })
    .exactOptional(),
}) satisfies z.ZodType<EpisodeRow>;

const lineSchema = z.object({
  /** The record's name, and its size and time when the line was written. */
  file: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  row: rowSchema,
});
type Line = z.infer<typeof lineSchema>;

/** Adds the row of a record that has just been written. */
export async function appendRow(paths: RunPaths, file: string, row: EpisodeRow): Promise<void> {
  try {
    const { size, mtimeMs } = await stat(file);
    const line = JSON.stringify({ file: path.basename(file), size, mtimeMs, row });
    // Behind a line that a full disk has cut short it would be lost as well.
    await appendFile(paths.rows, `\n${line}`);
  } catch (error) {
    // The record is written, and is read where its row is missing.
    if (systemErrorCode(error) === null) throw error;
  }
}

/** Answers for the records that have not changed since their line was written. */
export class RowIndex {
  readonly #folder: string;
  readonly #lines: ReadonlyMap<string, Line>;

  private constructor(folder: string, lines: ReadonlyMap<string, Line>) {
    this.#folder = folder;
    this.#lines = lines;
  }

  /** An index that cannot be read is empty. */
  static async read(paths: RunPaths): Promise<RowIndex> {
    const lines = new Map<string, Line>();
    let text = '';
    try {
      text = await readFile(paths.rows, 'utf8');
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
    }
    for (const written of text.split('\n')) {
      const line = parseLine(written);
      // Of an episode that has run again the last one counts.
      if (line !== null) lines.set(line.file, line);
    }
    return new RowIndex(paths.episodes, lines);
  }

  /** @returns undefined where the record has to be read */
  find(key: EpisodeKey): EpisodeRow | undefined {
    const line = this.#lines.get(episodeFileName(key));
    if (line === undefined) return undefined;
    // Asked one by one, thousands of promises take longer than the answers.
    const now = statSync(path.join(this.#folder, line.file), { throwIfNoEntry: false });
    return now?.size === line.size && now.mtimeMs === line.mtimeMs ? line.row : undefined;
  }
}

function parseLine(text: string): Line | null {
  if (text === '') return null;
  try {
    return lineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Cut short by a full disk or a killed writer.
    return null;
  }
}
