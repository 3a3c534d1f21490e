/** Why episodes failed and how their customers behaved, counted over a run. Pure. */

import { isSuspect, type CustomerKind, type FaultKind, type FaultType } from '../../analysis/index.ts';
import { isSuccess } from './pass-hat-k.ts';
import type { EpisodeRow, RowAnalysis } from '../log/index.ts';

/** Failed episodes, each counted once, by the first of its faults. */
export interface FaultBreakdown {
  readonly failed: number;
  /** Of these, episodes of which there is no analysis: they are in no count below. */
  readonly notAnalyzed: number;
  /** Analysed, and no fault was found. */
  readonly unexplained: number;
  readonly kinds: Readonly<Partial<Record<FaultKind, number>>>;
  /** tau-bench's fault types, for faults that are the agent's. */
  readonly faultTypes: Readonly<Partial<Record<FaultType, number>>>;
}

export interface CustomerBreakdown {
  /** Episodes whose customer was looked at. */
  readonly analyzed: number;
  /** Of these, episodes whose customer is under suspicion. */
  readonly suspects: number;
  /** Episodes with a finding of the kind: in all, and those whose finding puts the customer under suspicion. */
  readonly kinds: Readonly<Partial<Record<CustomerKind, { readonly episodes: number; readonly suspects: number }>>>;
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
export function customerBreakdown(rows: readonly EpisodeRow[]): CustomerBreakdown {
  const kinds: Partial<Record<CustomerKind, { episodes: number; suspects: number }>> = {};
  for (const { analysis } of rows) {
    const severe = new Set(analysis?.customer.flatMap(({ kind, severity }) => (severity === 'suspect' ? kind : [])));
    for (const kind of new Set(analysis?.customer.map((finding) => finding.kind))) {
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

/** Whether the episode's customer is under suspicion; an episode that was not analysed has the benefit of the doubt. */
export function isSuspectRow({ analysis }: EpisodeRow): boolean {
  return analysis !== undefined && isSuspect(analysis);
}

/** What a failed episode is put down to; null for one that was solved, and where nothing is known. */
export function firstFault({ reward, analysis }: EpisodeRow): RowAnalysis['faults'][number] | null {
  return isSuccess(reward) ? null : (analysis?.faults[0] ?? null);
}

/** In order of first appearance. */
export function countBy<K extends string>(values: readonly K[]): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
