/** What an episode takes of a model on average, role by role, and what strategies counted. Pure. */

import type { EpisodeRow } from '../log/index.ts';
import { summarizeCosts } from './costs.ts';

/** Means over all episodes that were paid for, those without a call of the role included. */
export interface RoleMeans {
  readonly role: string;
  readonly callsPerEpisode: number;
  readonly promptTokensPerEpisode: number;
  readonly completionTokensPerEpisode: number;
  /** USD; null as soon as one call's price is unknown. */
  readonly costPerEpisodeUsd: number | null;
  /** Milliseconds in all calls of an episode, those that a response cache answered included. */
  readonly latencyPerEpisodeMs: number;
  /** Milliseconds; null without a call. */
  readonly latencyPerCallMs: number | null;
}

/** In order of first appearance; none where the source does not tell of calls. */
export function meansByRole(rows: readonly EpisodeRow[]): RoleMeans[] {
  const mean = (sum: number) => sum / rows.length;
  return summarizeCosts(rows).roles.map(({ role, calls, promptTokens, completionTokens, costUsd, latencyMs }) => ({
    role,
    callsPerEpisode: mean(calls),
    promptTokensPerEpisode: mean(promptTokens),
    completionTokensPerEpisode: mean(completionTokens),
    costPerEpisodeUsd: costUsd === null ? null : mean(costUsd),
    latencyPerEpisodeMs: mean(latencyMs),
    latencyPerCallMs: calls === 0 ? null : latencyMs / calls,
  }));
}

/** Sums over all episodes, in order of first appearance. */
export function sumCounts(rows: readonly EpisodeRow[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, count] of rows.flatMap((row) => Object.entries(row.counts))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
