import { describe, expect, it } from 'vitest';

import type { Message, StrategyOptions } from '../../src/agents/index.ts';
import { computeMetrics } from '../../src/results/metrics/index.ts';
import { buildEpisodeRecord, recordCodec, rowOfRecord } from '../../src/run-log/index.ts';
import { resultsEntry } from '../../src/results/files/testing.ts';
import type { RecordInput } from '../../src/episode/index.ts';
import { CONFIG, CONTEXT, GRADE, MESSAGES, PAYMENT, recordInput, usage } from './fixtures.ts';

const MODEL = { provider: 'openai', model: 'small', temperature: 1 };

function written(changes: Partial<RecordInput>, context = CONTEXT) {
  const record = buildEpisodeRecord(recordInput(changes), context);
  const text = recordCodec.write(record);
  expect(recordCodec.read(text)).toEqual(record);
  return { record, text };
}

describe('a record of a strategy with settings', () => {
  it('has each of them, its roles’ models and what it counted', () => {
    const strategyOptions: StrategyOptions = {
      ...CONFIG.strategyOptions,
      compat: ['fastworkflow-labels'],
      decisionOnly: true,
      toolNames: { get_order_details: 'fetchOrder' },
      parameterTries: 2,
      intentRanker: 'llm',
    };
    const roleModels = { 'agent/planner': MODEL, 'agent/extraction': { ...MODEL, temperature: null } };
    const counts = { plans: 3, missing_tools: 1 };
    const { record } = written({ config: { ...CONFIG, strategyOptions, roleModels }, counts });
    expect(record.config.strategyOptions).toEqual({
      omitPolicy: false,
      useReasoning: true,
      compat: ['fastworkflow-labels'],
      decisionOnly: true,
      toolNames: { get_order_details: 'fetchOrder' },
      parameterTries: 2,
      intentRanker: 'llm',
    });
    expect(record.config.roleModels).toEqual(roleModels);
    expect(record.counts).toEqual(counts);
  });

  it('says nothing of what is at its default', () => {
    const { record } = written({});
    expect(record.config.strategyOptions).toEqual({ omitPolicy: false, useReasoning: true });
    expect(record.config).not.toHaveProperty('roleModels');
  });

  it('has what each step took: its calls, their tokens and their cost', () => {
    const { record } = written({});
    expect(record.steps[0]).toMatchObject({ calls: 1, promptTokens: 100, completionTokens: 10, costUsd: 0.01 });
  });
});

describe('an episode that was graded twice', () => {
  it('has the reward that came of it, and beside it what the grade was', () => {
    if (GRADE.kind !== 'graded') throw new Error('the fixture is a grade');
    const info = { ...GRADE.info, reward: 0, dataMatches: false } as const;
    const { record } = written({ reward: 1, grade: { kind: 'graded', info } });
    expect(record).toMatchObject({ reward: 1, rewardInfo: { reward: 0 }, diagnostics: { dataMatches: false } });
    expect(JSON.parse(resultsEntry(record) ?? '')).toMatchObject({ reward: 1, info: { reward_info: { reward: 0 } } });
  });
});

describe('an episode in which actions were only decided', () => {
  const messages: readonly Message[] = MESSAGES.slice(0, 4);
  const { record } = written(
    {
      outcome: { kind: 'decision_only' },
      reward: 0,
      grade: null,
      steps: [],
      usage: [usage('agent', 0.02), usage('user', 0.004)],
    },
    { ...CONTEXT, messages, actions: [PAYMENT] },
  );

  it('records them as actions, though no step was taken', () => {
    expect(record).toMatchObject({ outcome: { kind: 'decision_only' }, steps: [], rewardInfo: null });
    expect(record.actions).toEqual([PAYMENT]);
  });

  it('is no result in the form that others read, who would take it for a failure', () => {
    expect(resultsEntry(record)).toBeNull();
  });

  it('counts as no score', () => {
    const row = rowOfRecord(record);
    expect(row).toMatchObject({ outcome: 'decision_only', reward: 0, steps: 0, turns: 0 });
    const { decided, errorsAsFailures } = computeMetrics([row]);
    expect({ decided, episodes: errorsAsFailures.episodes }).toEqual({ decided: 1, episodes: 0 });
  });
});
