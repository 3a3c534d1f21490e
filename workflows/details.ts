/** What a person reads of activities and workflows in Temporal UI. */

import type { CompletionRequest } from '../src/agents/index.ts';
import type { Action } from '../src/benchmark/index.ts';
import { episodeName, type EpisodeInput } from '../src/wire/index.ts';

/** Temporal keeps 200 bytes of a summary; four bytes a character at worst. */
const SUMMARY_CHARS = 100;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** A text as Markdown that shows it: the UI's takes tags for its own, and what is between two dollars for a formula. */
export function asMarkdown(text: string): string {
  return text.trim().replaceAll('<', '&lt;').replaceAll('$', '&#36;');
}

/**
 * `step 5: cancel_pending_order #W0000000`: the first text argument says most.
 * @param isKept whether a fork takes it as its origin did
 */
export function stepSummary(index: number, action: Action, isKept = false): string {
  return cut(`${isKept ? 'kept ' : ''}step ${index}: ${actionText(action)}`, SUMMARY_CHARS);
}

/** Of a step that is taken again on the data that the episode started with. */
export function initialStepSummary(index: number, action: Action): string {
  return cut(`step ${index} shown on the initial data: ${actionText(action)}`, SUMMARY_CHARS);
}

function actionText({ name, kwargs }: Action): string {
  const first = [...kwargs.values()].find((value) => typeof value === 'string' && value !== '');
  return typeof first === 'string' ? `${name} ${first}` : name;
}

/** @param count numbers the calls of the agent, or of the user, from 1 */
export function callSummary({ role, summary }: CompletionRequest, count: number): string {
  return cut(summary ?? `${role} call ${count}`, SUMMARY_CHARS);
}

/** Why an episode shows as failed: which one it was, what happened to it, and how it runs again. */
export function failureText({ run, episode, fork }: EpisodeInput, reason: string): string {
  const name = episodeName(episode);
  const remedy = fork === undefined ? `\`tauflow retry ${run.runId} ${name}\` runs it again` : 'fork it again';
  return `${name} could not be brought to its end (${reason.replace(/\.$/, '')}); ${remedy}`;
}

export function episodeSummary({ episode, config }: EpisodeInput): string {
  const { strategy, agentModel } = config;
  return cut(`task ${episode.taskId}, trial ${episode.trial}: ${strategy}, ${agentModel.model}`, SUMMARY_CHARS);
}
