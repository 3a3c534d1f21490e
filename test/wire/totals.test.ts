import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EpisodeSummary, OutcomeKind } from '../../src/wire/episode.ts';
import type { SweepTotals } from '../../src/wire/sweep.ts';
import { addCost, addEpisode, addTotals, asResumed, NO_TOTALS, withoutEpisodes } from '../../src/wire/totals.ts';

const OUTCOMES: readonly OutcomeKind[] = ['user_stop', 'transferred', 'max_steps', 'infrastructure_error', 'cancelled'];
const count = fc.nat(1_000);
/** Sixteenths: their sums are exact in any order. */
const cost = fc.option(fc.nat(100).map((sixteenths) => sixteenths / 16));
const summary: fc.Arbitrary<EpisodeSummary> = fc.record({
  episode: fc.record({ taskId: count, trial: count }),
  reward: fc.constantFrom(0, 1),
  outcome: fc.constantFrom(...OUTCOMES),
  error: fc.constant(null),
  steps: count,
  turns: count,
  calls: count,
  extraAttempts: count,
  promptTokens: count,
  completionTokens: count,
  agentCostUsd: cost,
  userCostUsd: cost,
  durationMs: count,
});
const summaries = fc.array(summary, { maxLength: 8 });

const totalsOf = (all: readonly EpisodeSummary[]): SweepTotals => all.reduce(addEpisode, NO_TOTALS);
const sum = (all: readonly EpisodeSummary[], of: (one: EpisodeSummary) => number) =>
  all.reduce((total, one) => total + of(one), 0);

describe('totals', () => {
  it('are the sums over the episodes', () => {
    fc.assert(
      fc.property(summaries, (all) => {
        const totals = totalsOf(all);
        expect(totals).toEqual({
          ended: all.length,
          resumed: 0,
          rewardSum: sum(all, ({ reward }) => reward),
          outcomes: Object.fromEntries(
            OUTCOMES.map((kind) => [kind, all.filter(({ outcome }) => outcome === kind).length] as const).filter(
              ([, most]) => most > 0,
            ),
          ),
          steps: sum(all, ({ steps }) => steps),
          calls: sum(all, ({ calls }) => calls),
          promptTokens: sum(all, ({ promptTokens }) => promptTokens),
          completionTokens: sum(all, ({ completionTokens }) => completionTokens),
          knownCostUsd: sum(all, ({ agentCostUsd, userCostUsd }) => (agentCostUsd ?? 0) + (userCostUsd ?? 0)),
          unpriced: all.filter(({ agentCostUsd, userCostUsd }) => agentCostUsd === null || userCostUsd === null).length,
        });
        expect(asResumed(totals)).toEqual({ ...totals, resumed: all.length });
      }),
    );
  });

  it('of two parts add up to those of the whole', () => {
    fc.assert(
      fc.property(summaries, summaries, (a, b) => {
        expect(addTotals(totalsOf(a), asResumed(totalsOf(b)))).toEqual({
          ...totalsOf([...a, ...b]),
          resumed: b.length,
        });
      }),
    );
  });

  it('without episodes whose records were moved aside keep what these have cost, and nothing else', () => {
    fc.assert(
      fc.property(summaries, summaries, (kept, gone) => {
        const all = asResumed(totalsOf([...kept, ...gone]));
        const paid = gone.reduce(addCost, totalsOf(kept));
        expect(withoutEpisodes(all, totalsOf(gone))).toEqual({ ...paid, resumed: kept.length });
      }),
    );
  });
});
