/** Names that people read: workflow ids as paths, episodes as the run log's files call them. */

import type { EpisodeKey } from './config.ts';

export function sweepWorkflowId(runId: string): string {
  return runId;
}

export function laneWorkflowId(runId: string, index: number): string {
  return `${runId}/lane-${index}`;
}

export function episodeWorkflowId(runId: string, { taskId, trial }: EpisodeKey): string {
  return `${runId}/task-${taskId}/trial-${trial}`;
}

/** Of the judge of a run's failed episodes. */
export function errorsWorkflowId(runId: string): string {
  return `${runId}/errors`;
}

/** @param fork `fork-2` */
export function forkWorkflowId(runId: string, episode: EpisodeKey, fork: string): string {
  return `${episodeWorkflowId(runId, episode)}/${fork}`;
}

/** `task-17.trial-0`: also the stem of the episode's file in the run log. */
export function episodeName({ taskId, trial }: EpisodeKey): string {
  return `task-${taskId}.trial-${trial}`;
}

/** The inverse of {@link episodeName}; null for any other text. */
export function parseEpisodeName(name: string): EpisodeKey | null {
  const match = /^task-(0|[1-9]\d*)\.trial-(0|[1-9]\d*)$/.exec(name);
  return match === null ? null : { taskId: Number(match[1]), trial: Number(match[2]) };
}

/** `task-17.trial-0.fork-2`: also the stem of the fork's file in the run log. */
export function forkName(origin: EpisodeKey, fork: string): string {
  return `${episodeName(origin)}.${fork}`;
}

/** `fork-2` → 2 */
export function forkNumber(fork: string): number {
  return Number(fork.replace('fork-', ''));
}

/** An episode, or a fork of it. */
export interface ForkableName {
  readonly episode: EpisodeKey;
  readonly fork?: string;
}

/** Reads {@link episodeName} and {@link forkName}; null for any other text. */
export function parseForkableName(name: string): ForkableName | null {
  const [, own, fork] = /^(.*?)(?:\.(fork-[1-9]\d*))?$/.exec(name) ?? [];
  const episode = own === undefined ? null : parseEpisodeName(own);
  if (episode === null) return null;
  return fork === undefined ? { episode } : { episode, fork };
}

/** The workflow id of an episode that is known by its name (`task-17.trial-0`). */
export function workflowIdOfEpisode(runId: string, name: string): string {
  return `${runId}/${name.replace('.', '/')}`;
}

/** What a workflow is, read off its id. */
export interface WorkflowPlace {
  readonly run: string;
  readonly lane?: number;
  readonly task?: number;
  readonly trial?: number;
  /** Which fork of the episode, where it is one. */
  readonly fork?: number;
}

/** The segments that the functions above put behind a run's id, which itself has no slash. */
const SEGMENTS = /(?:\/(?:lane|task|trial|fork)-\d+){0,4}$/;

/** The inverse of the functions above. Another program's id is a run without anything behind it. */
export function placeOfWorkflow(workflowId: string): WorkflowPlace {
  const judged = /^(.+)\/errors$/.exec(workflowId)?.[1];
  if (judged !== undefined) return { run: judged };
  const start = SEGMENTS.exec(workflowId)?.index ?? workflowId.length;
  const segments = workflowId.slice(start).split('/').slice(1);
  const numbers = segments.map((segment) => segment.split('-')).map(([name = '', number]) => [name, Number(number)]);
  return { run: workflowId.slice(0, start), ...(Object.fromEntries(numbers) as Omit<WorkflowPlace, 'run'>) };
}
