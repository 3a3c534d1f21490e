/**
 * Texts for people in Temporal UI: summaries of an episode's activities, and the address where the episode can be
 * watched.
 */

import type { CompletionRequest } from '../agents/index.ts';
import type { Action } from '../benchmarks/index.ts';
import type { EpisodeKey, RunRef } from '../evaluation/index.ts';
import type { EpisodeInput } from './input.ts';
import { formatCode } from './markdown.ts';

/** Default port of `tauflow view`, next to those of Temporal UI (8233) and of the codec endpoint. */
export const VIEW_PORT = 8235;

/** Longest summary in characters. Temporal keeps 200 bytes, and a character can have four. */
export const SUMMARY_CHARS = 100;

export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/**
 * Formats a step, `step 5: cancel_pending_order #W0000000`, with the first text argument, which is the most
 * informative.
 * @param isKept true if a fork replays the step
 */
export function stepSummary(index: number, action: Action, isKept = false): string {
  return cut(`${isKept ? 'kept ' : ''}step ${index}: ${actionText(action)}`, SUMMARY_CHARS);
}

function actionText({ name, kwargs }: Action): string {
  const first = [...kwargs.values()].find((value) => typeof value === 'string' && value !== '');
  return typeof first === 'string' ? `${name} ${first}` : name;
}

/** @param count number of the call of the agent or of the user, from 1 */
export function callSummary({ role, summary }: CompletionRequest, count: number): string {
  return cut(summary ?? `${role} call ${count}`, SUMMARY_CHARS);
}

/**
 * Returns the address where the episode can be watched, on the machine with the run's folder. A fork is not shown with
 * its run.
 */
export function viewLink({ run, episode, fork }: EpisodeInput): string {
  return fork === undefined ? `Watch it: ${formatWatchCommand(run, episode)}` : `Its run: ${viewCommand(run)}`;
}

export function formatWatchCommand(run: RunRef, episode?: EpisodeKey): string {
  const url = viewedUrl(run.runId, episode);
  return `${viewCommand(run)}, then [${url}](${url})`;
}

function viewCommand({ logDir }: RunRef): string {
  const folder = /^[\w./+@:-]+$/.test(logDir) ? logDir : `'${logDir.replaceAll("'", String.raw`'\''`)}'`;
  return formatCode(`npx tauflow view --log-dir ${folder}`);
}

/**
 * Returns the URL of a page in `tauflow view` at its default port.
 * @param episode absent: the run's page
 */
function viewedUrl(runId: string, episode?: EpisodeKey): string {
  const run = encodeURIComponent(runId);
  const page = episode === undefined ? `run/${run}` : `episode/${run}/${episode.taskId}/${episode.trial}`;
  return `http://127.0.0.1:${VIEW_PORT}/#/${page}`;
}
