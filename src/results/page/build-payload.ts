/** What the page is given: the overview, and conversations in chunks. One record is in memory at a time. */

import { isSuspect } from '../../analysis/index.ts';
import { RESPOND } from '../../benchmark/index.ts';
import { byTrialThenTask } from '../log/index.ts';
import { ChunkPacker } from './chunks.ts';
import type { Payload, PayloadEpisode, PayloadRun } from './payload.ts';
import { episodesOf, type HtmlSubject, type ReadEpisode } from './read-episodes.ts';

export interface HtmlOptions {
  /**
   * Where Temporal UI is, such as `http://127.0.0.1:8233`.
   * @default null: no links
   */
  readonly uiUrl?: string | null;
  /**
   * Of several subjects: what `compare` says, as lines for people.
   * @default none
   */
  readonly comparison?: readonly string[];
}

export interface PackedPayload {
  readonly payload: Payload;
  /** In base64, see {@link ChunkPacker}. */
  readonly chunks: readonly string[];
}

/** @throws ResultsError when a log or a file cannot be read */
export async function buildPayload(
  subjects: readonly HtmlSubject[],
  { uiUrl = null, comparison = [] }: HtmlOptions = {},
): Promise<PackedPayload> {
  const packer = new ChunkPacker();
  const runs: PayloadRun[] = [];
  let asOf: string | null = null;
  for (const subject of subjects) {
    const problems = [...subject.report.problems];
    const episodes: NamedEpisode[] = [];
    for await (const episode of episodesOf(subject, uiUrl, (sentence) => problems.push(sentence))) {
      episodes.push({ ...overviewOf(episode), ...packer.add(episode.conversation) });
      const { endedAt } = episode;
      if (endedAt !== null && (asOf === null || endedAt > asOf)) asOf = endedAt;
    }
    const { report } = subject;
    runs.push({
      subject: report.subject,
      metrics: report.metrics,
      remarks: report.remarks,
      problems,
      leaderboardRow: report.leaderboardRow,
      notes: report.notes,
      ...withToolsByPlace(episodes.sort(byTrialThenTask)),
    });
  }
  return { payload: { version: 1, asOf, runs, comparison }, chunks: packer.finish() };
}

/** An episode with the names of its tools. */
interface NamedEpisode extends Omit<PayloadEpisode, 'tools'> {
  readonly tools: readonly string[];
}

function overviewOf({ row, analysis, verdict, conversation }: ReadEpisode): Omit<NamedEpisode, 'chunk' | 'place'> {
  const { taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error } = row;
  const called = conversation.steps.flatMap(({ name }) => (name === RESPOND ? [] : [name]));
  return {
    ...{ taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error },
    faults: (analysis?.faults ?? []).map(({ kind, faultType, step }) => ({ kind, faultType, step })),
    customer: (analysis?.customer ?? []).map(({ kind }) => kind),
    isSuspect: analysis !== null && isSuspect(analysis),
    verdict: verdict === null ? null : { author: verdict.author, faultType: verdict.faultType },
    tools: [...new Set(called)],
  };
}

function withToolsByPlace(episodes: readonly NamedEpisode[]): Pick<PayloadRun, 'tools' | 'episodes'> {
  const tools = [...new Set(episodes.flatMap((episode) => episode.tools))].sort();
  return {
    tools,
    episodes: episodes.map((episode) => ({ ...episode, tools: episode.tools.map((tool) => tools.indexOf(tool)) })),
  };
}
