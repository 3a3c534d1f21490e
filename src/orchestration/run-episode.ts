/** Runs an episode of a sweep, and finds its summary if its workflow returned none. */

import type { EpisodeInput } from '../episode/index.ts';
import { episodeName, type EpisodeSummary } from '../evaluation/index.ts';
import type { EpisodeFailure, SweepPorts } from './ports.ts';

/** First wait in ms for an episode of an earlier run that is still ending; later waits double. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;

type FailedWorkflow = Extract<EpisodeFailure, { kind: 'failed' }>;

/**
 * Runs one episode to any end. A failed or canceled episode does not fail the sweep.
 * @returns null if the sweep was canceled before the episode was opened
 */
export async function runEpisode(first: EpisodeInput, ports: SweepPorts): Promise<EpisodeSummary | null> {
  let input = first;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
    try {
      return await ports.playEpisode(input);
    } catch (error) {
      const failure = ports.readEpisodeFailure(error);
      if (failure === undefined) throw error;
      if (failure.kind === 'failed') return await failedSummary(input, failure, ports);
      if (failure.kind === 'unopened') return null;
      // The episode of the earlier sweep has no record yet.
      input = { ...input, resumes: input.resumes ?? { workflowRunId: null } };
    }
    try {
      await ports.sleep(waitMs);
    } catch (error) {
      if (ports.isCancellation(error)) return null;
      throw error;
    }
  }
}

/** Returns the summary from the failure or from the run log, otherwise one with the known facts. */
async function failedSummary(input: EpisodeInput, failure: FailedWorkflow, ports: SweepPorts): Promise<EpisodeSummary> {
  const { isCancelled, message, summary } = failure;
  if (summary !== undefined) return summary;
  return (
    (isCancelled ? await cancelledSummary(input, failure, ports) : await lostSummary(input, failure, ports)) ?? {
      episode: input.episode,
      reward: 0,
      outcome: isCancelled ? 'cancelled' : 'infrastructure_error',
      error: message.slice(0, 200),
      steps: 0,
      turns: 0,
      calls: 0,
      extraAttempts: 0,
      promptTokens: 0,
      completionTokens: 0,
      agentCostUsd: null,
      userCostUsd: null,
      durationMs: 0,
    }
  );
}

/**
 * Returns the summary of a canceled child, for which the server reports only the cancellation. The budget needs its
 * cost, unless the sweep is canceled itself.
 * @returns null if the episode was not recorded
 */
async function cancelledSummary(
  { run, episode }: EpisodeInput,
  failure: FailedWorkflow,
  { activities, isCancelled, isFailure }: SweepPorts,
): Promise<EpisodeSummary | null> {
  if (isCancelled()) return null;
  const asked = { run, episode, workflowRunId: failure.workflowRunId ?? null };
  try {
    return await activities.summarize(`what ${episodeName(episode)} had cost`, asked);
  } catch (error) {
    // The episode has ended, even if the run log cannot be read or the sweep is canceled.
    if (isFailure(error)) return null;
    throw error;
  }
}

/**
 * Records an episode without a record, because it was stuck or was terminated, so that the run's records add up to its
 * totals.
 * @returns null if it could not be recorded
 */
async function lostSummary(
  { run, episode, config, repeat }: EpisodeInput,
  { workflowId, workflowRunId, message }: FailedWorkflow,
  { activities, isFailure, uncancelled }: SweepPorts,
): Promise<EpisodeSummary | null> {
  if (!workflowId || !workflowRunId) return null;
  const lost = { run, episode, config, workflowId, workflowRunId, message, repeat };
  const summary = `record ${episodeName(episode)}, which could not record itself`;
  try {
    return await uncancelled(() => activities.recordLost(summary, lost));
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}
