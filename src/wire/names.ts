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

/** `task-17.trial-0`: also the stem of the episode's file in the run log. */
export function episodeName({ taskId, trial }: EpisodeKey): string {
  return `task-${taskId}.trial-${trial}`;
}

/** The workflow id of an episode that is known by its name (`task-17.trial-0`). */
export function workflowIdOfEpisode(runId: string, name: string): string {
  return `${runId}/${name.replace('.', '/')}`;
}
