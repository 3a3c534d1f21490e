/**
 * Lines of an open episode: `open/task-17.trial-0.jsonl`, a JSON line for each model reply and each step, from any
 * worker. The file is only for people who watch the episode, and is removed when the episode has its record. It affects
 * neither figures nor the episode.
 */

import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { makeFolders, parsedJson, findStats } from '../io/index.ts';
import type { EpisodeKey, EvaluationConfig } from '../evaluation/index.ts';
import { readAppended } from './appended-lines.ts';
import { episodeFileName, episodeLinesName, type RunPaths } from './paths.ts';
import { instead } from '../errors/index.ts';

const lineSchema = z
  .object({
    /** Time of the line, ISO 8601, UTC. */
    at: z.string(),
    /** Activity id; a retried activity replaces the lines of its earlier attempts. */
    activityId: z.string(),
    /** Workflow run of the episode. */
    workflowRunId: z.string(),
    /** Role of the model call; null for an action. */
    role: z.string().nullable(),
    /** Name of the tool; null for a reply. */
    tool: z.string().nullable(),
    /** Text of the reply, or the tool's arguments as JSON; empty for a reply that only calls tools. */
    text: z.string(),
    /** Observation of the tool; null for a reply. */
    observation: z.string().nullable(),
    /** Cost in USD; null if the price is unknown. */
    costUsd: z.number().nullable(),
  })
  .readonly();

export type OpenEpisodeLine = z.infer<typeof lineSchema>;

/** Creates the folders that activities write to during an episode; without the folders, activities write nothing. */
export async function makeOpenFolders(
  { open, requests }: RunPaths,
  { keepRequests }: Pick<EvaluationConfig, 'keepRequests'>,
): Promise<void> {
  for (const folder of keepRequests === true ? [open, requests] : [open]) {
    // The writer of the run's own files reports problems of this disk.
    await makeFolders(folder).catch(instead(undefined));
  }
}

/** Longest line, in bytes. */
const MAX_LINE_BYTES = 20_000;

/** @throws the operating system's error; `ENOENT` if the run's folder is not on this disk */
export async function appendOpenLines(
  paths: RunPaths,
  key: EpisodeKey,
  lines: readonly OpenEpisodeLine[],
): Promise<void> {
  const text = lines.map((line) => `\n${boundedLine(line)}`).join('');
  await appendFile(path.join(paths.open, episodeLinesName(key)), text);
}

function boundedLine(line: OpenEpisodeLine): string {
  let chars = MAX_LINE_BYTES / 2;
  for (;;) {
    const text = cut(line.text, chars);
    const observation = line.observation === null ? null : cut(line.observation, chars);
    const json = JSON.stringify({ ...line, text, observation });
    if (Buffer.byteLength(json) <= MAX_LINE_BYTES || chars < 100) return json;
    chars = Math.floor(chars / 2);
  }
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}… [${text.length.toLocaleString('en-US')} characters]`;
}

/**
 * Removes the lines of a recorded episode. If removing fails, the reader ignores the lines, and the next command that
 * opens or closes the run removes them.
 */
export async function removeOpenEpisode(paths: RunPaths, key: EpisodeKey): Promise<void> {
  await rm(path.join(paths.open, episodeLinesName(key)), { force: true }).catch(instead(undefined));
}

/** Removes the lines of a run that has ended or starts over. */
export async function removeOpenEpisodes({ open }: RunPaths): Promise<void> {
  await rm(open, { recursive: true, force: true }).catch(instead(undefined));
}

/** Most lines of an episode in memory. */
const MAX_LINES = 5_000;

/** Reads an open episode repeatedly, each time only new lines. */
export class OpenEpisodeReader {
  readonly #file: string;
  readonly #record: string;
  #next = 0;
  #version = '';
  #workflowRunId: string | null = null;
  readonly #earlierRuns = new Set<string>();
  /** Lines by activity, in the order of their first version. */
  readonly #lines = new Map<string, OpenEpisodeLine>();

  constructor(paths: RunPaths, key: EpisodeKey) {
    this.#file = path.join(paths.open, episodeLinesName(key));
    this.#record = path.join(paths.episodes, episodeFileName(key));
  }

  /** Returns the lines of the episode's current workflow run; none if the episode has ended or not begun. */
  async read(): Promise<readonly OpenEpisodeLine[]> {
    const now = findStats(this.#file);
    const version = `${now?.ino ?? 0} ${now?.size ?? 0} ${now?.mtimeMs ?? 0}`;
    if (version !== this.#version) await this.#readNew();
    this.#version = version;
    const all = [...this.#lines.values()];
    const last = all.at(-1);
    // A line that was being written when the episode was recorded arrives too late to be removed with the others.
    return last === undefined || this.#isRecordedSince(last.at) ? [] : all;
  }

  async #readNew(): Promise<void> {
    const { lines, next, isAnew } = await readAppended(this.#file, this.#next, parseOpenLine);
    if (isAnew) this.#forget();
    this.#next = next;
    for (const line of lines) this.#enter(line);
  }

  #enter(line: OpenEpisodeLine): void {
    const { workflowRunId, activityId } = line;
    if (this.#earlierRuns.has(workflowRunId)) return;
    if (workflowRunId !== this.#workflowRunId) {
      if (this.#workflowRunId !== null) this.#earlierRuns.add(this.#workflowRunId);
      this.#workflowRunId = workflowRunId;
      this.#lines.clear();
    }
    this.#lines.set(activityId, line);
    const [first] = this.#lines.keys();
    if (this.#lines.size > MAX_LINES && first !== undefined) this.#lines.delete(first);
  }

  #forget(): void {
    this.#workflowRunId = null;
    this.#earlierRuns.clear();
    this.#lines.clear();
  }

  #isRecordedSince(at: string): boolean {
    return (findStats(this.#record)?.mtimeMs ?? 0) >= Date.parse(at);
  }
}

/** Parses a line; undefined for an incomplete or invalid one. */
function parseOpenLine(text: string): OpenEpisodeLine | undefined {
  return lineSchema.safeParse(parsedJson(text)).data;
}
