/** Payloads as the report page is given them, with only what a test is about. */

import type { PayloadEpisode, PayloadRun } from '../../src/viewer/data/testing.ts';
import { computeMetrics } from '../../src/results/metrics/index.ts';
import { subjectOfFile } from '../../src/results/report/index.ts';
import type { EpisodeRow } from '../../src/run-log/index.ts';

export function episode(about: Partial<PayloadEpisode> = {}): PayloadEpisode {
  return {
    ...{ taskId: 0, trial: 0, reward: 1, outcome: 'user_stop', steps: 5, turns: 2, costUsd: null, durationMs: null },
    ...{ faults: [], userFaults: [], isSuspect: false, tools: [], verdict: null, error: null },
    ...about,
  };
}

/** Tasks by their rewards, a trial each. */
export function episodesOf(rewards: readonly (readonly number[])[]): PayloadEpisode[] {
  return rewards.flatMap((trials, taskId) => trials.map((reward, trial) => episode({ taskId, trial, reward })));
}

export function run(episodes: readonly PayloadEpisode[], about: Partial<PayloadRun['subject']> = {}): PayloadRun {
  return {
    subject: { ...subjectOfFile('a-run'), ...about },
    metrics: computeMetrics(episodes.map(rowOf)),
    ...{ remarks: [], problems: [], leaderboardRow: null, notes: null, tools: [] },
    episodes,
  };
}

function rowOf({
  taskId,
  trial,
  reward,
  outcome,
  steps,
  turns,
  costUsd,
  durationMs,
  error,
}: PayloadEpisode): EpisodeRow {
  return {
    ...{ taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error },
    ...{ roles: [], counts: {}, numberSpellingOnly: false, wouldHavePassed: false, tools: [] },
  };
}
