/** A run's costs and model calls by role, its faults, and faults of its simulated users. Pure. */

import { isSuccess } from './pass-hat-k.ts';
import type { EpisodeRow, RoleFigures, RowAnalysis } from '../../run-log/index.ts';
import { addCosts, addRepairs, readKnownCost } from '../../episode/index.ts';
import { isSuspect, type UserFaultKind, type FaultKind, type FaultType } from '../../analysis/index.ts';

export interface RoleCost extends Omit<RoleFigures, 'knownCostUsd'> {
  /** Sum of the known costs, in USD. */
  readonly knownCostUsd: number;
}

export interface CostSummary {
  /** Sum of the known prices, in USD; a lower bound of the run's cost if `unpriced` is not 0. */
  readonly knownUsd: number;
  /** Cost of the run in USD; null if any price is unknown. */
  readonly totalUsd: number | null;
  /** Number of episodes with a call of unknown price. */
  readonly unpriced: number;
  /** Mean cost over all episodes in USD; null if any price is unknown, or there is no episode. */
  readonly perEpisodeUsd: number | null;
  /** Cost of the whole run per success in USD; null if any price is unknown, or nothing succeeded. */
  readonly perSuccessUsd: number | null;
  readonly roles: readonly RoleCost[];
  readonly calls: number;
  /** Number of calls that a response cache answered at no cost; their tokens are those of the original calls. */
  readonly cachedCalls: number;
  readonly extraAttempts: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** @param rows all paid episodes, canceled ones included */
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
  // Another tool's file may have a cost without model calls.
  const withoutCalls = rows.map(({ roles: own, costUsd }) => (own.length === 0 ? (costUsd ?? 0) : 0));
  const knownUsd = total('knownCostUsd') + withoutCalls.reduce((sum, cost) => sum + cost, 0);
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

/** Cost of archived records, which no score includes, in USD. */
export interface ArchivedCosts {
  readonly episodes: number;
  /** Sum of the known prices. */
  readonly knownUsd: number;
  /** Cost of the archived records; null if any price is unknown. */
  readonly costUsd: number | null;
}

export function summarizeArchived(rows: readonly EpisodeRow[]): ArchivedCosts {
  const { knownUsd, totalUsd } = summarizeCosts(rows);
  return { episodes: rows.length, knownUsd, costUsd: totalUsd };
}

function addFigures(sum: RoleCost | undefined, figures: RoleFigures): RoleCost {
  const costUsd = addCosts(sum === undefined ? 0 : sum.costUsd, figures.costUsd);
  const leftOut = [...new Set([...(sum?.leftOut ?? []), ...(figures.leftOut ?? [])])];
  return {
    role: figures.role,
    calls: (sum?.calls ?? 0) + figures.calls,
    cachedCalls: (sum?.cachedCalls ?? 0) + figures.cachedCalls,
    extraAttempts: (sum?.extraAttempts ?? 0) + figures.extraAttempts,
    truncatedReplies: (sum?.truncatedReplies ?? 0) + figures.truncatedReplies,
    promptTokens: (sum?.promptTokens ?? 0) + figures.promptTokens,
    completionTokens: (sum?.completionTokens ?? 0) + figures.completionTokens,
    cachedTokens: (sum?.cachedTokens ?? 0) + figures.cachedTokens,
    cacheWriteTokens: (sum?.cacheWriteTokens ?? 0) + (figures.cacheWriteTokens ?? 0) || undefined,
    reasoningTokens: (sum?.reasoningTokens ?? 0) + figures.reasoningTokens,
    costUsd,
    knownCostUsd: (sum?.knownCostUsd ?? 0) + readKnownCost(figures),
    latencyMs: addCosts(sum === undefined ? 0 : sum.latencyMs, figures.latencyMs),
    leftOut: leftOut.length === 0 ? undefined : leftOut,
    ...addRepairs(sum ?? {}, figures),
  };
}

/** Means over all paid episodes, including those without a call of the role. */
export interface RoleMeans {
  readonly role: string;
  readonly callsPerEpisode: number;
  readonly promptTokensPerEpisode: number;
  readonly completionTokensPerEpisode: number;
  /** Cost per episode in USD; null if any call's price is unknown. */
  readonly costPerEpisodeUsd: number | null;
  /** Duration of all calls of an episode in milliseconds, cached calls included; null if unknown. */
  readonly latencyPerEpisodeMs: number | null;
  /** Duration of a call in milliseconds; null without a call, and if unknown. */
  readonly latencyPerCallMs: number | null;
}

/** Returns means by role, in order of first appearance. */
export function meansByRole(rows: readonly EpisodeRow[]): RoleMeans[] {
  const mean = (sum: number) => sum / rows.length;
  return summarizeCosts(rows).roles.map(({ role, calls, promptTokens, completionTokens, costUsd, latencyMs }) => ({
    role,
    callsPerEpisode: mean(calls),
    promptTokensPerEpisode: mean(promptTokens),
    completionTokensPerEpisode: mean(completionTokens),
    costPerEpisodeUsd: costUsd === null ? null : mean(costUsd),
    latencyPerEpisodeMs: latencyMs === null ? null : mean(latencyMs),
    latencyPerCallMs: calls === 0 || latencyMs === null ? null : latencyMs / calls,
  }));
}

/** Sums the strategy's counters over all episodes, in order of first appearance. */
export function sumCounts(rows: readonly EpisodeRow[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, count] of rows.flatMap((row) => Object.entries(row.counts))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/** Number of failed episodes by their first fault. */
export interface FaultBreakdown {
  readonly failed: number;
  /** Number of failed episodes without an analysis, which no number below includes. */
  readonly notAnalyzed: number;
  /** Number of analyzed episodes without a fault. */
  readonly unexplained: number;
  readonly kinds: Readonly<Partial<Record<FaultKind, number>>>;
  /** Number of the agent's faults by tau-bench's fault types. */
  readonly faultTypes: Readonly<Partial<Record<FaultType, number>>>;
}

export interface UserFaultBreakdown {
  /** Number of episodes whose user was checked. */
  readonly analyzed: number;
  /** Number of episodes whose user is suspect. */
  readonly suspects: number;
  /** By kind of fault: the number of episodes with such a fault, and of those whose user is suspect because of it. */
  readonly kinds: Readonly<Partial<Record<UserFaultKind, { readonly episodes: number; readonly suspects: number }>>>;
}

/** @param rows episodes that have a score */
export function faultBreakdown(rows: readonly EpisodeRow[]): FaultBreakdown {
  const failed = rows.filter((row) => !isSuccess(row.reward));
  const analyzed = failed.filter((row) => row.analysis !== undefined);
  const first = analyzed.flatMap((row) => firstFault(row) ?? []);
  return {
    failed: failed.length,
    notAnalyzed: failed.length - analyzed.length,
    unexplained: analyzed.length - first.length,
    kinds: countBy(first.map(({ kind }) => kind)),
    faultTypes: countBy(first.flatMap(({ faultType }) => faultType ?? [])),
  };
}

/** @param rows episodes that have a score */
export function userFaultBreakdown(rows: readonly EpisodeRow[]): UserFaultBreakdown {
  const kinds: Partial<Record<UserFaultKind, { episodes: number; suspects: number }>> = {};
  for (const { analysis } of rows) {
    const severe = new Set(analysis?.user.flatMap(({ kind, severity }) => (severity === 'suspect' ? kind : [])));
    for (const kind of new Set(analysis?.user.map((finding) => finding.kind))) {
      const counts = (kinds[kind] ??= { episodes: 0, suspects: 0 });
      counts.episodes += 1;
      if (severe.has(kind)) counts.suspects += 1;
    }
  }
  return {
    analyzed: rows.filter(({ analysis }) => analysis !== undefined).length,
    suspects: rows.filter(isSuspectRow).length,
    kinds,
  };
}

/** True if the episode was analyzed and its user is suspect. */
export function isSuspectRow({ analysis }: EpisodeRow): boolean {
  return analysis !== undefined && isSuspect(analysis);
}

/** Returns the first fault of a failed episode; null for a solved or unanalyzed one. */
export function firstFault({ reward, analysis }: EpisodeRow): RowAnalysis['faults'][number] | null {
  return isSuccess(reward) ? null : (analysis?.faults[0] ?? null);
}

/** Groups the episodes by task, each task's by trial, ascending. */
export function groupByTask(rows: readonly EpisodeRow[]): Map<number, EpisodeRow[]> {
  const tasks = new Map<number, EpisodeRow[]>();
  for (const row of [...rows].sort((a, b) => a.trial - b.trial)) {
    const trials = tasks.get(row.taskId);
    if (trials === undefined) tasks.set(row.taskId, [row]);
    else trials.push(row);
  }
  return tasks;
}

/** Counts equal values, in order of first appearance. */
export function countBy<K extends string>(values: readonly K[]): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
