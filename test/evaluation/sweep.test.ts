import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPayloadConverter } from '@temporalio/common';
import {
  NO_TOTALS,
  addCost,
  addEpisode,
  addTotals,
  asResumed,
  totalsByCondition,
  WORKFLOW_VERSION,
  type EpisodeSummary,
  type OutcomeKind,
  type SweepInput,
  type SweepTotals,
} from '../../src/evaluation/index.ts';
import { sweepMemo } from '../../workflows/testing.ts';
import { withoutEpisodes } from '../../src/orchestration/testing.ts';

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

describe('totals by condition', () => {
  const NAMES = [undefined, 'tool-errors', 'user-claims'];
  const played = fc.array(
    fc
      .tuple(summary, fc.constantFrom(...NAMES))
      .map(([each, condition]) => ({ ...each, episode: { ...each.episode, condition } })),
    { maxLength: 8 },
  );

  it('are the totals of the episodes of each, also when some were moved aside', () => {
    fc.assert(
      fc.property(played, played, played, (a, b, gone) => {
        const all = addTotals(addTotals(totalsOf(a), totalsOf(b)), totalsOf(gone));
        for (const { name, ...totals } of totalsByCondition(withoutEpisodes(all, totalsOf(gone)))) {
          const own = [...a, ...b].filter(({ episode: { condition = 'base' } }) => condition === name);
          expect(totals).toEqual({
            ended: own.length,
            rewardSum: sum(own, ({ reward }) => reward),
            lost: own.filter(({ outcome }) => outcome === 'infrastructure_error' || outcome === 'cancelled').length,
          });
        }
      }),
    );
  });

  it('are those of base alone in a run without conditions', () => {
    expect(totalsByCondition(NO_TOTALS)).toEqual([{ name: 'base', ended: 0, rewardSum: 0, lost: 0 }]);
    expect(JSON.stringify(totalsOf([]))).not.toContain('conditions');
  });
});

const model = (name: string) => ({ provider: 'openai', model: name, temperature: 0 });

function inputOf(long: string): SweepInput {
  return {
    run: { runId: 'nightly', logDir: `/logs${long}` },
    config: {
      env: 'retail',
      split: 'test',
      pack: { name: 'alder-finch', digest: 'd'.repeat(64), path: `/packs${long}` },
      strategy: 'fastworkflow',
      strategyOptions: { omitPolicy: false, useReasoning: true, toolNames: { find: `find_item${long}` } },
      agentModel: model(`gpt-4o${long}`),
      roleModels: { 'agent/planner': { ...model(`o1${long}`), temperature: null } },
      userStrategy: 'llm',
      userModel: model(`gpt-4o${long}`),
      maxSteps: 30,
      seed: 10,
      maxRetries: 3,
      episodeTimeoutMs: 600_000,
    },
    plan: { taskIds: [1, 2, 3], numTrials: 4, shuffle: false },
    maxConcurrency: 10,
    maxCostUsd: null,
    queues: { main: 'tauflow', llm: 'tauflow-llm' },
    indexed: true,
  };
}

describe("a sweep's memo", () => {
  it('reports its configuration, and which code it needs', () => {
    expect(sweepMemo(inputOf(''), '1.2.3')).toEqual({
      env: 'retail test',
      pack: `alder-finch ${'d'.repeat(64)}`,
      strategy: 'fastworkflow',
      options: '{"omitPolicy":false,"useReasoning":true,"toolNames":{"find":"find_item"}}',
      agent: 'openai/gpt-4o at 0, agent/planner openai/o1',
      user: 'llm with openai/gpt-4o at 0',
      tasks: 3,
      trials: 4,
      seed: 10,
      maxSteps: 30,
      logDir: '/logs',
      program: '1.2.3',
      workflowVersion: WORKFLOW_VERSION,
    });
  });

  it('stays below the size that the server warns of, however long the names', () => {
    const fields = Object.entries(sweepMemo(inputOf('/x'.repeat(1_000)), '1.2.3'));
    const bytes = fields.map(([name, value]) => {
      const { metadata, data } = defaultPayloadConverter.toPayload(value);
      const described = Object.entries(metadata ?? {}).reduce((sum, [key, text]) => sum + key.length + text.length, 0);
      return name.length + described + (data?.length ?? 0);
    });
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_048);
  });
});
