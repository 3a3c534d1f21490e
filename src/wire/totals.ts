/** A sweep's running totals: a fold over the summaries of its episodes. */

import type { EpisodeSummary, OutcomeKind } from './episode.ts';
import type { SweepTotals } from './sweep.ts';

export const NO_TOTALS: SweepTotals = {
  ended: 0,
  resumed: 0,
  rewardSum: 0,
  outcomes: {},
  steps: 0,
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  knownCostUsd: 0,
  unpriced: 0,
};

export function addEpisode(totals: SweepTotals, summary: EpisodeSummary): SweepTotals {
  return {
    ...addCost(totals, summary),
    ended: totals.ended + 1,
    resumed: totals.resumed,
    rewardSum: totals.rewardSum + summary.reward,
    outcomes: { ...totals.outcomes, [summary.outcome]: (totals.outcomes[summary.outcome] ?? 0) + 1 },
    steps: totals.steps + summary.steps,
    calls: totals.calls + summary.calls,
    promptTokens: totals.promptTokens + summary.promptTokens,
    completionTokens: totals.completionTokens + summary.completionTokens,
  };
}

/** Removes episodes whose records were moved aside; their cost stays. */
export function withoutEpisodes(totals: SweepTotals, gone: SweepTotals): SweepTotals {
  const outcomes: Partial<Record<OutcomeKind, number>> = { ...totals.outcomes };
  for (const [kind, count] of Object.entries(gone.outcomes) as [OutcomeKind, number][]) {
    outcomes[kind] = (outcomes[kind] ?? 0) - count;
  }
  const ended = totals.ended - gone.ended;
  return {
    ...totals,
    ended,
    resumed: Math.min(totals.resumed, ended),
    rewardSum: totals.rewardSum - gone.rewardSum,
    outcomes: Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count !== 0)),
    steps: totals.steps - gone.steps,
    calls: totals.calls - gone.calls,
    promptTokens: totals.promptTokens - gone.promptTokens,
    completionTokens: totals.completionTokens - gone.completionTokens,
  };
}

/** Of an episode that counts for nothing else, because it was replaced or will be: its money is spent all the same. */
export function addCost(
  totals: SweepTotals,
  { agentCostUsd, userCostUsd }: Pick<EpisodeSummary, 'agentCostUsd' | 'userCostUsd'>,
): SweepTotals {
  return {
    ...totals,
    knownCostUsd: totals.knownCostUsd + (agentCostUsd ?? 0) + (userCostUsd ?? 0),
    unpriced: totals.unpriced + (agentCostUsd === null || userCostUsd === null ? 1 : 0),
  };
}

/** Totals of what the run log held at the start. */
export function asResumed(totals: SweepTotals): SweepTotals {
  return { ...totals, resumed: totals.ended };
}

export function addTotals(a: SweepTotals, b: SweepTotals): SweepTotals {
  const outcomes: Partial<Record<OutcomeKind, number>> = { ...a.outcomes };
  for (const [kind, count] of Object.entries(b.outcomes) as [OutcomeKind, number][]) {
    outcomes[kind] = (outcomes[kind] ?? 0) + count;
  }
  return {
    ended: a.ended + b.ended,
    resumed: a.resumed + b.resumed,
    rewardSum: a.rewardSum + b.rewardSum,
    outcomes,
    steps: a.steps + b.steps,
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    knownCostUsd: a.knownCostUsd + b.knownCostUsd,
    unpriced: a.unpriced + b.unpriced,
  };
}
