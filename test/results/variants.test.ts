/** Marks of a run: its variants wherever figures are, its settings on disk. */

import { describe, expect, it } from 'vitest';

import {
  snakeKeys,
  recordCodec,
  manifestCodec,
  runDifferences,
  describeVariants,
  type RunManifest,
} from '../../src/run-log/index.ts';
import { reportToMarkdown, metricsToJson, subjectOfRun } from '../../src/results/report/index.ts';
import { buildReport, formatLeaderboardRow } from '../../src/results/report/testing.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { CONFIG, record, row, renderReport } from './fixtures.ts';

const MINI = { provider: 'openai', model: 'gpt-4o-mini', temperature: 0 };

const FULL: EvaluationConfig = {
  ...CONFIG,
  strategyOptions: {
    omitPolicy: true,
    useReasoning: false,
    compat: ['fastworkflow-iterations', 'fastworkflow-labels'],
    decisionOnly: true,
    toolNames: { get_order_details: 'getOrder', camelCase: 'snake_case' },
    parameterTries: 2,
    intentRanker: 'llm',
  },
  roleModels: {
    'agent/planner': MINI,
    'agent/param_extraction': { provider: 'openai', model: 'gpt-4o', temperature: 1 },
    'agent/summary': MINI,
    'agent/ranker': { provider: 'scripted', model: 'oracle', temperature: 0 },
  },
};

const MANIFEST: RunManifest = {
  formatVersion: 1,
  runId: 'run-1',
  status: 'completed',
  startedAt: '2025-01-01T00:00:00.000Z',
  endedAt: '2025-01-01T00:01:00.000Z',
  label: 'FW',
  config: FULL,
  plan: { taskIds: [1], numTrials: 1, shuffle: false },
  maxConcurrency: 1,
  maxCostUsd: null,
  versions: { '@temporalio/worker': '1.2.3', snake_case: '1', camelCase: '2' },
  temporal: null,
  notes: ['Variant fastworkflow-labels: give the agent labels.'],
};

describe('variants', () => {
  it('are none where everything is at its default', () => {
    expect(describeVariants(CONFIG)).toEqual([]);
  });

  it('name the settings of the models, which come into the leaderboard row', () => {
    const agentModel = { ...CONFIG.agentModel, reasoning_effort: 'low', top_p: 0.9, wire: 'responses' } as const;
    const variants = describeVariants({
      ...CONFIG,
      agentModel,
      userModel: { ...CONFIG.userModel, reasoning_effort: 'high' },
    });
    expect(variants).toEqual(['reasoning_effort low', 'top_p 0.9', 'wire responses', 'user reasoning_effort high']);
    expect(formatLeaderboardRow({ label: 'TC', model: 'gpt-5.5', variants }, [])).toContain(
      'TC (gpt-5.5, reasoning_effort low, top_p 0.9, wire responses, user reasoning_effort high)',
    );
    const identity = (effort: string) => ({
      config: { ...CONFIG, agentModel: { ...CONFIG.agentModel, reasoning_effort: effort } },
      plan: { taskIds: [1], numTrials: 1, shuffle: false },
    });
    expect(runDifferences(identity('low'), identity('high'))).toEqual(['agent_model.reasoning_effort: low, now high']);
  });

  it('name everything else in a few words, roles with the same model together', () => {
    expect(describeVariants(FULL)).toEqual([
      'no policy',
      'no reasoning',
      'fastworkflow-iterations',
      'fastworkflow-labels',
      'tool names get_order_details=getOrder camelCase=snake_case',
      '2 parameter tries',
      'llm intent ranker',
      'planner+summary gpt-4o-mini',
      'param_extraction at 1',
      'ranker scripted/oracle',
      'decisions only',
    ]);
  });

  it('are named on the leaderboard row, in tables, in Markdown and in metrics.json', () => {
    const config: EvaluationConfig = {
      ...CONFIG,
      strategyOptions: { omitPolicy: true, useReasoning: true, compat: ['fastworkflow-labels'] },
      roleModels: { 'agent/planner': MINI },
    };
    const report = buildReport(subjectOfRun({ ...MANIFEST, config }), [row(1, 0, 1)]);
    const words = 'gpt-4o, no policy, fastworkflow-labels, planner gpt-4o-mini';
    expect(report.leaderboardRow).toBe(`| FW (${words}) | 1.000 | ?? | ?? | ?? |`);
    expect(renderReport(report, { columns: 200, color: false })).toContain(`tool-calling, ${words}; user`);
    expect(renderReport(report, { columns: 200, color: false })).toContain('Variant fastworkflow-labels');
    expect(reportToMarkdown(report)).toContain(`tool-calling, ${words}; user`);
    expect(reportToMarkdown(report)).toContain('> Variant fastworkflow-labels');
    expect(metricsToJson(report)).toMatchObject({
      variants: ['no policy', 'fastworkflow-labels', 'planner gpt-4o-mini'],
      remarks: ['Variant fastworkflow-labels: give the agent labels.'],
    });
    expect(formatLeaderboardRow({ label: 'TC', model: 'm', variants: [] }, [])).toBe('| TC (m) | ?? | ?? | ?? | ?? |');
  });
});

describe('settings on disk', () => {
  it('come back from run.json as they were, whatever commands, roles and packages are called', () => {
    const text = manifestCodec.write(MANIFEST);
    expect(manifestCodec.read(text)).toEqual(MANIFEST);
    expect(JSON.parse(text)).toMatchObject({
      config: {
        strategy_options: { use_reasoning: false, tool_names: { get_order_details: 'getOrder' } },
        role_models: { 'agent/param_extraction': { temperature: 1 } },
      },
      versions: { camelCase: '2' },
    });
    const strategyOptions = { toolNames: { aB: 'c_d' }, fewShots: { leaveOut: true } };
    expect(snakeKeys({ strategyOptions, maxSteps: 1 })).toEqual({
      strategy_options: { tool_names: { aB: 'c_d' }, few_shots: { leave_out: true } },
      max_steps: 1,
    });
  });

  it('may be absent, as in a run of before there were any', () => {
    const before = { ...MANIFEST, config: CONFIG };
    const read = manifestCodec.read(manifestCodec.write(before));
    expect(read).toEqual(before);
    expect(read.config).not.toHaveProperty('roleModels');
    expect(runDifferences(read, { config: CONFIG, plan: read.plan })).toEqual([]);
  });

  it('make a run another one, each by its name', () => {
    const { plan } = MANIFEST;
    const plain = { config: { ...FULL, strategyOptions: CONFIG.strategyOptions, roleModels: {} }, plan };
    expect(runDifferences({ config: FULL, plan }, plain)).toEqual(
      expect.arrayContaining([
        'strategy_options.compat: fastworkflow-iterations fastworkflow-labels, now none',
        'strategy_options.decision_only: true, now none',
        'strategy_options.tool_names.get_order_details: getOrder, now none',
        'role_models.agent/planner.model: gpt-4o-mini, now none',
      ]),
    );
  });

  it('are in an episode’s record, with the models of roles', () => {
    const written = record(1, 0, { config: FULL });
    expect(recordCodec.read(recordCodec.write(written))).toEqual(written);
    expect(written.config).toMatchObject({
      strategyOptions: { compat: FULL.strategyOptions.compat, toolNames: FULL.strategyOptions['toolNames'] },
      roleModels: { 'agent/planner': MINI },
    });
    expect(record(1, 0).config).not.toHaveProperty('roleModels');
    expect(record(1, 0).config.strategyOptions).toEqual({ omitPolicy: false, useReasoning: true });
  });
});
