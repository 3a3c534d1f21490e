/** What a run cost. An unknown price is never taken for zero: sums say how many episodes they lack. */

import { isSuccess } from './pass-hat-k.ts';
import type { EpisodeRow, RoleFigures } from '../log/index.ts';

export interface RoleCost extends RoleFigures {
  /** Sum of the known costs, USD. */
  readonly knownCostUsd: number;
}

export interface CostSummary {
  /** Sum over the calls of known price, USD: the run's cost, or a lower bound of it when `unpriced` is not 0. */
  readonly knownUsd: number;
  /** null when any price is unknown. */
  readonly totalUsd: number | null;
  /** Episodes with a call of unknown price. */
  readonly unpriced: number;
  /** USD, mean over all episodes; null when any price is unknown, or there is no episode. */
  readonly perEpisodeUsd: number | null;
  /** USD of the whole run for each success; null when any price is unknown, or nothing succeeded. */
  readonly perSuccessUsd: number | null;
  /** In order of first appearance. */
  readonly roles: readonly RoleCost[];
  readonly calls: number;
  /** Of these, answered by a response cache at no cost; their tokens are those of the calls once made. */
  readonly cachedCalls: number;
  readonly extraAttempts: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** @param rows every episode that was paid for, cancelled ones included */
export function summarizeCosts(rows: readonly EpisodeRow[]): CostSummary {
  const roles = new Map<string, RoleCost>();
  for (const figures of rows.flatMap((row) => row.roles)) {
    roles.set(figures.role, addFigures(roles.get(figures.role), figures));
  }
  const all = [...roles.values()];
  const total = (
    field: 'knownCostUsd' | 'calls' | 'cachedCalls' | 'extraAttempts' | 'promptTokens' | 'completionTokens',
  ) => all.reduce((sum, role) => sum + role[field], 0);
  const unpriced = rows.filter((row) => row.costUsd === null).length;
  const knownUsd = total('knownCostUsd');
  const totalUsd = unpriced === 0 ? knownUsd : null;
  const successes = rows.filter((row) => isSuccess(row.reward)).length;
  return {
    knownUsd,
    totalUsd,
    unpriced,
    perEpisodeUsd: totalUsd === null || rows.length === 0 ? null : totalUsd / rows.length,
    perSuccessUsd: totalUsd === null || successes === 0 ? null : totalUsd / successes,
    roles: all,
    calls: total('calls'),
    cachedCalls: total('cachedCalls'),
    extraAttempts: total('extraAttempts'),
    promptTokens: total('promptTokens'),
    completionTokens: total('completionTokens'),
  };
}

/** What was paid for records that were replaced: no score counts them, their money is spent all the same. */
export interface SupersededCosts {
  readonly episodes: number;
  /** USD over the calls of known price. */
  readonly knownUsd: number;
  /** USD; null when any price is unknown. */
  readonly costUsd: number | null;
}

/** @param rows the records that were replaced */
export function summarizeSuperseded(rows: readonly EpisodeRow[]): SupersededCosts {
  const { knownUsd, totalUsd } = summarizeCosts(rows);
  return { episodes: rows.length, knownUsd, costUsd: totalUsd };
}

function addFigures(sum: RoleCost | undefined, figures: RoleFigures): RoleCost {
  const costUsd = sum === undefined ? figures.costUsd : addKnown(sum.costUsd, figures.costUsd);
  return {
    role: figures.role,
    calls: (sum?.calls ?? 0) + figures.calls,
    cachedCalls: (sum?.cachedCalls ?? 0) + figures.cachedCalls,
    extraAttempts: (sum?.extraAttempts ?? 0) + figures.extraAttempts,
    truncatedReplies: (sum?.truncatedReplies ?? 0) + figures.truncatedReplies,
    promptTokens: (sum?.promptTokens ?? 0) + figures.promptTokens,
    completionTokens: (sum?.completionTokens ?? 0) + figures.completionTokens,
    cachedTokens: (sum?.cachedTokens ?? 0) + figures.cachedTokens,
    reasoningTokens: (sum?.reasoningTokens ?? 0) + figures.reasoningTokens,
    costUsd,
    knownCostUsd: (sum?.knownCostUsd ?? 0) + (figures.costUsd ?? 0),
    latencyMs: (sum?.latencyMs ?? 0) + figures.latencyMs,
  };
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
