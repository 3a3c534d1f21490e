/**
 * Bodies of an episode's model calls as sent and received, without headers: `requests/task-17.trial-0.jsonl`, a JSON
 * line for each HTTP request, including failed ones (`--keep-requests`).
 */

import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { EpisodeKey } from '../evaluation/index.ts';
import { readAppended } from './appended-lines.ts';
import { episodeLinesName, type RunPaths } from './paths.ts';
import { parsedJson } from '../io/index.ts';

const requestSchema = z
  .object({
    /** Name of the call within its episode: `agent 3`. */
    call: z.string(),
    role: z.string(),
    /** Workflow run of the episode. */
    workflowRunId: z.string(),
    /** Time of the request, ISO 8601, UTC. */
    at: z.string(),
    durationMs: z.number(),
    /** HTTP status; null if there was no answer. */
    status: z.number().nullable(),
    request: z.string(),
    /** Body of the reply; null if there was none. */
    reply: z.string().nullable(),
  })
  .readonly();

export type LoggedRequest = z.infer<typeof requestSchema>;

/**
 * Longest body, in characters. A character needs up to six bytes in JSON, and two bodies must fit into a readable line.
 */
const MAX_BODY_CHARS = 1_200_000;

/** @throws the operating system's error; `ENOENT` if the run's folder is not on this disk */
export async function appendRequest(paths: RunPaths, key: EpisodeKey, logged: LoggedRequest): Promise<void> {
  const { request, reply } = logged;
  const line = { ...logged, request: cutBody(request), reply: reply === null ? null : cutBody(reply) };
  await appendFile(requestsFile(paths, key), `\n${JSON.stringify(line)}`);
}

function cutBody(body: string): string {
  if (body.length <= MAX_BODY_CHARS) return body;
  return `${body.slice(0, MAX_BODY_CHARS)}… [cut: ${body.length.toLocaleString('en-US')} characters]`;
}

export function requestsFile(paths: RunPaths, key: EpisodeKey): string {
  return path.join(paths.requests, episodeLinesName(key));
}

/** Returns the recorded requests of an episode in the order of their answers. */
export async function readRequests(paths: RunPaths, key: EpisodeKey): Promise<readonly LoggedRequest[]> {
  const read = await readAppended(
    requestsFile(paths, key),
    0,
    (text) => requestSchema.safeParse(parsedJson(text)).data,
  );
  return read.lines;
}
